"""What witnesses said stays as it was said: who may write it, what fsck_ledger finds in it, what the doctor says."""

from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError

from apps.console.management import log
from apps.ledger import services as ledger
from tests.cast import Vault
from tests.ledger_log.test_cosigning import at_once, begun, policy_file
from tests.ledger_log.test_fsck import fsck
from tests.ledger_log.test_who_may_do_what import refused
from tests.peers.witness import Real, Reply, peer
from tests.tampering import damage

TABLES = ("policy", "cosignature", "quorum", "refusal")


@pytest.fixture
def cosigned(key_file: Path, tmp_path: Path, three: list[Real], alice: Vault) -> Vault:
    """Two checkpoints with a quorum of two of three, and a refusal by a fourth that counts for nothing."""
    with peer("no") as no:
        no.answer = lambda _: Reply(500)
        publisher = begun(key_file, policy_file(tmp_path, [*three, no], "2"))
        publisher.step(everything=True)
        alice.keep("tea")
        publisher.step(everything=True)
    return alice


WRITES = [
    "INSERT INTO log.policy (text) VALUES ('quorum none')",
    "INSERT INTO log.cosignature (size, vkey, line) VALUES (1, 'x', 'x')",
    "INSERT INTO log.quorum SELECT max(id), 2 FROM log.policy",
    "INSERT INTO log.refusal (vkey, name, size, status, said) VALUES ('x', 'x', 1, 500, 'x')",
]
CHANGES = [
    "UPDATE log.policy SET text = 'quorum none'",
    "UPDATE log.cosignature SET line = 'x'",
    "UPDATE log.quorum SET size = size",
    "UPDATE log.refusal SET said = 'x'",
    *[f"DELETE FROM log.{table}" for table in TABLES],
    *[f"TRUNCATE log.{table} CASCADE" for table in TABLES],
]


@pytest.mark.parametrize("role", ["app", "gate", "admin"])
def test_only_the_log_s_role_writes_it(cosigned: Vault, role: str) -> None:
    assert refused(role, [*WRITES, *CHANGES]) == [*WRITES, *CHANGES]


@pytest.mark.parametrize("role", ["log", "owner"])
def test_nobody_changes_it_not_even_its_owner(cosigned: Vault, role: str) -> None:
    assert refused(role, CHANGES) == CHANGES


def test_the_web_role_reads_it(cosigned: Vault) -> None:
    assert refused("app", [f"SELECT * FROM log.{table}" for table in TABLES]) == []
    assert refused("gate", [f"SELECT * FROM log.{table}" for table in TABLES]) != []


DAMAGES = {
    "a cosignature is another": (
        "UPDATE log.cosignature SET line = replace(line, right(line, 6), 'AAA=' || right(line, 1) || '')"
        " WHERE size = 2 AND vkey LIKE 'w1%'",
        "the cosignature of 2 leaves by w1.example/w",
    ),
    "a cosignature is of another tree": (
        "UPDATE log.cosignature c SET line = (SELECT line FROM log.cosignature d WHERE d.vkey = c.vkey AND d.size = 1)"
        " WHERE size = 2 AND vkey LIKE 'w1%'",
        "the cosignature of 2 leaves by w1.example/w",
    ),
    "a cosignature is another witness's": (
        "UPDATE log.cosignature SET line = (SELECT line FROM log.cosignature WHERE size = 2 AND vkey LIKE 'w3%')"
        " WHERE size = 2 AND vkey LIKE 'w1%'",
        "the cosignature of 2 leaves by w1.example/w",
    ),
    "a witness is made up": (
        "UPDATE log.cosignature SET vkey = 'nobody+' || vkey WHERE size = 1 AND vkey LIKE 'w2%'",
        "which no policy has named",
    ),
    "a quorum is made up": (
        "DELETE FROM log.cosignature WHERE size = 2 AND vkey NOT LIKE 'w1%'",
        "the checkpoint of 2 leaves has not met policy 2",
    ),
    "a policy is lost": ("DELETE FROM log.policy WHERE id = 2", "which no policy has named"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_named(cosigned: Vault, admin: psycopg.Connection[Any], what: str) -> None:
    assert "6 cosignatures hold" in fsck()
    statement, said = DAMAGES[what]
    damage(admin, statement)
    with pytest.raises(CommandError) as found:
        fsck()
    assert said in str(found.value)


# ---------------------------------------------------------------- the doctor
def a_minute_passes(admin: psycopg.Connection[Any]) -> None:
    damage(admin, "UPDATE log.checkpoint SET signed_at = signed_at - interval '61 seconds'")


def findings() -> list[tuple[str, str]]:
    return [(each.level, each.says) for each in log.log_witnesses()]


def test_the_doctor_says_how_many_answered_lately(
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    admin: psycopg.Connection[Any],
    alice: Vault,
) -> None:
    ((level, says),) = findings()
    assert level == "warn" and says.startswith("none")
    with peer("slack") as slack, peer("idle") as idle:
        publisher = begun(key_file, policy_file(tmp_path, [three[0], slack, idle], "2"))
        publisher.step(everything=True)
        a_minute_passes(admin)
        assert findings() == [("ok", "3 of 3 cosigned lately; the policy asks for 2 of 3")], "nothing has grown since"
        slack.answer = lambda _: Reply(503, b"come back\n")
        alice.keep("tea")
        publisher.step(everything=True)
        assert findings()[-1][0] == "ok", "it still has its minute"
        a_minute_passes(admin)
        said = ("warn", "slack has cosigned nothing lately: 503 come back")
        assert findings() == [said, ("ok", "2 of 3 cosigned lately; the policy asks for 2 of 3")]
        idle.answer = lambda _: Reply(503)
        alice.keep("milk")
        at_once(publisher)
        publisher.step(everything=True)
        a_minute_passes(admin)
        assert findings()[-1] == ("FAIL", "1 of 3 cosigned lately; the policy asks for 2 of 3")
    assert ledger.checkpoint()
