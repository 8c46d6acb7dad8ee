"""How many network round trips to PostgreSQL a read over REST takes, counted where libpq speaks."""

import secrets
import tempfile
from pathlib import Path

from bench.registry import bench


@bench("sql_round_trips_per_read", "round trips", "lower", must=6, goal=6)
def sql_round_trips() -> list[float]:
    """A read of one value by a client whose key was used before; the test suite pins the same number."""
    from django.conf import settings

    from apps.access import services as access
    from apps.holders import services as holders
    from apps.memories import services as memories
    from apps.policy.types import AccessRequest, Asked
    from apps.policy.vocabulary import Category, Purpose
    from tests.drivers import ApiClient
    from tests.surfaces.test_a_read_costs_few_round_trips import counted
    from vault.clock import utc_now

    now = utc_now()
    holder = holders.enrol(f"{secrets.token_hex(6)}@measure.example", "Measured", None, space="Measured")
    memory = memories.add(holder, label="Note", value="x" * 224, now=now)
    _, key = access.register(holder, name="Measuring assistant", now=now)
    caller = access.authenticate(key, now)
    assert caller is not None
    wish = access.ask(caller, [Asked(memory.memory_id)], purpose=Purpose.MEAL_PLANNING, now=now)
    assert isinstance(wish, AccessRequest)
    decision = access.Decision(frozenset([memory.memory_id]), reads=None)
    access.decide(holder, wish.request_id, {Category.ORDINARY: decision}, now)
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "testserver"]  # the name by which the test client calls
    client = ApiClient(key)
    client.read([f"mem_{memory.memory_id.hex}"])  # the key's "last used" is written once a minute: by this one
    samples = []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder, counted(Path(folder)) as trips:
            assert client.read([f"mem_{memory.memory_id.hex}"]).handed
        samples.append(float(trips[0]))
    return samples
