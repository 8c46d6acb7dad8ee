"""Who belongs to a space is told by letter that its policy is another: all but whoever settled it, once for each."""

from dataclasses import replace

import pytest

from apps.holders import services as holders
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Role
from tests.holders.people import address_of, newcomer, settle, space_of
from tests.mail.conftest import Postman, read
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def rosa(empty: None) -> Holder:
    """She looks after her household."""
    return newcomer("Rosa")


@pytest.fixture
def kim(rosa: Holder) -> Holder:
    """He belongs to it, beside a household of his own."""
    person = newcomer("Kim")
    made = holders.invite_to_space(rosa.user_id, space_of(rosa), address_of(person), Role.ADMIN, utc_now())
    assert not isinstance(made, Refused)
    assert not isinstance(holders.accept(person.user_id, made[1], utc_now()), Refused)
    return person


def told(person: Holder) -> list[str]:
    rows = LetterRow.objects.filter(to_id=person.user_id, letter="settled")
    return list(rows.order_by("made_at").values_list("key", flat=True))


def test_the_others_are_told_at_once_and_only_of_what_changed(rosa: Holder, kim: Holder) -> None:
    new = settle(rosa, most_reads=5)
    key = f"{typed('spc', space_of(rosa))}/{new.version}"
    assert (told(rosa), told(kim)) == ([], [key])
    assert settle(rosa) == new and told(kim) == [key], "nothing changed, and nobody is told"
    old = replace(new, most_reads=7, version=new.version - 1)
    stale = holders.settle(rosa.user_id, space_of(rosa), old, utc_now())
    assert isinstance(stale, Refused) and told(kim) == [key]
    again = settle(kim, space_of(rosa), most_reads=6)
    assert told(rosa) == [f"{typed('spc', space_of(rosa))}/{again.version}"]


def test_it_says_where_and_since_when_and_not_what(rosa: Holder, kim: Holder, postman: Postman) -> None:
    settle(rosa, notice="Ask Kanari before you say yes.")
    tasks.sweep()
    found = [read(each) for each in postman.to(address_of(kim))]
    (letter,) = [each for each in found if each.subject == "A space you belong to changed its rules"]
    assert "other rules hold in Rosa's house" in letter.text
    assert "Kanari" not in letter.text
