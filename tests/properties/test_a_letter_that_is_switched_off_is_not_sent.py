"""A letter that is switched off is not sent: whoever does without it gets none, also of those that waited already, and
what protects them comes all the same; one press in a mail program switches it off, following its link does not.

Protects whoever is written to, and what they wished from mail filters that follow every link.
"""

import re
from collections.abc import Callable
from datetime import time
from email.message import EmailMessage

import pytest
from django.conf import settings as ours
from django.test import Client as Browser

from apps.access import services as access
from apps.mail import services as mail
from apps.mail import tasks
from apps.memories import services as memories
from apps.policy.wishes import Every, Quiet, Switch, Wishes
from apps.shares import services as shares
from tests.cast import Vault, give, new_vault, register
from tests.holders.people import address_of
from tests.mail.conftest import Postman, empty, postman  # noqa: F401  (fixtures)
from tests.mail.test_what_was_handed_over import pass_by
from tests.mail.wishing import wish
from tests.shares.links import one, opened
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def asks(vault: Vault) -> None:
    register(vault, "Cook").ask("kitchen")


def opens(vault: Vault) -> None:
    _, token = one(vault, "kitchen")
    shares.tell(vault.id, opened(token).opening.opening_id, utc_now())


def waits(vault: Vault) -> None:
    memories.propose(register(vault, "Cook").caller, label="Oven", value="none", now=utc_now())
    pass_by(vault.holder, days=1)


def reads(vault: Vault) -> None:
    cook = register(vault, "Cook")
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    pass_by(vault.holder)


# What a letter is sent of, and how its subject begins.
LEADS_TO: dict[Switch, tuple[Callable[[Vault], None], str]] = {
    Switch.REQUESTS: (asks, "Someone is asking"),
    Switch.OPENED: (opens, "Your shared link was opened"),
    Switch.WAITING: (waits, "One thing is waiting"),
    Switch.RECEIPTS: (reads, "What was handed over"),
}


def without(vault: Vault, switch: Switch) -> None:
    """Its holder does without this."""
    if switch is Switch.RECEIPTS:
        wish(vault.holder, receipts=Every.OFF)
    else:
        wish(vault.holder, off=frozenset({switch}))


def sent(vault: Vault, carried: Postman, begins: str) -> list[EmailMessage]:
    """The letters to its holder whose subject begins so."""
    tasks.sweep()
    return [each for each in carried.to(address_of(vault.holder)) if str(each["Subject"]).startswith(begins)]


def in_peace() -> Quiet:
    """Quiet hours that are now, wherever the day is."""
    return Quiet(time(0), time(23, 59)) if utc_now().hour < 23 else Quiet(time(12), time(11))


def way_out(letter: EmailMessage) -> str:
    (address,) = re.findall(r"^<(\S+)>$", str(letter["List-Unsubscribe"]))
    return str(address).removeprefix(ours.PUBLIC_URL)


@pytest.fixture
def two(empty: None) -> tuple[Vault, Vault]:  # noqa: F811
    """Two people who are told every day what was handed over."""
    alice, bob = new_vault("Alice"), new_vault("Bob")
    for each in (alice, bob):
        wish(each.holder, receipts=Every.DAILY)
    return alice, bob


@pytest.mark.parametrize("switch", Switch)
def test_it_is_not_sent_and_to_another_it_is(two: tuple[Vault, Vault], postman: Postman, switch: Switch) -> None:  # noqa: F811
    alice, bob = two
    happens, begins = LEADS_TO[switch]
    without(alice, switch)
    happens(alice)
    happens(bob)
    assert not sent(alice, postman, begins)
    assert len(sent(bob, postman, begins)) == 1, "the control: it is a letter that goes"


@pytest.mark.parametrize("switch", [Switch.REQUESTS, Switch.OPENED])
def test_nor_where_it_waited_already(two: tuple[Vault, Vault], postman: Postman, switch: Switch) -> None:  # noqa: F811
    alice, bob = two
    happens, begins = LEADS_TO[switch]
    for each in two:
        wish(each.holder, quiet=in_peace())
        happens(each)
        assert not sent(each, postman, begins)
    without(alice, switch)
    for each in two:
        wish(each.holder, quiet=None)
    assert (len(sent(alice, postman, begins)), len(sent(bob, postman, begins))) == (0, 1)


def test_what_protects_is_sent_whatever_is_switched_off(two: tuple[Vault, Vault], postman: Postman) -> None:  # noqa: F811
    alice, _ = two
    cook = register(alice, "Cook")
    wish(alice.holder, off=frozenset(Switch), receipts=Every.OFF, quiet=in_peace())
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    assert len(sent(alice, postman, "You stopped an assistant")) == 1


@pytest.mark.parametrize("switch", [Switch.WAITING, Switch.RECEIPTS])
def test_one_press_switches_it_off_and_following_the_link_does_not(
    two: tuple[Vault, Vault],
    postman: Postman,  # noqa: F811
    switch: Switch,
) -> None:
    alice, _ = two
    happens, begins = LEADS_TO[switch]
    happens(alice)
    (letter,) = sent(alice, postman, begins)
    before = mail.wishes(alice.holder.user_id)
    for look in (Browser().get, Browser().head, Browser().post):
        assert look(way_out(letter)).status_code == 200
        assert mail.wishes(alice.holder.user_id) == before, look
    assert Browser(enforce_csrf_checks=True).post(way_out(letter), ONE_CLICK).status_code == 200
    assert lacking(mail.wishes(alice.holder.user_id)) == {switch}


def lacking(wishes: Wishes) -> set[Switch]:
    return {each for each in Switch if wishes.lacks(each)}
