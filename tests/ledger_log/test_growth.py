"""Two bundles of one vault: the newer ledger is the older one grown, or the first receipt that is another is named."""

from typing import Any

import pytest

from apps.ledger import services as ledger
from apps.ledger.format.growth import Growth, explain_growth
from apps.ledger.format.verdict import NOTHING_KNOWN, Trust
from tests.cast import Vault, new_vault
from tests.ledger_log.bundles import known, taken


@pytest.fixture
def old(publisher: ledger.Publisher, alice: Vault) -> list[bytes]:
    publisher.step(everything=True)
    return taken(alice)


def grown(publisher: ledger.Publisher, vault: Vault, *names: str) -> list[bytes]:
    """The vault's bundle after some memories more."""
    for name in names:
        vault.keep(name)
    publisher.step(everything=True)
    return taken(vault)


def compared(old: list[bytes], new: list[bytes], expected: int | None = None, trust: Trust | None = None) -> Growth:
    return explain_growth(old, new, expected, trust or known())


def test_a_ledger_that_grew_has_the_old_one_for_its_beginning(
    publisher: ledger.Publisher, alice: Vault, old: list[bytes]
) -> None:
    found = compared(old, grown(publisher, alice, "tea", "bread"))
    assert (found.exit_code, found.forked_at, found.more) == (0, None, 2)
    assert found.kinds == {"memory.added": 2}
    assert found.says == "The ledger grew by 2 receipts, from 9 to 11; the older is its beginning."
    assert found.lines()[-1] == f"Growth: {found.says}"
    assert found.to_json()["kinds"] == {"memory.added": 2}
    same = compared(old, old, 0)
    assert (same.exit_code, same.more) == (0, 0)


def test_more_or_fewer_than_expected_is_said(publisher: ledger.Publisher, alice: Vault, old: list[bytes]) -> None:
    new = grown(publisher, alice, "tea", "bread")
    assert compared(old, new, 2).exit_code == 0
    for expected, told in ((1, "is 1 more"), (5, "are 3 fewer"), (0, "are 2 more")):
        found = compared(old, new, expected)
        assert found.exit_code == 1
        assert f"You expected {expected}: there {told}." in found.says


def test_runs_of_receipts_are_laid_over_one_another(
    publisher: ledger.Publisher, alice: Vault, old: list[bytes]
) -> None:
    whole = grown(publisher, alice, "tea", "bread")
    assert compared(taken(alice, 3, 6), taken(alice, 5, 11)).more == 5
    assert compared(taken(alice, 5, 6), taken(alice, 1, 11)).more == 5
    assert compared(taken(alice, 3, 6), taken(alice, 7, 11)).more == 5
    gap = compared(taken(alice, 3, 6), taken(alice, 8, 11))
    assert gap.exit_code == 2 and "Take a newer bundle from 6 on." in gap.says
    shorter = compared(whole, old)
    assert shorter.exit_code == 1 and "never gets shorter" in shorter.says


@pytest.mark.parametrize("first", [1, 7, 8, 9])
def test_a_ledger_written_anew_is_a_fork_and_the_first_other_receipt_is_named(
    publisher: ledger.Publisher, alice: Vault, admin: Any, first: int
) -> None:
    """The chain from the seventh receipt on is made anew: by itself it holds, beside the old one it does not."""
    old = taken(alice)
    admin.execute("SET session_replication_role = replica")
    admin.execute("UPDATE receipt SET purpose = 'care' WHERE vault_id = %s AND seq = 7", [alice.id])
    admin.execute(
        "UPDATE receipt SET digest = sha256(gate.canon(vault_id, seq, at, kind, actor, on_behalf_of, recipient, object,"
        " memory_id, version, category, form, reason, request, turn, purpose, commitment, salt)) WHERE vault_id = %s",
        [alice.id],
    )
    for seq in range(7, 10):
        admin.execute(
            "UPDATE receipt r SET chain_hash = sha256(p.chain_hash || r.digest) FROM receipt p WHERE r.vault_id = %s"
            " AND r.seq = %s AND p.vault_id = r.vault_id AND p.seq = r.seq - 1",
            [alice.id, seq],
        )
    admin.execute("SET session_replication_role = origin")
    found = compared(old, taken(alice, first), trust=NOTHING_KNOWN)
    assert (found.old.exit_code, found.new.exit_code) == (0, 0), "each holds by itself"
    assert (found.exit_code, found.forked_at) == (1, max(first, 7))
    assert f"receipt {max(first, 7)} is one in the older bundle and another in the newer" in found.says


def test_a_fork_shows_where_the_newer_begins_right_after_the_older(
    publisher: ledger.Publisher, alice: Vault, admin: Any
) -> None:
    old = taken(alice, 1, 6)
    admin.execute("SET session_replication_role = replica")
    admin.execute("UPDATE receipt SET chain_hash = sha256('x') WHERE vault_id = %s AND seq = 6", [alice.id])
    admin.execute(
        "UPDATE receipt r SET chain_hash = sha256(p.chain_hash || r.digest) FROM receipt p WHERE r.vault_id = %s"
        " AND r.seq = 7 AND p.vault_id = r.vault_id AND p.seq = 6",
        [alice.id],
    )
    found = compared(old, taken(alice, 7, 7), trust=NOTHING_KNOWN)
    assert (found.exit_code, found.forked_at) == (1, 6)


def test_what_does_not_hold_is_not_compared(publisher: ledger.Publisher, alice: Vault, old: list[bytes]) -> None:
    new = grown(publisher, alice, "tea")
    broken = [*new[:5], *new[6:]]
    assert compared(old, broken).says.startswith("The newer bundle does not hold:")
    assert compared(broken, new).says.startswith("The older bundle does not hold:")
    assert compared([b"{}\n"], new).exit_code == compared(old, [b""]).exit_code == 1


def test_two_vaults_are_not_compared(publisher: ledger.Publisher, alice: Vault, old: list[bytes]) -> None:
    other = new_vault("Mallory")
    publisher.step(everything=True)
    found = compared(old, taken(other))
    assert found.exit_code == 2 and found.says.startswith("They are of two vaults")
