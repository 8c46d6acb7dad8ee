"""What telling people by schedule needs of memory, however many they are."""

import tracemalloc
from datetime import datetime, timedelta

from django.db import connections

from apps.access.tasks import digests
from apps.mail.models import DigestRow, LetterRow
from bench.registry import Samples, bench
from tests import databases
from vault.clock import utc_now

FEW, MANY, ROUNDS = 100, 10_000, 3

# People as they are kept, each with a household, a vault and an assistant that read there yesterday: by the
# administrator, because the deed needs the rows and not how they came.
PEOPLE = """
CREATE TEMP TABLE made ON COMMIT DROP AS
  SELECT g, gen_random_uuid() AS person, gen_random_uuid() AS space, gen_random_uuid() AS vault,
         gen_random_uuid() AS client FROM generate_series(1, %(count)s) g;
INSERT INTO "user" (id, password, is_superuser, email, name, time_zone, is_staff, is_active, date_joined, belongs)
  SELECT person, '!', false, 'digest-' || g || '@measure.example', 'Measured', 'UTC', false, true, now(), 0 FROM made;
INSERT INTO space (space_id, kind, name) SELECT space, 'household', 'Measured' FROM made;
INSERT INTO space_policy (space_id, review_categories, preselect, break_glass, notice, lapse_days, cool_down_hours,
    tiers, tiers_before, keeping, version, share_hours_most, share_opens_most)
  SELECT space, '[]', true, false, '', 90, 24, '[]', '[]', '{}', 1, 720, 50 FROM made;
INSERT INTO vault (vault_id, space_id, holder_id, name, time_zone)
  SELECT vault, space, person, 'Measured', '' FROM made;
INSERT INTO client (vault_id, client_id, name, domain, built_in, paused, registered_at)
  SELECT vault, client, 'Measuring assistant', '', false, false, now() FROM made;
INSERT INTO receipt (vault_id, seq, at, kind, actor, on_behalf_of, recipient, object, memory_id, version, category,
    form, reason, request, turn, purpose, commitment, salt, digest, chain_hash)
  SELECT vault, 1, date_trunc('day', now(), 'UTC') - interval '12 hours', 'value.read',
         'cli_' || encode(uuid_send(client), 'hex'), '-',
         'cli_' || encode(uuid_send(client), 'hex'), 'gra_' || repeat('0', 32), gen_random_uuid(), 1, 'ordinary',
         'value', '-', '-', '-', 'care', '\\x00', '\\x00', '\\x00', '\\x00' FROM made;
INSERT INTO mail_wishes (to_id, off, receipts, hour, phrase, version)
  SELECT person, '["waiting"]', 'daily', %(hour)s, '', 1 FROM made;
INSERT INTO digest (to_id, due_at) SELECT person, now() FROM made;
"""


@bench("digest_memory_growth_100_10k", "times", better="lower", must=1.3, goal=1.1)
def digest_memory_growth() -> Samples:
    """Peak of what Python allocates while 10,000 people's digests are made ÷ while those of 100 are."""
    now = utc_now()
    with databases.connect("postgres") as admin:
        for statement in PEOPLE.split(";\n"):
            if statement.strip():
                admin.execute(statement, {"count": MANY, "hour": now.hour} if "%(" in statement else None)
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute("ANALYZE")
    _peak(FEW, now)  # what is loaded once
    few, many = [_peak(FEW, now) for _ in range(ROUNDS)], _peak(MANY, now)
    return Samples([many / each for each in few], f"{many / 1024:.0f} KiB at the peak of {MANY}")


def _peak(people: int, now: datetime) -> int:
    """Bytes at the peak beyond what stood there before, while so many people are told what was handed over."""
    LetterRow.objects.all().delete()
    rows = DigestRow.objects.filter(to__email__startswith="digest-").order_by("to_id")
    rows.update(due_at=now + timedelta(days=2))
    chosen = list(rows.values_list("pk", flat=True)[:people])
    DigestRow.objects.filter(pk__in=chosen).update(due_at=now - timedelta(minutes=1), told_until=None)
    del chosen
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    told = digests()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    if told != people:
        raise RuntimeError(f"{told} letters were written to {people} people")
    connections["default"].close()
    return peak - before
