"""What a letter tells those who carry it: limits, each as a test that passes because we do not catch it."""

import pytest

from apps.mail import tasks
from tests.cast import new_vault, register
from tests.holders.people import address_of
from tests.mail.conftest import Postman, parsed, read
from tests.mail.wishing import wish

pytestmark = pytest.mark.usefixtures("empty")


def test_whoever_carries_a_mail_reads_that_there_is_a_vault_and_which_assistant_asks(postman: Postman) -> None:
    alice = new_vault("Alice")
    register(alice, "Carebot").ask("kitchen")
    tasks.sweep()
    ((to, content),) = postman.kept
    assert to == [address_of(alice.holder)] and b"Carebot" in content


def test_whoever_carries_a_mail_reads_the_words_by_which_it_is_known(postman: Postman) -> None:
    alice = new_vault("Alice")
    wish(alice.holder, phrase="The blue teapot")
    register(alice, "Carebot").ask("kitchen")
    tasks.sweep()
    ((_, content),) = postman.kept
    assert "The blue teapot" in read(parsed(content)).text


def test_a_letter_goes_to_an_address_that_nobody_has_confirmed(postman: Postman) -> None:
    alice = new_vault("Alice")  # no confirming letter was ever answered
    register(alice, "Cook").ask("kitchen")
    tasks.sweep()
    assert postman.one_to(address_of(alice.holder))
