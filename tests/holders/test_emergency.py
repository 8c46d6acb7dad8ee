"""In a clinic that allows it somebody opens a file for an hour: who may, what is written down, and how it ends."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from apps.access import services as access
from apps.holders import services as holders
from apps.holders import tasks
from apps.holders.models import EmergencyRow, MemberRow, SpacePolicyRow
from apps.holders.services import emergency
from apps.memories import services as memories
from apps.policy.emergency import LOOKS_PER_HOUR, MISSES_PER_HOUR
from apps.policy.ids import typed
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal, Role
from tests.cast import new_vault, register
from tests.clinics import allow
from tests.holders.emergencies import NOTE, REASON, Ward, number_of
from tests.holders.people import acting, address_of, invited, newcomer, space_of
from tests.threads import at_once
from vault.clock import utc_now

HOUR = timedelta(minutes=60)


def kinds(ward: Ward) -> list[tuple[str, str]]:
    """(kind, reason) of what was written of emergencies at Leo's vault."""
    found = [each for each in ward.leo.receipts() if each.kind.startswith("emergency.")]
    return [(each.kind, each.reason) for each in found]


def test_coming_in_is_written_down_with_why(ward: Ward) -> None:
    seat = ward.enter()
    (receipt,) = ward.leo.receipts(kind="emergency.entered")
    opened = ward.opened()
    assert (receipt.actor, receipt.on_behalf_of) == (seat.actor, ward.leo.holder.actor)
    assert seat.actor == f"emg_{ward.nora.user_id.hex}"
    assert (receipt.object, receipt.reason) == (typed("del", opened.emergency_id), "life-at-risk")
    assert opened.ends_at - opened.entered_at == HOUR
    assert opened.due_at - opened.entered_at == timedelta(hours=72)


def test_the_receipt_is_bound_to_the_note_by_a_salt_that_can_be_erased(ward: Ward) -> None:
    ward.enter()
    row = EmergencyRow.objects.get(user_id=ward.nora.user_id)
    (receipt,) = ward.leo.receipts(kind="emergency.entered")
    assert receipt.commitment == hmac.digest(row.salt, f"{REASON.value}\n{NOTE}".encode(), "sha256")
    assert receipt.commitment != hashlib.sha256(f"{REASON.value}\n{NOTE}".encode()).digest()
    EmergencyRow.objects.filter(pk=row.pk).update(note=None, salt=None)
    assert ward.opened().note is None


@pytest.mark.parametrize(
    "whom",
    [
        "",
        "0",
        "99999999999999999999999",
        "-1",
        "²",
        "Leo",
        "leo*",
        "%",
        "leo@nowhere.example",
    ],
)
def test_whoever_is_not_named_exactly_is_nobody(ward: Ward, whom: str) -> None:
    assert emergency.look_up(ward.nora.user_id, ward.space_id, whom, utc_now()) == Refused(Refusal.NOT_FOUND)


def test_a_number_or_an_address_is_somebody_with_a_vault_in_that_clinic(ward: Ward) -> None:
    stranger = newcomer("Stranger")
    for whom in (ward.number(), f" {ward.number()} ", address_of(ward.leo.holder), address_of(ward.leo.holder).upper()):
        found = emergency.look_up(ward.nora.user_id, ward.space_id, whom, utc_now())
        assert not isinstance(found, Refused)
        assert (found.vault_id, found.name) == (ward.leo.id, "Leo Maria Brandt")
    for whom in (address_of(stranger), address_of(ward.paula)):
        assert emergency.look_up(ward.nora.user_id, ward.space_id, whom, utc_now()) == Refused(Refusal.NOT_FOUND)


def test_typos_do_not_use_up_what_finds_somebody(ward: Ward) -> None:
    now = utc_now()
    for _ in range(MISSES_PER_HOUR - 1):
        assert emergency.look_up(ward.nora.user_id, ward.space_id, "nobody", now) == Refused(Refusal.NOT_FOUND)
    for _ in range(MISSES_PER_HOUR + 1):
        assert not isinstance(emergency.look_up(ward.nora.user_id, ward.space_id, ward.number(), now), Refused)


@pytest.mark.parametrize("found", [True, False])
def test_looks_come_to_an_end_found_or_not(ward: Ward, found: bool) -> None:
    now = utc_now()
    for _ in range(LOOKS_PER_HOUR if found else MISSES_PER_HOUR):
        emergency.look_up(ward.nora.user_id, ward.space_id, ward.number() if found else "nobody", now)
    for whom in (ward.number(),) if found else (ward.number(), "nobody"):
        refused = emergency.look_up(ward.nora.user_id, ward.space_id, whom, now)
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.RATE_LIMITED
        assert refused.until is not None and refused.until > now


def test_nobody_else_may(ward: Ward) -> None:
    """Not the admin, not the reviewers, not the privacy lead, not a superuser."""
    olga = ward.clinic.admin
    olga_row = EmergencyRow._meta.get_field("user").related_model.objects.filter(pk=olga.user_id)
    olga_row.update(is_superuser=True, is_staff=True)
    for other in (olga, ward.clinic.rita, ward.paula, ward.leo.holder, newcomer("Stranger")):
        assert emergency.may_enter(other.user_id) == ()
        assert ward.try_to_enter(other) == Refused(Refusal.NOT_FOUND)
    assert kinds(ward) == []


def test_a_clinic_that_has_it_switched_off_has_none(ward: Ward) -> None:
    ward.settle(break_glass=False, privacy_lead=None)
    assert emergency.may_enter(ward.nora.user_id) == ()
    assert ward.try_to_enter() == Refused(Refusal.NOT_FOUND)


def test_it_is_for_who_has_just_shown_who_they_are(ward: Ward) -> None:
    now = utc_now()
    found = emergency.look_up(ward.nora.user_id, ward.space_id, ward.number(), now)
    assert not isinstance(found, Refused)
    for proved_at in (None, now - timedelta(minutes=5), now + timedelta(seconds=1)):
        refused = emergency.enter(ward.nora.user_id, ward.space_id, found, REASON, NOTE, proved_at=proved_at, now=now)
        assert refused == Refused(Refusal.STALE)
    assert kinds(ward) == []


def test_nobody_opens_their_own_file_so_nor_one_where_they_act(ward: Ward) -> None:
    ward.clinic.joined(ward.leo.holder, Role.EMERGENCY)
    assert ward.try_to_enter(ward.leo.holder) == Refused(Refusal.NOT_YOURS)
    seat = acting(ward.leo.holder, ward.nora)
    assert ward.try_to_enter() == Refused(Refusal.NOT_YOURS)
    assert holders.seat(ward.nora.user_id, ward.leo.id) == seat
    assert kinds(ward) == []


def test_leave_that_is_over_by_its_day_is_the_holder_s_to_renew_afterwards_too(ward: Ward) -> None:
    _, token = invited(ward.leo.holder, ward.nora, Role.DELEGATE, days=1)
    assert not isinstance(holders.accept(ward.nora.user_id, token, utc_now() - timedelta(days=2)), Refused)
    assert holders.seat(ward.nora.user_id, ward.leo.id) is None
    (over,) = holders.delegations(ward.leo.holder)
    ward.enter()
    emergency.leave(ward.nora.user_id, utc_now())
    assert holders.delegations(ward.leo.holder) == (over,)
    assert not isinstance(holders.renew_delegation(ward.leo.holder, over.delegation_id, utc_now()), Refused)
    assert holders.seat(ward.nora.user_id, ward.leo.id) is not None


def test_whoever_is_given_leave_meanwhile_sits_there_by_that(ward: Ward) -> None:
    """The person came to, and said who may act for them."""
    ward.enter()
    seat = acting(ward.leo.holder, ward.nora)
    assert holders.seat(ward.nora.user_id, ward.leo.id) == seat
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is None
    emergency.end_due(utc_now())
    assert kinds(ward) == [("emergency.entered", "life-at-risk"), ("emergency.left", "taken-away")]


def test_of_a_person_in_two_spaces_it_is_the_vault_in_that_clinic(ward: Ward) -> None:
    mia = newcomer("Mia")
    ward.clinic.joined(mia, Role.HOLDER)
    at_home, here = holders.seats(mia.user_id)
    assert at_home.vault_id == mia.vault_id
    found = emergency.look_up(ward.nora.user_id, ward.space_id, address_of(mia), utc_now())
    assert not isinstance(found, Refused)
    assert found.vault_id == here.vault_id
    by_number = emergency.look_up(ward.nora.user_id, ward.space_id, number_of(ward.space_id, mia.user_id), utc_now())
    assert by_number == found


def test_the_number_is_the_one_at_the_desk(ward: Ward) -> None:
    allow(register(ward.leo, "Bot"), "pills")
    (row,) = access.queue(ward.clinic.desk(ward.paula))
    found = emergency.look_up(ward.nora.user_id, ward.space_id, str(row.row.number), utc_now())
    assert not isinstance(found, Refused)
    assert found.vault_id == ward.leo.id


def test_only_a_clinic_invites_somebody_for_it(ward: Ward) -> None:
    olga, stranger = ward.clinic.admin, newcomer("Stranger")
    for space, refused in ((space_of(stranger), True), (ward.space_id, False)):
        by = stranger if refused else olga
        made = holders.invite_to_space(by.user_id, space, "nora@casa-m.example", Role.EMERGENCY, utc_now())
        assert (made == Refused(Refusal.NOT_FOUND)) is refused


@pytest.mark.parametrize("note", ["", "short", "a" * 281, "two\nlines of a note", "\u200b" * 40, "abc" + "\u202e" * 30])
def test_a_note_that_says_nothing_opens_nothing(ward: Ward, note: str) -> None:
    now = utc_now()
    found = emergency.look_up(ward.nora.user_id, ward.space_id, ward.number(), now)
    assert not isinstance(found, Refused)
    with pytest.raises(TextProblem) as problem:
        emergency.enter(ward.nora.user_id, ward.space_id, found, REASON, note, proved_at=now, now=now)
    assert problem.value.field == "note"
    assert kinds(ward) == []


def test_two_tabs_at_once_open_one(ward: Ward) -> None:
    other = ward.clinic.patient("Mia Sol")

    def tab(vault: object) -> Callable[[], object]:
        return lambda: ward.try_to_enter(vault=vault)  # type: ignore[arg-type]

    done = at_once([tab(ward.leo), tab(other), tab(ward.leo), tab(other)])
    assert len([each for each in done if not isinstance(each, Refused)]) == 1
    assert {each for each in done if isinstance(each, Refused)} == {Refused(Refusal.ALREADY_DECIDED)}
    written = [*ward.leo.receipts(kind="emergency.entered"), *other.receipts(kind="emergency.entered")]
    assert len(written) == 1
    assert EmergencyRow.objects.filter(user_id=ward.nora.user_id).count() == 1


def test_one_is_open_at_a_time_and_after_it_another_may_be(ward: Ward) -> None:
    other = ward.clinic.patient("Mia Sol")
    ward.enter()
    assert ward.try_to_enter(vault=other) == Refused(Refusal.ALREADY_DECIDED)
    assert not isinstance(emergency.leave(ward.nora.user_id, utc_now()), Refused)
    assert ward.enter(vault=other).vault_id == other.id
    assert kinds(ward) == [("emergency.entered", "life-at-risk"), ("emergency.left", "left")]


def test_leaving_ends_it_at_once_and_once(ward: Ward) -> None:
    seat, now = ward.enter(), utc_now()
    assert not isinstance(emergency.leave(ward.nora.user_id, now), Refused)
    assert emergency.leave(ward.nora.user_id, now) == Refused(Refusal.NOT_FOUND)
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is None
    assert memories.show(seat, [ward.leo.ids["pills"]]).values == ()
    emergency.end_due(now + HOUR)
    assert kinds(ward) == [("emergency.entered", "life-at-risk"), ("emergency.left", "left")]
    (left,) = ward.leo.receipts(kind="emergency.left")
    assert left.actor == seat.actor


def test_after_an_hour_it_is_over_and_the_clock_writes_it_down_once(ward: Ward) -> None:
    ward.enter_long_ago(HOUR - timedelta(seconds=20))
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is not None
    tasks.end_emergencies()
    assert kinds(ward) == [("emergency.entered", "life-at-risk")]
    emergency.leave(ward.nora.user_id, utc_now())
    ward.enter_long_ago(HOUR)
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is None
    assert emergency.open_of(ward.nora.user_id, utc_now()) is None
    at_once([tasks.end_emergencies, tasks.end_emergencies])
    assert kinds(ward)[2:] == [("emergency.entered", "life-at-risk"), ("emergency.left", "time-over")]
    assert ward.leo.receipts(kind="emergency.left")[-1].actor == "sys_clock"


def test_what_nobody_wrote_down_is_before_another_begins(ward: Ward) -> None:
    """A clock that has not come by yet keeps nobody out."""
    ward.enter_long_ago(HOUR)
    ward.enter()
    assert [reason for _, reason in kinds(ward)] == ["life-at-risk", "time-over", "life-at-risk"]


@pytest.mark.parametrize("how", ["switched off", "role ended", "left the clinic", "the person left"])
def test_what_the_clinic_takes_away_ends_at_the_next_request(ward: Ward, how: str) -> None:
    seat, now = ward.enter(), utc_now()
    if how == "switched off":
        ward.settle(break_glass=False, privacy_lead=None)
    elif how == "role ended":
        ended = holders.end_place(ward.clinic.admin.user_id, ward.space_id, ward.nora.user_id, now, Role.EMERGENCY)
        assert not isinstance(ended, Refused), ended
    elif how == "left the clinic":
        assert not isinstance(holders.leave(ward.nora.user_id, ward.space_id, now), Refused)
    else:
        assert not isinstance(holders.leave(ward.leo.holder.user_id, ward.space_id, now), Refused)
    assert emergency.seat(ward.nora.user_id, ward.leo.id) is None
    assert emergency.open_of(ward.nora.user_id, now) is None
    assert memories.show(seat, [ward.leo.ids["pills"]]).values == ()
    tasks.end_emergencies()
    assert kinds(ward)[-1] == ("emergency.left", "taken-away")


def test_it_is_no_leave_of_the_holder_s(ward: Ward) -> None:
    """It is not in the list of who acts for them, and cannot be renewed there."""
    ward.enter()
    opened, now = ward.opened(), utc_now()
    assert holders.delegations(ward.leo.holder) == ()
    for deed in (holders.renew_delegation, holders.end_delegation):
        assert deed(ward.leo.holder, opened.emergency_id, now) == Refused(Refusal.NOT_FOUND)
    assert holders.seat(ward.nora.user_id, ward.leo.id) is None
    assert [each.vault_id for each in holders.seats(ward.nora.user_id)] == [ward.nora.vault_id]


def test_the_rows_themselves_hold_an_hour_and_other_eyes(ward: Ward) -> None:
    ward.enter()
    row = EmergencyRow.objects.get(user_id=ward.nora.user_id)
    for change in ({"reviewer_id": ward.nora.user_id}, {"ends_at": row.ends_at + HOUR}, {"reason": "urgent-care"}):
        with pytest.raises(Exception) as refused, transaction.atomic():
            EmergencyRow.objects.filter(pk=row.pk).update(**change)
        assert isinstance(refused.value, IntegrityError) or "permission denied" in str(refused.value)


def test_nobody_opens_what_nobody_else_could_look_at(ward: Ward) -> None:
    """Paula leads privacy and Olga is the only admin: were they the same person as Nora, nobody else could."""
    alone = ward.clinic.admin
    role = {"role": Role.EMERGENCY.value, "joined_at": utc_now()}
    MemberRow.objects.create(space_id=ward.space_id, user_id=alone.user_id, **role)  # neither can be settled any more
    assert ward.enter(alone).role is Role.EMERGENCY
    emergency.leave(alone.user_id, utc_now())
    SpacePolicyRow.objects.filter(space_id=ward.space_id).update(privacy_lead=alone.user_id)
    with pytest.raises(TextProblem) as problem:
        ward.try_to_enter(alone)
    assert "Nobody but you" in problem.value.detail


def test_a_vault_elsewhere_is_not_there(ward: Ward) -> None:
    alice = new_vault("Alice")
    now = utc_now()
    found = emergency.look_up(ward.nora.user_id, ward.space_id, ward.number(), now)
    assert not isinstance(found, Refused)
    elsewhere = replace(found, vault_id=alice.id, user_id=alice.holder.user_id)
    refused = emergency.enter(ward.nora.user_id, ward.space_id, elsewhere, REASON, NOTE, proved_at=now, now=now)
    assert refused == Refused(Refusal.NOT_FOUND)
