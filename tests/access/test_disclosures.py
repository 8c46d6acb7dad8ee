"""The disclosure report: every hand-over that left is a line, none is told twice, and none tells what was in it."""

from datetime import timedelta
from typing import Any

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.disclosure import COLUMNS, Disclosure
from tests.cast import Assistant, Vault, give
from tests.holders.emergencies import Ward
from tests.holders.emergencies import ward as ward  # a fixture
from vault.clock import utc_now


def report(vault: Vault, **more: Any) -> list[dict[str, str]]:
    return [each.cells() for each in access.disclosures(vault.holder, utc_now(), **more)]


def test_each_hand_over_is_a_line_with_its_receipt_and_no_refusal_is(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", "budget", reads=None)
    cook.read("kitchen", "budget")
    cook.read("time")
    lines = report(alice)
    read = alice.receipts(kind="value.read")
    assert [each["receipt_no"] for each in lines] == [f"rcp_{each.seq}" for each in read]
    assert [each["description"] for each in lines] == [
        "An ordinary memory" if each.form == "value" else "An ordinary memory, confirmed without its value"
        for each in read
    ]
    assert all(tuple(each) == COLUMNS for each in lines)
    told = {(each["recipient_name"], each["actor"], each["basis"], each["excluded_from_164_528"]) for each in lines}
    assert told == {("Cook", cook.actor, "consent", "n")}


def test_what_the_person_saw_themself_is_told_and_excluded(alice: Vault, cook: Assistant) -> None:
    memories.show(alice.holder, [alice.ids["kitchen"]])
    (line,) = report(alice)
    assert (line["recipient_name"], line["basis"]) == ("-", "-")
    assert line["excluded_from_164_528"] == "y: (a)(1)(ii), to the individual"


def test_what_somebody_looked_at_in_an_emergency_names_them_and_rests_on_that(ward: Ward) -> None:
    memories.show(ward.enter(), [ward.leo.ids["pills"]])
    (line,) = report(ward.leo)
    assert (line["recipient_name"], line["basis"]) == ("Nora, Casa M.", "emergency")
    assert (line["description"], line["excluded_from_164_528"]) == ("A health memory", "n")
    assert line["actor"] == f"emg_{ward.nora.user_id.hex}"


def test_it_tells_nothing_of_what_was_in_them(alice: Vault, cook: Assistant) -> None:
    for name in ("kitchen", "pills", "friday"):
        give(cook, name)
        cook.read(name)
    text = str(report(alice))
    assert "A health memory" in text
    for private in (*alice.secrets, *alice.labels.values(), *map(alice.mem, alice.ids)):
        assert private not in text


def test_rolled_up_nothing_is_lost_but_the_times_between(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    give(cook, "kitchen", "time", reads=None)
    give(clinic, "kitchen", reads=None)
    for by in (cook, clinic, cook, cook):
        by.read("kitchen")
    cook.read("time")
    every, few = access.disclosures(alice.holder, utc_now()), access.disclosures(alice.holder, utc_now(), roll_up=True)
    assert sum(each.number for each in few) == len(every) == 5
    assert [(each.recipient_name, each.number) for each in few] == [("Cook", 4), ("Clinic", 1)]
    first, single = (each.cells() for each in few)
    cooks = [each for each in every if each.recipient_name == "Cook"]
    assert first["receipt_no"] == f"rcp_{cooks[0].seq}/rcp_{cooks[-1].seq}"
    assert first["date_time"].count("/") == 1
    assert first["description"] == "An ordinary memory, 4 times"
    assert single == next(each for each in every if each.recipient_name == "Clinic").cells()


def test_a_span_of_time_holds_what_was_in_it(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=None)
    cook.read("kitchen")
    cook.read("kitchen")
    first, second = access.disclosures(alice.holder, utc_now())
    assert second.at > first.at

    def seqs(**more: Any) -> list[int]:
        return [each.seq for each in access.disclosures(alice.holder, utc_now(), **more)]

    assert seqs(start=second.at) == [second.seq]
    assert seqs(end=second.at) == [first.seq]
    assert seqs(start=second.at, end=second.at) == []


def test_it_looks_six_years_back_also_from_a_leap_day(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    cook.read("kitchen")
    leap = utc_now().replace(year=2032, month=2, day=29)
    assert len(access.disclosures(alice.holder, leap)) == 1
    assert access.disclosures(alice.holder, utc_now() + timedelta(days=6 * 366)) == ()


def test_more_than_one_batch_is_told_whole(alice: Vault, cook: Assistant, monkeypatch: Any) -> None:
    from apps.access.services import disclosing

    monkeypatch.setattr(disclosing, "AT_ONCE", 2)
    give(cook, "kitchen", reads=None)
    for _ in range(5):
        cook.read("kitchen")
    found: tuple[Disclosure, ...] = access.disclosures(alice.holder, utc_now())
    assert [each.seq for each in found] == [each.seq for each in alice.receipts(kind="value.read")]
