"""The hand-over against the least an honest application does: insert an audit row and read the ciphertext.

Both sides run in pgbench on one database, as one role, over one kind of connection, one after the other in each
repetition: a hundred vaults (or one, the hot vault) of 200 memories, 16 clients, prepared statements.
"""

import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import psycopg
from django.conf import settings

from bench.registry import Samples, bench
from tests import databases

VAULTS, MEMORIES, GRANTS = 100, 200, 10
PER_GRANT = MEMORIES // GRANTS
CLIENTS, REPETITIONS = 16, 5
SECONDS = int(os.environ.get("BENCH_SECONDS", "2"))
CLIENT = f"cli_{'b' * 32}"  # as long as they are

SCENE = """
CREATE SCHEMA bench;
CREATE TABLE bench.audit (vault_id uuid, id bigserial, at timestamptz DEFAULT now(), memory_id uuid, reader text,
  purpose text, PRIMARY KEY (vault_id, id));
CREATE TEMP TABLE v AS SELECT a, ('00000000-0000-4000-8000-' || lpad(a::text, 12, '0'))::uuid vault_id
  FROM generate_series(1, {vaults}) a;
CREATE TEMP TABLE m AS SELECT m, ('00000000-0000-4000-9000-' || lpad(m::text, 12, '0'))::uuid memory_id
  FROM generate_series(1, {memories}) m;
INSERT INTO sealed.chain_head SELECT vault_id, 0, gate.genesis(vault_id), 'epoch' FROM v;
INSERT INTO vault_key (vault_id, epoch, root_epoch, wrapped, index_wrapped, made_at)
  SELECT vault_id, 1, 1, decode(repeat('ab', 60), 'hex'), decode(repeat('ab', 60), 'hex'), now() FROM v;
INSERT INTO client (vault_id, client_id, name, domain, built_in, paused, registered_at)
  SELECT vault_id, vault_id, 'Bench', '', false, false, now() FROM v;
INSERT INTO memory (vault_id, memory_id, subject, label, neutral_label, category, attested, version, state, source,
    made_at, updated_at)
  SELECT vault_id, memory_id, 'food.diet-' || m.m, 'Diet', '', 'ordinary', false, 1, 'approved', 'holder', now(), now()
    FROM v, m;
INSERT INTO sealed.value SELECT vault_id, memory_id, 1, 'ordinary', false, decode(repeat('0b', 12), 'hex'),
    decode(repeat('0c', 120), 'hex'), decode(repeat('0d', 32), 'hex') FROM v, m;
INSERT INTO sealed.key SELECT vault_id, memory_id, 1, 1, decode(repeat('0e', 60), 'hex') FROM v, m;
INSERT INTO access_grant (vault_id, grant_id, client_id, recipient, purpose, category, memory_ids, terms_version,
    expires_at, paused, made_at)
  SELECT v.vault_id, ('00000000-0000-4000-a000-' || lpad(g::text, 12, '0'))::uuid, v.vault_id, '{client}', 'answer',
         'ordinary', jsonb_agg(encode(uuid_send(m.memory_id), 'hex')), 1, now() + interval '1 day', false, now()
    FROM v, m, LATERAL (SELECT 1 + (m.m - 1) / {per_grant} g) each GROUP BY v.vault_id, g;
GRANT USAGE ON SCHEMA bench, sealed TO muniment_gate;
GRANT SELECT ON sealed.value TO muniment_gate;
GRANT INSERT ON bench.audit TO muniment_gate;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA bench TO muniment_gate
"""
# Between repetitions every side starts from empty tables again.
RESET = """
SET LOCAL session_replication_role = replica;
TRUNCATE receipt, sealed.handle, bench.audit;
UPDATE sealed.chain_head SET seq = 0, chain_hash = gate.genesis(vault_id), at = 'epoch'
"""
# What a script names is sent as a parameter, as an application sends it: the number follows the letter.
FLOOR = """
BEGIN;
INSERT INTO bench.audit (vault_id, memory_id, reader, purpose) VALUES (:v{n}, :m{n}, 'cli_bench', 'answer');
SELECT ciphertext FROM sealed.value WHERE vault_id = :v{n} AND memory_id = :m{n} AND version = 1;
COMMIT;
"""
HANDOVER = """
\\set r random(1, 9000000000000000000)
SELECT outcome FROM gate.stamp(:v{n}, :t{n}, sha256(int8send(:r)), :{plan}{n});
SELECT ciphertext, wrapped, vault_key FROM gate.take(:v{n}, :t{n}, sha256(int8send(:r)));
"""
ONE, TEN = HANDOVER.replace("{plan}", "one"), HANDOVER.replace("{plan}", "ten")


def _uuid(group: str, number: int) -> UUID:
    return UUID(f"00000000-0000-4000-{group}-{number:012d}")


def _ticket(number: int) -> str:
    """One that outlasts the bench; the product's last five minutes."""
    body = f"{_uuid('8000', number)}|{CLIENT}|{CLIENT}|4102444800"
    key = bytes.fromhex(settings.MUNIMENT_TICKET_KEY)
    return f"{body}|{hmac.new(key, f'muniment-ticket/1{chr(10)}{body}'.encode(), hashlib.sha256).hexdigest()}"


def _plan(grant: int, first: int, count: int) -> str:
    """A plan for some of the grant's memories, beginning with its `first`."""
    numbers = [(grant - 1) * PER_GRANT + 1 + (first - 1 + offset) % PER_GRANT for offset in range(count)]
    return json.dumps(
        {
            "kind": "value.read",
            "object_kind": "gra",
            "object": str(_uuid("a000", grant)),
            "terms": 1,
            "digest": "d" * 64,
            "purpose": "answer",
            "request": f"req_{'1' * 32}",
            "turn": "-",
            "on_behalf_of": "-",
            "items": [
                {"m": str(_uuid("9000", m)), "v": 1, "c": "ordinary", "s": "approved", "a": False, "f": "value"}
                for m in numbers
            ],
        }
    )


@dataclass(frozen=True)
class Arena:
    """The database with its vaults, and pgbench."""

    admin: psycopg.Connection[Any]
    pgbench: str
    folder: Path

    def reset(self, *, take_flushes: bool = False) -> None:
        """Empty the ledger, and choose whether `stamp` or `take` waits for the disk."""
        with self.admin.transaction():
            for statement in RESET.split(";"):
                self.admin.execute(statement)
        self.admin.execute("UPDATE sealed.ticket_key SET async = %s", [take_flushes])
        self.admin.execute("VACUUM sealed.chain_head")
        self.admin.execute("CHECKPOINT")

    def rate(self, script: str, *, hot: bool, seconds: int = SECONDS) -> float:
        """Transactions of the script a second, by 16 clients on all vaults or on one."""
        url = urlsplit(os.environ["MUNIMENT_DB_GATE_URL"])
        environment = os.environ | {
            "PGHOST": parse_qs(url.query).get("host", [url.hostname or ""])[0],
            "PGPORT": str(url.port or 5432),
            "PGPASSWORD": url.password or "",
        }
        argv = [self.pgbench, "-n", "-M", "prepared", "-U", url.username or "", "-c", str(CLIENTS), "-j", "2"]
        argv += ["-T", str(seconds)]
        for number in range(1, VAULTS + 1):
            path = self.folder / f"{number}.sql"
            path.write_text(script.replace("{n}", str(number)))
            argv += ["-f", str(path)]
            for name, value in _parameters(1 if hot else number, number).items():
                if f":{name}" in script:
                    argv += ["-D", f"{name}{number}={value}"]
        done = subprocess.run(
            [*argv, self.admin.info.dbname], env=environment, capture_output=True, text=True, check=False
        )
        found = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
        if done.returncode or not found or "ERROR" in done.stderr:
            raise RuntimeError(f"pgbench did not run: {done.stderr.strip()[-500:]}")
        return float(found[1])


def _parameters(vault: int, number: int) -> dict[str, str]:
    """What the script of this number sends: a vault, its ticket, one of its memories, and plans that begin with it."""
    grant, place = (number - 1) % GRANTS + 1, (number - 1) // GRANTS % PER_GRANT + 1
    return {
        "v": str(_uuid("8000", vault)),
        "m": str(_uuid("9000", (grant - 1) * PER_GRANT + place)),
        "t": _ticket(vault),
        "one": _plan(grant, place, 1),
        "ten": _plan(grant, place, 10),
    }


@cache
def arena() -> Arena:
    """Make the scene once."""
    pgbench = shutil.which("pgbench")
    if pgbench is None:
        raise RuntimeError("There is no pgbench here: install PostgreSQL's client programs, or set PG_BINDIR.")
    admin = databases.connect("postgres", autocommit=True)
    scene = SCENE.format(vaults=VAULTS, memories=MEMORIES, per_grant=PER_GRANT, client=CLIENT)
    for statement in scene.split(";"):
        admin.execute(statement)
    admin.execute("VACUUM ANALYZE")
    made = Arena(admin, pgbench, Path(tempfile.mkdtemp(prefix="muniment-bench-")))
    for script in (FLOOR, ONE):
        made.rate(script, hot=False, seconds=1)
    return made


@dataclass
class Repetition:
    """One repetition's rates a second."""

    floor: float = 0
    one: float = 0
    ten: float = 0
    hot_floor: float = 0
    hot_stamp_flushes: float = 0
    hot_take_flushes: float = 0


@cache
def repetitions() -> list[Repetition]:
    """All sides in turn, twice within each of five repetitions, so that a neighbour's work falls on all of them."""
    sides = {
        "floor": (FLOOR, False, False),
        "one": (ONE, False, False),
        "ten": (TEN, False, False),
        "hot_floor": (FLOOR, True, False),
        "hot_stamp_flushes": (ONE, True, False),
        "hot_take_flushes": (ONE, True, True),
    }
    place, found = arena(), []
    for _ in range(REPETITIONS):
        rates = Repetition()
        for name in [*sides, *sides]:
            script, hot, take_flushes = sides[name]
            place.reset(take_flushes=take_flushes)
            setattr(rates, name, getattr(rates, name) + place.rate(script, hot=hot) / 2)
        found.append(rates)
        print("  " + "  ".join(f"{name} {rate:,.0f}/s" for name, rate in vars(rates).items()), flush=True)
    place.reset()
    return found


@bench("handover_1_vs_floor", "ratio", "higher", must=0.18, goal=0.30)
def handover_1_vs_floor() -> list[float]:
    """One value handed over (stamp, then take) ÷ one audited read; 100 vaults."""
    return [each.one / each.floor for each in repetitions()]


@bench("handover_10_values_vs_1", "times", "higher", must=5, goal=8)
def handover_10_values_vs_1() -> list[float]:
    """Values a second with ten values a hand-over ÷ with one; 100 vaults."""
    return [10 * each.ten / each.one for each in repetitions()]


@bench("hot_vault_vs_floor", "ratio", "higher", must=0.10, goal=0.19)
def hot_vault_vs_floor() -> Samples:
    """As the first, but all 16 clients want one vault, in the default setting, where stamp waits for the disk."""
    default = [each.hot_stamp_flushes / each.hot_floor for each in repetitions()]
    other = sorted(each.hot_take_flushes / each.hot_floor for each in repetitions())
    return Samples(default, f"with MUNIMENT_ASYNC_STAMP, where take flushes: {other[len(other) // 2]:.3f}")


@bench("bytes_per_receipt", "bytes", "lower", must=800, goal=550)
def bytes_per_receipt() -> list[float]:
    """What a receipt of a value read takes on the disk, with its indexes, after some thousands in a hundred vaults."""
    place, found = arena(), []
    for _ in range(3):
        place.reset()
        place.rate(ONE, hot=False)
        place.admin.execute("VACUUM receipt")
        row = place.admin.execute("SELECT pg_total_relation_size('receipt'), count(*) FROM receipt").fetchone()
        assert row is not None
        found.append(row[0] / row[1])
    place.reset()
    return found
