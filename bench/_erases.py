"""The other process of bench/erasing.py: erases everything under a subject of a vault, shown first, and certified.

    python -m bench._erases <database> <user> <vault> <subject>

Says `ready` when it could begin, begins at a line of input, and ends when it is done.
"""

import sys
from uuid import UUID

import django

django.setup()

from apps.erasure import services as erasure  # noqa: E402  (Django has to be set up first)
from apps.holders import services as holders  # noqa: E402
from apps.policy.erasing import Derived, Order, Plan, Where  # noqa: E402
from tests import databases  # noqa: E402
from vault.clock import utc_now  # noqa: E402

database, user, vault, subject = sys.argv[1:5]
databases.point_at(database)
holder = holders.seat(UUID(user), UUID(vault))
assert holder is not None
where = Where(subjects=frozenset({subject}), below=True)
print("ready", flush=True)
sys.stdin.readline()
plan = erasure.preview(holder, where)
assert isinstance(plan, Plan), plan
done = erasure.order(holder, where, utc_now(), derived=Derived.ERASE, plan=plan.digest)
assert isinstance(done, Order), done
last = erasure.carry_out(holder.vault_id, done.order_id, utc_now())
assert last is not None and last.certified
