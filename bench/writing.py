"""What writing costs: a proposal and its approval, a correction as the past grows, and durable writes beside two peers.

The sides of a ratio take turns in one process on one database, deed by deed.
"""

import random
import statistics
import time
from functools import cache, partial
from itertools import count
from uuid import UUID

from django.db import connections

from apps.ledger.log import reading
from apps.memories import services as memories
from apps.memories.terms import keyed, words
from apps.policy.types import Holder, Proposal, Refused
from bench import peers
from bench.consent import Scene, ratios, scene, took, unlimited
from bench.registry import Samples, bench
from tests import databases
from vault.clock import utc_now

HELD, WRITES, ROUNDS = 10_000, 200, 5
AT_ONCE = 500
INSPEXIMUS, MEM0 = "inspeximus==3.23.1", "mem0ai==2.2.1"
RETIRED = 1_000
NUMBERS = count()

BARE = """
CREATE TABLE IF NOT EXISTS bench_bare (id bigserial PRIMARY KEY, label text NOT NULL, value text NOT NULL);
GRANT SELECT, INSERT ON bench_bare TO muniment_app;
GRANT USAGE ON SEQUENCE bench_bare_id_seq TO muniment_app;
"""


# Memories as they are kept, of words drawn from a vocabulary, by the administrator: what a deed finds its way in.
FILL = """
WITH made AS (
  INSERT INTO memory (vault_id, memory_id, subject, label, neutral_label, category, attested, version, state, source,
      made_at, updated_at)
    SELECT %(vault)s, gen_random_uuid(), 'measured.' || g, 'Measured', '', 'ordinary', false, 1, 'approved', 'holder',
           now(), now() FROM generate_series(1, %(count)s) g RETURNING memory_id
), lines AS (
  INSERT INTO memory_version (vault_id, memory_id, version, made_at, made_by, source)
    SELECT %(vault)s, memory_id, 1, now(), 'sys_bench', 'holder' FROM made
), drawn AS (
  SELECT memory_id, array_agg(DISTINCT (%(words)s::bigint[])[1 + (hashtext(memory_id::text || n) & 2147483647)
                                                             %% array_length(%(words)s::bigint[], 1)]) terms
    FROM made, generate_series(1, %(each)s) n GROUP BY memory_id
), documents AS (
  INSERT INTO sealed.search_doc SELECT %(vault)s, memory_id, 1, cardinality(terms) FROM drawn
), searched AS (
  INSERT INTO sealed.search_term SELECT %(vault)s, t, memory_id, 1 FROM drawn, unnest(terms) t
)
INSERT INTO value_print (vault_id, memory_id, version, whole, words, length, numbers, negated, epoch, digests)
  SELECT %(vault)s, memory_id, 1, substring(sha256(uuid_send(memory_id)) FOR 16), terms, cardinality(terms), '{}',
         false, 1, '' FROM drawn
"""
VOCABULARY = [f"{syllable}{number}" for syllable in ("ba", "ko", "ri", "su") for number in range(500)]
WORDS_EACH = 10


@cache
def filled(count: int) -> Scene:
    """A vault with so many memories."""
    made = scene()
    with reading(made.holder.vault_id, made.holder.actor):
        key = memories.vault_key(made.holder.vault_id)
    assert key is not None
    made.fill(FILL, count=count - 1, words=keyed(key.index_key, words(" ".join(VOCABULARY))), each=WORDS_EACH)
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute("VACUUM ANALYZE")  # as autovacuum does after so many inserts
    return made


def text() -> str:
    """A sentence of the vocabulary, different each time."""
    return f"{' '.join(random.sample(VOCABULARY, WORDS_EACH))} nr{next(NUMBERS)}"


def bare() -> None:
    """Two inserts, each committed by itself: one for what is proposed, one for what is decided."""
    for _ in range(2):
        with connections["default"].cursor() as cursor:
            cursor.execute("INSERT INTO bench_bare (label, value) VALUES (%s, %s)", ["Note", text()])


def propose(of: Scene) -> Proposal:
    """A new suggestion of its client."""
    made = memories.propose(of.caller, label=f"Note {next(NUMBERS)}", value=text(), now=utc_now())
    assert isinstance(made, Proposal), made
    return made


def compared(of: Scene) -> None:
    """A new suggestion, and what the clock does with it."""
    propose(of)
    assert memories.catch_up(of.holder.vault_id) == 1


def approve(of: Scene, made: Proposal) -> None:
    """As it was proposed."""
    done = memories.approve(of.holder, made.proposal_id, now=utc_now())
    assert not isinstance(done, Refused), done


def correct(holder: Holder, memory_id: UUID) -> None:
    """Another value."""
    assert memories.correct(holder, memory_id, value=text(), now=utc_now())


@bench("propose_approve_vs_insert", "times", "lower", must=6, goal=3)
def propose_approve_vs_insert() -> list[float]:
    """A proposal and its approval, in a vault of 1,000 memories ÷ two committed inserts into a bare table."""
    unlimited()
    of = filled(1_000)
    for _ in range(WRITES):
        approve(of, propose(of))
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute(BARE)
        admin.execute("VACUUM ANALYZE")  # as autovacuum does once there is something to know of the tables
    return ratios(lambda: took(bare), lambda: took(lambda: approve(of, propose(of))))


@bench("correct_growth_versions", "times", "lower", must=1.5, goal=1.1)
def correct_growth_versions() -> Samples:
    """A correction of a memory that has a thousand retired versions ÷ of one that has one."""
    few, many = scene(), scene()
    correct(few.holder, few.memory)
    for _ in range(RETIRED):
        correct(many.holder, many.memory)
    held = len(memories.history(many.holder, many.memory))

    def of_few() -> float:
        kept = memories.add(few.holder, label=f"Note {next(NUMBERS)}", value=text(), now=utc_now())
        assert not isinstance(kept, Refused)
        correct(few.holder, kept.memory_id)
        return took(partial(correct, few.holder, kept.memory_id))

    found = ratios(of_few, lambda: took(partial(correct, many.holder, many.memory)))
    return Samples(found, f"{held} versions at the start")


@bench("correct_growth_vault", "times", "lower", must=1.5, goal=1.1)
def correct_growth_vault() -> list[float]:
    """A correction in a vault of 100,000 memories ÷ in one of 1,000."""
    few, many = filled(1_000), filled(100_000)
    return ratios(
        lambda: took(partial(correct, few.holder, few.memory)), lambda: took(partial(correct, many.holder, many.memory))
    )


@bench("conflict_check_growth_1k_100k", "times", "lower", must=2, goal=1.3)
def conflict_check_growth() -> Samples:
    """A proposal, and comparing it with what is kept, in a vault of 100,000 memories ÷ in one of 1,000."""
    unlimited()
    few, many = filled(1_000), filled(100_000)
    found = ratios(lambda: took(partial(compared, few)), lambda: took(partial(compared, many)))
    return Samples(found, f"each memory is {WORDS_EACH} words of a vocabulary of {len(VOCABULARY)}")


@bench("bulk_approve_vs_single", "times", "lower", must=0.25, goal=0.1)
def bulk_approve_vs_single() -> Samples:
    """Approving 500 suggestions in one go, for each ÷ approving one by itself."""
    unlimited()
    of, found = scene(), []
    for _ in range(ROUNDS):
        single = [propose(of) for _ in range(20)]
        memories.catch_up(of.holder.vault_id)  # as the clock does
        alone = statistics.median(took(partial(approve, of, each)) for each in single)
        many = [propose(of) for _ in range(AT_ONCE)]
        memories.catch_up(of.holder.vault_id)
        with databases.connect("postgres", autocommit=True) as admin:
            admin.execute("VACUUM ANALYZE")  # as autovacuum does after so many inserts, within its minute
        reviewed = [(each.proposal_id, each.revision) for each in many]
        began = time.perf_counter()
        done = memories.approve_many(of.holder, reviewed, utc_now())
        together = (time.perf_counter() - began) / AT_ONCE
        assert done.count(memories.Done.APPLIED) == AT_ONCE
        found.append(together / alone)
    return Samples(found, f"{AT_ONCE} in one request")


def written(peer: str, writes: int) -> list[float]:
    """A peer's durable writes a second with 10,000 memories in its store, a round each."""
    name = peer.partition("==")[0].removesuffix("ai")
    return [float(line) for line in peers.told(peer, "_writes.py", name, HELD, writes, ROUNDS)]


def writes_a_second(of: Scene) -> float:
    """Our own, one by one, by the holder: each is sealed, indexed, recognised again, and has its receipt."""
    began = time.perf_counter()
    for _ in range(WRITES):
        assert memories.add(of.holder, label=f"Note {next(NUMBERS)}", value=text(), now=utc_now())
    return WRITES / (time.perf_counter() - began)


@bench("write_10k_vs_inspeximus", "times", "higher", must=5, goal=20)
def write_vs_inspeximus() -> Samples:
    """Durable writes a second with 10,000 memories held ÷ the peer's, which keeps receipts too."""
    theirs, of = written(INSPEXIMUS, WRITES // 10), filled(HELD)
    return Samples([writes_a_second(of) / each for each in theirs], f"{INSPEXIMUS}: {statistics.median(theirs):.0f}/s")


@bench("write_10k_vs_mem0", "times", "higher", must=0.5, goal=1)
def write_vs_mem0() -> Samples:
    """Durable writes a second with 10,000 memories held ÷ the peer's, which infers nothing and embeds for nothing."""
    theirs, of = written(MEM0, WRITES), filled(HELD)
    return Samples([writes_a_second(of) / each for each in theirs], f"{MEM0}: {statistics.median(theirs):.0f}/s")
