"""`manage.py legal_hold`: the operator bars erasing in a vault until a day, lifts that, and lists every time."""

import re
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.ids import typed
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault, canary
from tests.drivers import Http
from vault.clock import utc_now


def legal_hold(*words: str) -> str:
    """What it prints."""
    out = StringIO()
    call_command("legal_hold", *words, stdout=out)
    return out.getvalue()


def placed(vault: Vault, until: str = "2099-03-01") -> str:
    """A hold is placed. Its id."""
    words = ["--vault", typed("vlt", vault.id), "--by", "The district court", "--why", "Case 12", "--until", until]
    found = re.match(r"lho_[0-9a-f]{32}", legal_hold("place", *words))
    assert found is not None
    return found[0]


def test_it_bars_erasing_to_the_end_of_its_day_and_until_it_is_lifted(alice: Vault) -> None:
    hold = placed(alice)
    where = Where(ids=frozenset({alice.ids["time"]}))
    no = erasure.order(alice.holder, where, utc_now())
    assert no == Refused(Refusal.LEGAL_HOLD, until=datetime(2099, 3, 2, tzinfo=UTC) - timedelta(microseconds=1))
    assert legal_hold("lift", "--vault", typed("vlt", alice.id), "--hold", hold) == f"{hold} is lifted.\n"
    assert not isinstance(erasure.order(alice.holder, where, utc_now()), Refused)


def test_the_holder_is_told_who_bars_it_and_until_when(alice: Vault) -> None:
    hold, web = placed(alice, "2099-03-01T12:00Z"), Http(holder=alice.holder)
    no = web.send("POST", "erasures", {"memories": [typed("mem", alice.ids["time"])]}).json()
    assert (no["code"], no["cool_down_until"]) == ("legal-hold", "2099-03-01T12:00:00Z")
    assert no["detail"].endswith("It is by: The district court.")
    assert hold[4:] not in str(no) and "Case 12" not in str(no)


@pytest.mark.parametrize("held", [True, False])
def test_a_suggestion_that_is_rejected_or_withdrawn_is_not_kept(
    alice: Vault, cook: Assistant, admin: Any, held: bool
) -> None:
    def sealed() -> int:
        found = admin.execute("SELECT count(*) FROM sealed.value WHERE vault_id = %s", [alice.id]).fetchone()
        return int(found[0])

    if held:
        placed(alice)
    before = sealed()
    one, other = (memories.propose(cook.caller, label=each, value=canary(), now=utc_now()) for each in ("One", "Other"))
    assert isinstance(one, Proposal) and isinstance(other, Proposal)
    assert sealed() == before + 2
    memories.reject(alice.holder, one.proposal_id, utc_now())
    memories.withdraw(cook.caller, other.proposal_id, utc_now())
    assert sealed() == before


def test_every_hold_is_listed_whether_it_stands_or_not(alice: Vault) -> None:
    vault = typed("vlt", alice.id)
    assert legal_hold("list", "--vault", vault) == "There never was one.\n"
    first, second = placed(alice), placed(alice, "2099-03-01T12:00Z")
    legal_hold("lift", "--vault", vault, "--hold", first)
    lines = legal_hold("list", "--vault", vault).splitlines()
    assert [line[:36] for line in lines] == [second, first]
    assert "to 2099-03-01 12:00 UTC, stands: The district court: Case 12" in lines[0]
    assert "lifted" in lines[1]


def test_both_are_in_the_ledger(alice: Vault) -> None:
    legal_hold("lift", "--vault", typed("vlt", alice.id), "--hold", placed(alice))
    kinds = [each.kind for each in alice.receipts() if each.actor == "sys_operator"]
    assert kinds == ["erasure.barred", "erasure.freed"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["place", "--vault", "mine"], "no vault's id"),
        (["place", "--vault", "vlt_" + "0" * 32], "no such vault"),
        (["place", "--vault", "ALICE"], "needs --by, --why, --until"),
        (["place", "--vault", "ALICE", "--by", "A", "--why", "B", "--until", "soon"], "is no day"),
        (["place", "--vault", "ALICE", "--by", "A", "--why", "B", "--until", "2099-03-01T12:00"], "needs its zone"),
        (["place", "--vault", "ALICE", "--by", "A", "--why", "B", "--until", "2001-01-01"], "--until: This is past"),
        (["lift", "--vault", "ALICE"], "Say which"),
        (["lift", "--vault", "ALICE", "--hold", "lho_" + "0" * 32], "does not stand"),
    ],
)
def test_a_mistake_is_said_and_changes_nothing(alice: Vault, words: list[str], says: str) -> None:
    before = len(alice.receipts())
    with pytest.raises(CommandError, match=says):
        legal_hold(*(typed("vlt", alice.id) if each == "ALICE" else each for each in words))
    assert len(alice.receipts()) == before
