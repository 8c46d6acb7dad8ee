"""What erasing costs: as the vault grows, beside a bare cascading delete, for everybody else meanwhile, beside a peer.

The sides of a ratio take turns in one process on one database.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from uuid import UUID

from django.conf import settings

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.policy.erasing import Derived, Order, Plan, Where
from apps.policy.types import Refused
from bench import peers
from bench.consent import Scene, decide, ratios, read, request, scene, took, unlimited
from bench.registry import Samples, bench
from bench.writing import INSPEXIMUS, filled, text
from tests import databases
from vault.clock import utc_now

MANY, ROUNDS, READS = 10_000, 5, 100
NUMBERS = count()

# What FILL leaves out and erasing finds: what is sealed, and that each but the first was made from the one before.
SEALS = """
INSERT INTO sealed.value
  SELECT vault_id, memory_id, 1, 'ordinary', false, '\\x00', sha256(uuid_send(memory_id)), '\\x00'
  FROM memory WHERE vault_id = %(vault)s AND subject LIKE 'measured.%%' ON CONFLICT DO NOTHING;
INSERT INTO sealed.key SELECT vault_id, memory_id, 1, 1, sha256(uuid_send(memory_id))
  FROM memory WHERE vault_id = %(vault)s AND subject LIKE 'measured.%%' ON CONFLICT DO NOTHING;
"""
LINEAGE = """
INSERT INTO edge (vault_id, edge_id, kind, from_id, to_id, made_at, made_by)
  SELECT %(vault)s, gen_random_uuid(), 'derived_from', made, source, now(), 'sys_bench' FROM (
    SELECT memory_id AS made, lag(memory_id) OVER (ORDER BY memory_id) AS source
      FROM memory WHERE vault_id = %(vault)s AND subject LIKE 'measured.%%'
  ) each WHERE source IS NOT NULL
"""
BARE = """
DROP TABLE IF EXISTS bare_memory, bare_version, bare_value, bare_key, bare_print, bare_term, bare_doc, bare_edge;
CREATE TABLE bare_memory (id uuid PRIMARY KEY, label text NOT NULL);
CREATE TABLE bare_version (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE);
CREATE TABLE bare_value (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE, text bytea);
CREATE TABLE bare_key (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE, text bytea);
CREATE TABLE bare_print (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE, text bytea);
CREATE TABLE bare_doc (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE);
CREATE TABLE bare_edge (id uuid PRIMARY KEY REFERENCES bare_memory ON DELETE CASCADE);
CREATE TABLE bare_term (id uuid REFERENCES bare_memory ON DELETE CASCADE, term bigint, PRIMARY KEY (id, term));
"""
BARE_FILL = """
INSERT INTO bare_memory SELECT gen_random_uuid(), 'Measured' FROM generate_series(1, %(count)s);
INSERT INTO bare_version SELECT id FROM bare_memory;
INSERT INTO bare_value SELECT id, sha256(uuid_send(id)) FROM bare_memory;
INSERT INTO bare_key SELECT id, sha256(uuid_send(id)) FROM bare_memory;
INSERT INTO bare_print SELECT id, sha256(uuid_send(id)) FROM bare_memory;
INSERT INTO bare_doc SELECT id FROM bare_memory;
INSERT INTO bare_edge SELECT id FROM bare_memory;
INSERT INTO bare_term SELECT id, n FROM bare_memory, generate_series(1, 10) n;
"""


def whole(count_: int, *, lineage: bool) -> Scene:
    """A vault with so many memories, each sealed, and (with `lineage`) made from the one before."""
    of = filled.__wrapped__(count_)
    for statement in SEALS.strip().split(";\n"):
        of.fill(statement.rstrip(";"))
    if lineage:
        of.fill(LINEAGE)
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")
    return of


def kept(of: Scene) -> UUID:
    """A new memory."""
    made = memories.add(of.holder, label=f"Note {next(NUMBERS)}", value=text(), now=utc_now())
    assert not isinstance(made, Refused)
    return made.memory_id


def erase(of: Scene, where: Where, derived: Derived | None = None) -> None:
    """Ordered, carried out and certified."""
    plan = None
    if not where.by_name:
        found = erasure.preview(of.holder, where)
        assert isinstance(found, Plan), found
        plan = found.digest
    done = erasure.order(of.holder, where, utc_now(), derived=derived, plan=plan)
    assert isinstance(done, Order), done
    last = done if done.certified else erasure.carry_out(of.holder.vault_id, done.order_id, utc_now())
    assert last is not None and last.certified


@bench("erase_1_growth_1k_100k", "times", "lower", must=2, goal=1.2)
def erase_growth() -> list[float]:
    """Erasing one memory of a vault of 100,000 ÷ of one of 1,000."""
    few, many = whole(1_000, lineage=False), whole(100_000, lineage=False)

    def one(of: Scene) -> float:
        memory_id = kept(of)
        return took(partial(erase, of, Where(ids=frozenset({memory_id}))))

    return ratios(lambda: one(few), lambda: one(many))


def bare_delete() -> float:
    """Seconds to delete as many rows, which cascade."""
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute(BARE)
        for statement in BARE_FILL.strip().split(";\n"):
            admin.execute(statement.rstrip(";"), {"count": MANY} if "%(" in statement else None)
        admin.execute("VACUUM ANALYZE")
        return took(lambda: admin.execute("DELETE FROM bare_memory"))


@bench("erase_10k_vs_delete", "times", "lower", must=12, goal=5)
def erase_many() -> Samples:
    """10,000 memories, each made from another, erased and certified ÷ a bare cascading DELETE of as many rows."""
    found = []
    for _ in range(ROUNDS):
        of = whole(MANY, lineage=True)
        first = Where(subjects=frozenset({"measured"}), below=True)
        found.append(took(partial(erase, of, first, Derived.ERASE)) / bare_delete())
    return Samples(found, f"{MANY} memories")


def forget(of: Scene, number: int) -> None:
    """Everything under one subject: shown first, then erased and certified."""
    erase(of, Where(subjects=frozenset({f"person{number}"}), below=True))


@bench("forget_subject_10k_vs_peer", "times", "higher", must=5, goal=20)
def forget_vs_peer() -> Samples:
    """What a peer takes to forget one of 97 subjects of 10,000 memories ÷ what an order takes, shown and certified."""
    theirs = [float(line) for line in peers.told(INSPEXIMUS, "_forgets.py", MANY, ROUNDS)]
    of = whole(MANY, lineage=False)
    of.fill(
        "UPDATE memory SET subject = 'person' || (row.n %% 97) || '.' || subject FROM ("
        "SELECT memory_id AS id, row_number() OVER () AS n FROM memory"
        " WHERE vault_id = %(vault)s AND subject LIKE 'measured.%%') row"
        " WHERE vault_id = %(vault)s AND memory_id = row.id"
    )
    ours = [took(partial(forget, of, number)) for number in range(ROUNDS)]
    note = f"{INSPEXIMUS}: {statistics.median(theirs) * 1000:.0f} ms; ours {statistics.median(ours) * 1000:.0f} ms"
    return Samples([each / statistics.median(ours) for each in theirs], note)


@contextmanager
def eraser(of: Scene) -> Iterator[subprocess.Popen[str]]:
    """Another process, as a worker is one, that has just begun to erase everything of a vault."""
    database, holder = str(settings.DATABASES["default"]["NAME"]), of.holder
    command = [sys.executable, "-m", "bench._erases", database, str(holder.user_id), str(holder.vault_id), "measured"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        process.stdin.write("\n")
        process.stdin.flush()
        yield process


@bench("other_vault_read_slowdown", "times", "lower", must=1.3, goal=1.1)
def slowdown() -> Samples:
    """A read of one vault while 10,000 memories of another are erased ÷ while nothing is."""
    unlimited()
    reader = scene()
    decide(reader, request(reader))
    read(reader)
    found, notes = [], []
    for _ in range(ROUNDS):
        other = whole(MANY, lineage=True)
        alone = statistics.median(took(partial(read, reader)) for _ in range(READS))
        with eraser(other) as process:
            beside = []
            while process.poll() is None:
                beside.append(took(partial(read, reader)))
            assert process.returncode == 0
        notes.append(len(beside))
        found.append(statistics.median(beside) / alone)
    return Samples(found, f"{min(notes)} to {max(notes)} reads meanwhile; the erasure in a process of its own")
