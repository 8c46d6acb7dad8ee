"""What was handed over out of the vault of a child who does not sign in yet is told to the guardians who decide for the
child, since nobody else would be told; never of what is sealed from them, and no more once the child signs in.
"""

import pytest
from django.conf import settings as ours
from django.contrib.auth import get_user_model

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Holder
from apps.policy.vocabulary import Level, Role
from apps.policy.wishes import Every
from tests.cast import Assistant, Vault, give, register
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, newcomer
from tests.mail.conftest import Postman
from tests.mail.test_what_was_handed_over import pass_by, the_letter, told
from tests.mail.wishing import wish
from tests.shares.links import one, opened
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def rosa(empty: None) -> Holder:
    """A guardian, at her own vault, who is told every day."""
    person = newcomer("Rosa")
    wish(person, receipts=Every.DAILY)
    return person


@pytest.fixture
def seat(rosa: Holder) -> Holder:
    """Her seat at the vault of a child who does not sign in."""
    return child_of(rosa, log_in=False)


@pytest.fixture
def leo(seat: Holder) -> Vault:
    vault = Vault(themself(seat.vault_id))
    vault.keep("bicycle")
    vault.keep("poems")
    return vault


@pytest.fixture
def cook(leo: Vault) -> Assistant:
    return register(leo, "Cook")


def test_the_guardian_is_told_whose_it_was_and_how_often(
    rosa: Holder, leo: Vault, cook: Assistant, postman: Postman
) -> None:
    give(cook, "bicycle", reads=5)
    for _ in range(2):
        assert cook.read("bicycle").released
    _, token = one(leo, "bicycle")
    opened(token)
    pass_by(rosa)
    letter = the_letter(rosa, postman)
    assert "the vault of Leo, who does not sign in yet" in letter.text and "- Cook: 2 reads" in letter.text
    assert "Links over what is in it were opened once" in letter.text
    assert "you decide for Leo" in letter.text and letter.link == f"{ours.PUBLIC_URL}/people"
    assert len(told(rosa)) == 1 and told(leo.holder) == []


def test_what_is_sealed_from_them_is_not_counted(rosa: Holder, leo: Vault, cook: Assistant, postman: Postman) -> None:
    give(cook, "bicycle", "poems", reads=9)
    assert cook.read("bicycle").released
    for _ in range(3):
        assert cook.read("poems").released
    _, token = one(leo, "poems")
    opened(token)
    memories.seal_from_guardians(leo.holder, leo.ids["poems"], utc_now())
    pass_by(rosa)
    letter = the_letter(rosa, postman)
    assert "- Cook: one read" in letter.text and "opened" not in letter.text


def test_of_nothing_but_what_is_sealed_no_letter_comes(rosa: Holder, leo: Vault, cook: Assistant) -> None:
    give(cook, "poems")
    assert cook.read("poems").released
    memories.seal_from_guardians(leo.holder, leo.ids["poems"], utc_now())
    pass_by(rosa)
    assert told(rosa) == []


def test_once_the_child_signs_in_it_is_the_child_s(rosa: Holder, leo: Vault, cook: Assistant) -> None:
    give(cook, "bicycle")
    assert cook.read("bicycle").released
    child = get_user_model().objects.get(pk=leo.holder.user_id)
    child.set_password("a bicycle, red")
    child.save()
    pass_by(rosa)
    assert told(rosa) == []


def test_who_may_only_look_is_not_told(rosa: Holder, leo: Vault, cook: Assistant) -> None:
    """Neither another guardian who may view, nor the one who decided, from the age on at which they do not."""
    otto = newcomer("Otto")
    acting(leo.holder, otto, Role.GUARDIAN, Level.VIEW)
    wish(otto, receipts=Every.DAILY)
    give(cook, "bicycle")
    assert cook.read("bicycle").released
    pass_by(otto)
    assert told(otto) == []
    grow(leo.holder, born(14))
    pass_by(rosa)
    assert told(rosa) == []


def test_a_delegate_of_a_grown_up_is_not_told(rosa: Holder, leo: Vault) -> None:
    ines = Vault(newcomer("Ines"))
    ines.keep("bicycle")
    acting(ines.holder, rosa, level=Level.DECIDE)
    bot = register(ines, "Bot")
    give(bot, "bicycle")
    assert bot.read("bicycle").released
    pass_by(rosa)
    assert told(rosa) == [] and access.digest(rosa.user_id, utc_now()) is None
