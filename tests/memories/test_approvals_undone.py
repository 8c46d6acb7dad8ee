"""Undoing approvals that stand one on the other: the newer first, then the older, and the first state is back."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import linked
from apps.memories import services as memories
from apps.memories.services import linking, past
from apps.policy.links import Edge, EdgeKind
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Directive, Ended, Refusal, State
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def approved(alice: Vault, by: Assistant, target: UUID | None = None, **words: Any) -> UUID:
    """A client's suggestion, approved as it was made: the proposal."""
    wish = {"directive": Directive.CORRECT, "target": target} if target is not None else {"label": "City"}
    known = [each for name, each in {**wish, **words}.items() if name in ("target", "other")]
    made = memories.propose(by.caller, now=utc_now(), known=known, **{**wish, **words})
    assert isinstance(made, Proposal), made
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), on_purpose=True)
    assert isinstance(done, memories.Approved), done
    return made.proposal_id


def undone(alice: Vault, proposal_id: UUID) -> Refusal | None:
    done = memories.undo(alice.holder, proposal_id, utc_now())
    return done.reason if isinstance(done, Refused) else None


def says(alice: Vault, memory_id: UUID) -> str | None:
    (shown,) = memories.show(alice.holder, [memory_id]).values
    return shown.value


def told(alice: Vault, memory_id: UUID) -> list[tuple[int, int | None, Ended | None]]:
    return [(each.version, each.restored_from, each.ended_as) for each in memories.history(alice.holder, memory_id)]


def test_the_newer_and_then_the_older_give_back_the_first_state(alice: Vault, cook: Assistant) -> None:
    time = alice.ids["time"]
    older, newer = approved(alice, cook, time, value="Forty minutes"), approved(alice, cook, time, value="An hour")
    assert undone(alice, newer) is None
    assert says(alice, time) == "Forty minutes"
    assert undone(alice, older) is None
    assert says(alice, time) == alice.values["time"]
    assert told(alice, time) == [
        (5, 1, None),
        (4, 2, Ended.WRONG),
        (3, None, Ended.WRONG),
        (2, None, Ended.WRONG),
        (1, None, Ended.WRONG),
    ]
    assert len(alice.receipts(kind="proposal.undone")) == len(alice.receipts(kind="memory.reverted")) == 2


def test_the_older_one_alone_says_what_stands_in_the_way(alice: Vault, cook: Assistant) -> None:
    time = alice.ids["time"]
    older, newer = approved(alice, cook, time, value="Forty minutes"), approved(alice, cook, time, value="An hour")
    assert undone(alice, older) is Refusal.UNDO_LATER_FIRST
    assert says(alice, time) == "An hour"
    assert memories.history(alice.holder, time)[0].proposal_id == newer
    assert (undone(alice, newer), undone(alice, older)) == (None, None)


def test_what_the_holder_said_since_is_theirs_to_take_back(alice: Vault, cook: Assistant) -> None:
    time = alice.ids["time"]
    made = approved(alice, cook, time, value="Forty minutes")
    assert memories.correct(alice.holder, time, value="An hour", now=utc_now())
    assert undone(alice, made) is Refusal.STALE
    assert memories.revert(alice.holder, time, utc_now())
    assert undone(alice, made) is None
    assert says(alice, time) == alice.values["time"]


def test_what_was_added_and_then_corrected_is_put_away_in_the_end(alice: Vault, cook: Assistant) -> None:
    added = approved(alice, cook, value="Porto", subject="home.city")
    (found,) = [each for each in memories.memories(alice.holder) if each.subject == "home.city"]
    fixed = approved(alice, cook, found.memory_id, value="Faro")
    assert undone(alice, added) is Refusal.UNDO_LATER_FIRST
    assert (undone(alice, fixed), undone(alice, added)) == (None, None)
    gone = memories.memory(alice.holder, found.memory_id)
    assert gone is not None and gone.state is State.WITHDRAWN
    assert says(alice, found.memory_id) == "Porto"


def test_what_waits_for_its_day_is_cancelled(alice: Vault, cook: Assistant) -> None:
    time, later = alice.ids["time"], (utc_now() + timedelta(days=90)).date().isoformat()
    made = approved(alice, cook, time, value="An hour", valid_from=later)
    assert says(alice, time) == alice.values["time"]
    assert undone(alice, made) is None
    assert told(alice, time) == [(2, None, Ended.CANCELLED), (1, None, None)]


def test_a_link_that_was_ended_stands_again_until_when_it_said(alice: Vault, cook: Assistant) -> None:
    one, two = alice.ids["kitchen"], alice.ids["time"]
    drawn = linking.draw(
        alice.holder, EdgeKind.RELATES_TO, one, two, utc_now(), valid_from="2024-01-01", valid_to="2031-12-31"
    )
    assert isinstance(drawn, Edge)
    wish = {"directive": Directive.RETRACT_EDGE, "target": drawn.edge_id, "valid_to": "2026-01-31"}
    made = approved(alice, cook, **wish, label="")
    assert undone(alice, made) is None
    with reading(alice.id, alice.holder.actor):
        (again,) = linked.edges(alice.id, touching=[one], kind=EdgeKind.RELATES_TO, ended=False)
    assert (again.valid_from, again.valid_to, again.ended_at) == ("2024-01-01", "2031-12-31", None)


def test_what_was_told_late_was_not_so_after_all(alice: Vault, cook: Assistant) -> None:
    time = alice.ids["time"]
    assert memories.correct(alice.holder, time, value="An hour", now=utc_now(), changed=True, valid_from="2024-01-01")
    made = approved(alice, cook, time, value="Two hours", changed=True, valid_from="2022-01-01")
    assert says(alice, time) == "An hour" and true_in_2023(alice, time) == 3
    assert undone(alice, made) is None
    assert says(alice, time) == "An hour" and true_in_2023(alice, time) is None
    assert told(alice, time)[0] == (3, None, Ended.CANCELLED)
    assert undone(alice, made) is Refusal.ALREADY_DECIDED


def true_in_2023(alice: Vault, memory_id: UUID) -> int | None:
    then = past.as_then(alice.holder, true_at=datetime(2023, 1, 1, tzinfo=UTC))
    return next((each.line.version for each in then if each.memory.memory_id == memory_id), None)


# ---------------------------------------------------------------- what is taken back has its dates again
def test_what_is_taken_back_was_true_from_and_until_the_days_it_said(alice: Vault) -> None:
    time, until = alice.ids["time"], (utc_now() + timedelta(days=90)).date().isoformat()
    days = {"valid_from": "2024-01-01", "valid_to": until}
    assert memories.correct(alice.holder, time, value="An hour", now=utc_now(), **days)
    first = memories.memory(alice.holder, time)
    assert memories.correct(alice.holder, time, value="Forty minutes", now=utc_now(), changed=True)
    between = memories.memory(alice.holder, time)
    back = memories.revert(alice.holder, time, utc_now())
    assert isinstance(back, Memory) and first is not None and between is not None
    assert between.holds_until is None
    assert back == memories.memory(alice.holder, time)
    assert back.holds_until == first.holds_until is not None
    newest = memories.history(alice.holder, time)[0]
    assert (newest.valid_from, newest.valid_to, newest.restored_from) == ("2024-01-01", until, 2)


def test_what_is_the_memory_s_and_no_version_s_stays(alice: Vault) -> None:
    time = alice.ids["time"]
    assert memories.correct(alice.holder, time, value="An hour", now=utc_now())
    assert memories.mark(alice.holder, time, utc_now(), weight=90, local_only=True)
    back = memories.revert(alice.holder, time, utc_now())
    assert isinstance(back, Memory)
    assert (back.weight, back.local_only) == (90, True)
