"""What the reviewers' desk costs beside a bare page of as many rows."""

import secrets
import statistics
import time
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Asked, Holder, Refused
from apps.policy.vocabulary import Category, Purpose, Role
from bench.registry import Samples, bench
from tests import databases
from vault.clock import utc_now

ROUNDS, LOOKS = 5, 12
PATIENTS, ASSISTANTS = 20, 10
STATIC = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
BARE = """
CREATE TABLE bench_row (id int PRIMARY KEY, waited text, client text, person text, category text, memories int,
    purpose text, until timestamptz, reads int, decided_by text, before text, checks text);
INSERT INTO bench_row SELECT g, '3 h 20 min', 'Measuring assistant', 'M. P.', 'Health', 1, 'to help with care', now(),
    5, 'holder', '0 allowed, 0 not', 'the person said yes first; yours to review' FROM generate_series(1, 200) g;
GRANT SELECT ON bench_row TO muniment_app;
"""


@bench("review_desk_vs_bare", "times", better="lower", must=4.0, goal=2.5)
def desk_vs_bare() -> Samples:
    """Five ratios of medians: the desk with 200 rows that wait ÷ a bare page of 200 rows, look by look in turns."""
    with override_settings(ROOT_URLCONF="bench.bare", STORAGES=STATIC, ALLOWED_HOSTS=["testserver"]):
        client, desk = furnished()
        with CaptureQueriesContext(connections["default"]) as seen:
            page = client.get(desk).content.decode()
        statements = len(seen)
        if page.count("/rvw_") != PATIENTS * ASSISTANTS:
            raise RuntimeError("the desk does not show what waits")
        ratios, spent = [], 0.0
        for _ in range(ROUNDS):
            looks, bare = zip(*[(_look(client, desk), _look(client, "/bare-rows")) for _ in range(LOOKS)], strict=True)
            spent = statistics.median(looks)
            ratios.append(spent / statistics.median(bare))
    return Samples(ratios, f"{statements} statements, {spent * 1000:.0f} ms a page")


def furnished() -> tuple[Client, str]:
    """A clinic in which 200 parts wait; a browser in which its reviewer sits at the desk; and the desk's address."""
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute(BARE)
    chief, reviewer = (holders.enrol(_email(), "Measured", None, space="Home") for _ in range(2))
    space = holders.found_space("clinic", "Measured", chief.user_id)
    _join(chief, space, reviewer.user_id, Role.REVIEWER)
    for _ in range(PATIENTS):
        person = get_user_model().objects.create_user(_email(), None, name="Max Patient")
        _join(chief, space, person.pk, Role.HOLDER)
        (holder,) = holders.seats(person.pk)
        for _ in range(ASSISTANTS):
            _wait(holder)
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute("ANALYZE")
    client, desk = Client(), f"/review/{typed('spc', space)}/"
    client.force_login(get_user_model().objects.get(pk=reviewer.user_id), settings.AUTHENTICATION_BACKENDS[0])
    client.post(f"{desk}enter")
    return client, desk


def _wait(holder: Holder) -> None:
    """One assistant more, and a yes to it that waits."""
    now = utc_now()
    kept = memories.add(holder, label="Note", value="x", category=Category.HEALTH, now=now)
    caller = access.authenticate(access.register(holder, name="Measuring assistant", now=now)[1], now)
    if caller is None:
        raise RuntimeError("the assistant is not let in")
    wish = access.ask(caller, [Asked(category=Category.HEALTH)], purpose=Purpose.CARE, now=now)
    if isinstance(wish, Refused):
        raise RuntimeError(f"not asked: {wish.reason}")
    yes = access.Decision(frozenset({kept.memory_id}), now + timedelta(days=7), 5)
    done = access.decide(holder, wish.request_id, {Category.HEALTH: yes}, now)
    if not isinstance(done, AccessRequest):
        raise RuntimeError(f"not decided: {done.reason}")


def _email() -> str:
    return f"{secrets.token_hex(6)}@measure.example"


def _join(chief: Holder, space: UUID, user_id: UUID, role: Role) -> None:
    email = get_user_model().objects.get(pk=user_id).email
    invited = holders.invite_to_space(chief.user_id, space, email, role, utc_now())
    if isinstance(invited, Refused) or isinstance(holders.accept(user_id, invited[1], utc_now()), Refused):
        raise RuntimeError("not joined")


def _look(client: Client, address: str) -> float:
    began = time.perf_counter()
    answer = client.get(address)
    spent = time.perf_counter() - began
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code}")
    return spent
