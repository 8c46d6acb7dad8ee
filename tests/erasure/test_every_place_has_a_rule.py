"""A new table, queue, cache or file that nobody has said how to erase fails here; so does a rule for nothing."""

import re
from pathlib import Path
from typing import Any

from django.apps import apps as django_apps
from django.conf import settings

from apps.erasure import services as erasure
from apps.erasure.places import PLACES
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.types import Refused
from apps.policy.vocabulary import Category
from tests.cast import Vault, canary
from tests.erasing import rows_with
from vault.clock import utc_now

ROOT = Path(settings.BASE_DIR)
OURS = {"django_migrations"}  # the framework's own book-keeping
ELSEWHERE = {
    "broker",
    "cache",
    "logs",
    "mail folder",
    "mail server",
    "planner's samples",
    "backups",
    "write-ahead log",
    "the instance's log",
    "root key file",
}


def test_every_table_of_the_database_is_named(admin: Any, live: None) -> None:
    query = (
        "SELECT CASE schemaname WHEN 'public' THEN tablename ELSE schemaname || '.' || tablename END FROM pg_tables"
        " WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'log')"
    )
    # The schema `log` is one place, the instance's log: hashes of chain heads and what was signed of them.
    tables = {row[0] for row in admin.execute(query).fetchall()} - OURS
    named = set(PLACES) - ELSEWHERE
    assert tables - named == set(), "nobody has said how these are erased: apps/erasure/places.py"
    assert named - tables == set(), "there is a rule for what is not there"


def test_every_table_of_a_model_is_named() -> None:
    assert {model._meta.db_table for model in django_apps.get_models(include_auto_created=True)} <= set(PLACES)


def test_there_is_one_cache_and_one_broker_and_no_file_that_is_uploaded() -> None:
    assert set(settings.CACHES) == {"default"}
    assert settings.CELERY_TASK_IGNORE_RESULT, "a task's result would be a copy"
    assert not settings.MEDIA_ROOT, "an uploaded file would be a place of its own"


def test_no_task_is_given_a_word() -> None:
    """What goes through the broker are ids: an argument of any other type would be a copy there."""
    for path in ROOT.glob("apps/*/tasks.py"):
        for arguments in re.findall(r"^@shared_task.*\ndef \w+\((.*?)\) ->", path.read_text(), re.MULTILINE):
            for each in filter(None, arguments.split(", ")):
                name = each.partition(":")[0]
                assert name.endswith("_id") or name in ("vault", "limit"), f"{path}: {each}"


def test_a_word_that_was_kept_is_found_before_and_nowhere_after(alice: Vault, admin: Any) -> None:
    """By every table there is, whatever it is called: the control is that the label is found before."""
    words = {"label": canary(), "value": canary()}
    kept = memories.add(alice.holder, **words, category=Category.HEALTH, source=canary(), now=utc_now())
    assert not isinstance(kept, Refused)
    assert rows_with(admin, words) == {"label": {"memory", "memory_version"}}
    assert not isinstance(erasure.order(alice.holder, Where(ids=frozenset({kept.memory_id})), utc_now()), Refused)
    assert rows_with(admin, words) == {}
