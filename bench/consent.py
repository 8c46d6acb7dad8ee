"""What consent costs as it grows: a read among many grants, a decision among many memories, ending a client of many.

Both sides of a ratio take turns in one process on one database, deed by deed, so that a neighbour's work falls on both.
"""

import secrets
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import connections
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.types import AccessRequest, Asked, Caller, Holder, Refused
from apps.policy.vocabulary import Category, Purpose
from bench.registry import Samples, bench
from tests import databases
from vault.clock import utc_now

ROUNDS, DEEDS = 5, 40
FEW, MANY = 10, 10_000

# Grants as they are made: for clients of their own, or all for one; each on the vault's one memory.
GRANTS = """
WITH made AS (
  INSERT INTO access_grant (vault_id, grant_id, client_id, recipient, purpose, category, memory_ids, terms_version,
      expires_at, paused, made_at)
    SELECT %(vault)s, gen_random_uuid(), c.client_id, 'cli_' || encode(uuid_send(c.client_id), 'hex'), 'care',
           'ordinary', jsonb_build_array(encode(uuid_send(%(memory)s::uuid), 'hex')), 1, now() + interval '30 days',
           false, now()
      FROM unnest(%(clients)s::uuid[]) AS c(client_id)
    RETURNING vault_id, client_id, purpose, expires_at, grant_id
)
INSERT INTO grant_memory (vault_id, client_id, memory_id, purpose, expires_at, grant_id)
  SELECT vault_id, client_id, %(memory)s, purpose, expires_at, grant_id FROM made
"""
CLIENTS = """
INSERT INTO client (vault_id, client_id, name, domain, built_in, paused, registered_at)
  SELECT %(vault)s, gen_random_uuid(), 'Other', '', false, false, now() FROM generate_series(1, %(count)s)
  RETURNING client_id
"""
MEMORIES = """
INSERT INTO memory (vault_id, memory_id, subject, label, neutral_label, category, attested, version, state, source,
    made_at, updated_at)
  SELECT %(vault)s, gen_random_uuid(), 'measured.' || g, 'Measured', '', 'ordinary', false, 1, 'approved', 'holder',
         now(), now() FROM generate_series(1, %(count)s) g
"""


@dataclass(frozen=True)
class Scene:
    """A vault with one memory and one client."""

    holder: Holder
    caller: Caller
    memory: UUID

    def fill(self, statement: str, **values: object) -> list[tuple[UUID, ...]]:
        """Rows that the deed does not need, put there by the administrator."""
        with databases.connect("postgres", autocommit=True) as admin:
            cursor = admin.execute(statement, {"vault": self.holder.vault_id, "memory": self.memory, **values})
            found = cursor.fetchall() if cursor.description else []
            admin.execute("ANALYZE")
        return found


def scene() -> Scene:
    """A new vault."""
    now = utc_now()
    holder = holders.enrol(f"{secrets.token_hex(6)}@measure.example", "Measured", None, space="Measured")
    memory = memories.add(holder, label="Note", value="x" * 224, now=now)
    caller = access.authenticate(access.register(holder, name="Measuring assistant", now=now)[1], now)
    assert caller is not None
    return Scene(holder, caller, memory.memory_id)


def request(of: Scene) -> UUID:
    """The id of a new request for its memory."""
    note = secrets.token_hex(8)
    wish = access.ask(of.caller, [Asked(of.memory)], purpose=Purpose.CARE, purpose_note=note, now=utc_now())
    assert isinstance(wish, AccessRequest), wish
    return wish.request_id


def decide(of: Scene, request_id: UUID) -> None:
    """A yes without end of reads."""
    yes = access.Decision(frozenset([of.memory]), reads=None)
    assert access.decide(of.holder, request_id, {Category.ORDINARY: yes}, utc_now())


def read(of: Scene) -> None:
    """A read of its memory."""
    key = secrets.token_hex(8)
    done = access.read(
        of.caller, [of.memory], purpose=Purpose.CARE, idempotency_key=key, body_digest=key, now=utc_now()
    )
    assert not isinstance(done, Refused)
    assert done.released


def took(deed: Callable[[], object]) -> float:
    began = time.perf_counter()
    deed()
    return time.perf_counter() - began


def ratios(little: Callable[[], float], much: Callable[[], float]) -> list[float]:
    """Medians of `much` ÷ medians of `little`, one a round, the two taking turns; a round before them counts not."""
    found = []
    for _ in range(ROUNDS + 1):
        pairs = [(little(), much()) for _ in range(DEEDS)]
        found.append(statistics.median(each for _, each in pairs) / statistics.median(each for each, _ in pairs))
    return found[1:]


def unlimited() -> None:
    """Ask and read as fast as it goes."""
    settings.READS_PER_MINUTE = settings.WISHES_PER_HOUR = 1_000_000


def with_grants(count: int, *, own: bool = False) -> Scene:
    """A vault whose client has one grant, among so many: of other clients, each its own, or all of this one."""
    made = scene()
    decide(made, request(made))
    others = [row[0] for row in made.fill(CLIENTS, count=1 if own else count)]
    made.fill(GRANTS, clients=[made.caller.client.client_id] * count if own else others)
    return made


@bench("find_grant_growth_10_10k", "times", "lower", must=1.3, goal=1.1)
def find_grant_growth() -> Samples:
    """A read with 10,000 live grants of other clients on the same memory ÷ with 10."""
    unlimited()
    few, many = with_grants(FEW), with_grants(MANY)
    found = ratios(lambda: took(partial(read, few)), lambda: took(partial(read, many)))
    return Samples(found, f"{MANY} grants of as many clients, all on the memory that is read")


@bench("decide_growth_100_10k", "times", "lower", must=1.5, goal=1.1)
def decide_growth() -> list[float]:
    """One decision with 10,000 labels in the vault ÷ with 100."""
    unlimited()
    few, many = scene(), scene()
    few.fill(MEMORIES, count=99)
    many.fill(MEMORIES, count=MANY - 1)

    def decided(of: Scene) -> float:
        wish = request(of)
        return took(lambda: decide(of, wish))

    return ratios(lambda: decided(few), lambda: decided(many))


@bench("statements_to_end_a_client_of_10k", "statements", "lower", must=1, goal=1)
def end_a_client() -> Samples:
    """How many statements write grants when a client with 10,000 of them is ended; and one receipt says so."""

    unlimited()
    made = with_grants(MANY, own=True)
    holder = made.holder
    before = ledger.last_seq(holder.vault_id, holder.actor)
    with CaptureQueriesContext(connections["default"]) as seen:
        seconds = took(lambda: access.revoke(holder, made.caller.client.client_id, utc_now()))
    receipts = ledger.last_seq(holder.vault_id, holder.actor) - before
    assert receipts == 1, f"{receipts} receipts"
    assert not access.standing(holder, utc_now())
    return Samples([sum("access_grant" in each["sql"] for each in seen)], f"one receipt; it took {seconds:.2f} s")
