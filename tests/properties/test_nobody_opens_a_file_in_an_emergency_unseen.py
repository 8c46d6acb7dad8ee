"""Nobody opens a file in an emergency unseen: it is written down and told of before anything is shown, each value has
its receipt, and there is no seat and no value without, before or after.

Protects the holder from a way in that was made for the worst day and is used on any other.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.holders import services as holders
from apps.holders.services import emergency, looking
from apps.ledger import services as ledger
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Barred, Deed, may
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, EmergencyFinding, Level, Role, State
from tests.cast import admin as admin  # a fixture
from tests.drivers import Http
from tests.holders.emergencies import Ward
from tests.holders.emergencies import ward as ward  # a fixture
from tests.holders.people import acting, newcomer
from vault.clock import utc_now

HOUR = timedelta(minutes=60)


def forged(ward: Ward, by: Holder | None = None) -> Holder:
    """A seat as nobody ever gave it: whoever broke the pages would hand this to the services."""
    person = by or ward.nora
    about = ward.leo.holder
    return Holder(
        about.vault_id,
        person.user_id,
        person.name,
        "UTC",
        role=Role.EMERGENCY,
        level=Level.VIEW,
        on_behalf_of=about.actor,
        holder_name=about.name,
    )


def opened(ward: Ward, seat: Holder) -> list[str]:
    """The values that this seat is shown of the whole file."""
    shown = memories.show(seat, list(ward.leo.ids.values()))
    return [each.value for each in shown.values if each.value is not None]


def test_no_seat_opens_anything_that_nobody_came_in_by(ward: Ward) -> None:
    """Not one that is made up, with the role and without."""
    for person in (ward.nora, ward.paula, ward.clinic.admin, newcomer("Stranger")):
        assert emergency.seat(person.user_id, ward.leo.id) is None
        assert opened(ward, forged(ward, person)) == []
    assert ward.leo.receipts(kind="value.shown") == ()


def test_coming_in_is_in_the_ledger_and_in_the_post_before_anything_is_shown(ward: Ward) -> None:
    rosa = newcomer("Rosa")
    acting(ward.leo.holder, rosa, Role.GUARDIAN)
    looker = newcomer("Lena")
    acting(ward.leo.holder, looker, Role.GUARDIAN, Level.VIEW)
    seat = ward.enter()
    last = ward.leo.receipts()[-1]
    assert (last.kind, last.actor, last.on_behalf_of) == ("emergency.entered", seat.actor, ward.leo.holder.actor)
    key = last.object
    told = set(LetterRow.objects.filter(letter="emergency", key=key).values_list("to_id", flat=True))
    assert told == {ward.leo.holder.user_id, ward.paula.user_id, rosa.user_id}
    assert [each.emergency_id.hex for each in looking.to_review(ward.paula.user_id)] == [key.removeprefix("del_")]
    assert [each.emergency_id.hex for each in looking.used_at(ward.leo.holder)] == [key.removeprefix("del_")]


def test_each_value_that_is_shown_has_its_receipt_under_their_own_name(ward: Ward) -> None:
    seat = ward.enter()
    before = len(ward.leo.receipts())
    assert sorted(opened(ward, seat)) == sorted(ward.leo.values.values())
    written = ward.leo.receipts()[before:]
    assert {each.memory_id for each in written} == set(ward.leo.ids.values())
    for each in written:
        assert (each.kind, each.actor, each.recipient) == ("value.shown", seat.actor, seat.actor)
        assert each.on_behalf_of == ward.leo.holder.actor
    assert ledger.verify(ward.leo.id, ward.leo.holder.actor)


def test_what_the_person_and_whoever_looks_are_told_is_what_the_receipts_say(ward: Ward) -> None:
    seat = ward.enter()
    memories.show(seat, [ward.leo.ids[each] for each in ("pills", "sleep", "kitchen")])
    memories.show(seat, [ward.leo.ids["pills"]])
    emergency.leave(ward.nora.user_id, utc_now())
    ward.enter()
    memories.show(seat, [ward.leo.ids["friday"]])
    second, first = looking.used_at(ward.leo.holder)
    assert looking.shown_in(first) == {Category.HEALTH: 2, Category.ORDINARY: 1}
    assert looking.shown_in(second) == {Category.BELIEF: 1}


ENDINGS: dict[str, Callable[[Ward, Any], object]] = {
    "left": lambda ward, admin: emergency.leave(ward.nora.user_id, utc_now()),
    "time over": lambda ward, admin: admin.execute(
        "UPDATE emergency SET entered_at = entered_at - interval '1 hour', ends_at = ends_at - interval '1 hour'"
        " WHERE user_id = %s",
        [ward.nora.user_id],
    ),
    "switched off": lambda ward, admin: ward.settle(break_glass=False, privacy_lead=None),
    "role ended": lambda ward, admin: holders.end_place(
        ward.clinic.admin.user_id, ward.space_id, ward.nora.user_id, utc_now(), Role.EMERGENCY
    ),
    "clinic left": lambda ward, admin: holders.leave(ward.nora.user_id, ward.space_id, utc_now()),
    "vault left": lambda ward, admin: holders.leave(ward.leo.holder.user_id, ward.space_id, utc_now()),
    "delegation ended": lambda ward, admin: admin.execute(
        "UPDATE delegation SET ended_at = now() WHERE user_id = %s", [ward.nora.user_id]
    ),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_once_it_is_over_nothing_is_shown_to_a_seat_from_before(ward: Ward, admin: Any, how: str) -> None:
    seat = ward.enter()
    assert opened(ward, seat)
    ENDINGS[how](ward, admin)
    before = len(ward.leo.receipts(kind="value.shown"))
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is None
    assert opened(ward, seat) == []
    assert len(ward.leo.receipts(kind="value.shown")) == before
    emergency.end_due(utc_now())
    ends = [each.kind for each in ward.leo.receipts() if each.kind.startswith("emergency.")]
    assert ends == ["emergency.entered", "emergency.left"]


def test_it_is_looking_and_nothing_else(ward: Ward) -> None:
    seat = ward.enter()
    assert {each for each in Deed if may(seat, each) is None} == {Deed.LOOK, Deed.SHOW, Deed.SELF}
    now, before = utc_now(), len(ward.leo.receipts())
    for deed in (
        lambda: memories.add(seat, label="a", value="b", now=now),
        lambda: memories.correct(seat, ward.leo.ids["pills"], value="b", now=now),
        lambda: memories.show(seat, [ward.leo.ids["pills"]], openings=True),
        lambda: memories.proposals(seat),
        lambda: memories.show_candidates(seat, []),
        lambda: access.waiting(seat, now),
        lambda: access.register(seat, name="Bot", now=now),
        lambda: looking.used_at(seat),
    ):
        with pytest.raises(Barred):
            deed()  # type: ignore[no-untyped-call]
    assert len(ward.leo.receipts()) == before


def test_what_is_sealed_from_guardians_is_not_there_and_attested_is_confirmed(ward: Ward) -> None:
    leo = ward.leo
    leo.keep("secret", sealed=True)
    seat = ward.enter()
    assert leo.ids["secret"] not in {each.memory_id for each in memories.memories(seat)}
    assert leo.values["secret"] not in opened(ward, seat)
    named = [each for each in leo.receipts() if each.memory_id == leo.ids["secret"] and each.kind.startswith("value.")]
    assert named == []
    assert {each.state for each in memories.memories(seat)} == {State.APPROVED}


def test_no_program_gets_in_by_it(ward: Ward) -> None:
    """The REST of whoever is in one answers as for any foreign vault; a key has its own vault and no seat at all."""
    ward.enter()
    rest = Http(holder=ward.nora)
    for path, body in (("memories", None), ("memories/show", {"memories": [ward.leo.mem("pills")]})):
        method = "POST" if body else "GET"
        opened_, foreign = (
            rest.send(method, path, body, **{"Muniment-Seat": typed("vlt", each)})
            for each in (ward.leo.id, newcomer("Stranger").vault_id)
        )
        assert (opened_.status_code, opened_.content) == (foreign.status_code, foreign.content)
        assert opened_.status_code == 404
    assert holders.seat(ward.nora.user_id, ward.leo.id) is None
    assert ward.leo.id not in {each.vault_id for each in holders.seats(ward.nora.user_id)}


def test_somebody_else_looks_at_it_and_only_they(ward: Ward) -> None:
    ward.enter()
    one, now = ward.opened().emergency_id, utc_now()
    emergency.leave(ward.nora.user_id, now)
    for person in (ward.nora, ward.leo.holder, ward.clinic.rita, ward.clinic.admin):
        refused = looking.review(person.user_id, one, EmergencyFinding.JUSTIFIED, "Fine.", now)
        assert isinstance(refused, Refused)
        assert looking.one(person.user_id, one) is None
    assert not isinstance(looking.review(ward.paula.user_id, one, EmergencyFinding.NOT_JUSTIFIED, "No.", now), Refused)
    (seen,) = looking.used_at(ward.leo.holder)
    assert (seen.finding, seen.words) == (EmergencyFinding.NOT_JUSTIFIED, "No.")


def test_who_looks_at_what_others_did_is_not_among_them(ward: Ward) -> None:
    with pytest.raises(TextProblem):
        ward.clinic.joined(ward.paula, Role.EMERGENCY)
    assert looking.to_review(ward.paula.user_id) == ()


def test_who_saw_a_file_so_reviews_no_decision_in_it(ward: Ward) -> None:
    from tests.cast import register
    from tests.clinics import allow

    ward.clinic.joined(ward.nora, Role.REVIEWER)
    bot = register(ward.leo, "Bot")
    allow(bot, "pills")
    desk = ward.clinic.desk(ward.nora)
    (row,) = access.queue(desk)
    assert not row.row.own
    ward.enter()
    emergency.leave(ward.nora.user_id, utc_now())
    (row,) = access.queue(desk)
    assert row.row.own
    assert isinstance(access.approve(desk, row.row.review_id, utc_now()), Refused)
    assert not isinstance(access.approve(ward.clinic.desk(ward.clinic.rita), row.row.review_id, utc_now()), Refused)
    assert replace(row.row).own
