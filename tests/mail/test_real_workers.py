"""Two real worker processes, each message four times, as by two beats and a broker that delivers again: one mail."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from celery import Celery
from django.conf import settings as ours

from apps.ledger.log import act
from apps.mail import services as mail
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.letters import Letter
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from tests.databases import ROOT
from tests.holders.people import address_of, newcomer
from tests.mail.conftest import Postman, read
from tests.mail.outside import share_facts

PATIENCE_SECONDS = 120


def apart(url: str) -> str:
    """A broker's database that no other test sends to."""
    parts = urlsplit(url)
    if parts.scheme == "redis+socket":
        return parts._replace(query="virtual_host=9").geturl()
    return parts._replace(path="/9").geturl()


@pytest.fixture
def broker(tmp_path: Path, postman: Postman, settings: Any, empty: None) -> Iterator[Celery]:
    """Two workers that listen, on this test's database, and what they listen to."""
    env = {
        **os.environ,
        "MUNIMENT_STATE_DIR": str(tmp_path),
        "MUNIMENT_SMTP_URL": f"smtp://127.0.0.1:{settings.EMAIL_PORT}",
        "REDIS_URL": apart(ours.REDIS_URL),
        "C_FORCE_ROOT": "true",
    }
    for role in ("APP", "GATE"):
        url = urlsplit(env[f"MUNIMENT_DB_{role}_URL"])
        env[f"MUNIMENT_DB_{role}_URL"] = url._replace(path=f"/{ours.DATABASES['default']['NAME']}").geturl()
    command = [sys.executable, "-m", "celery", "-A", "vault", "worker", "--pool", "threads", "--concurrency", "4"]
    command += ["--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    app = Celery(broker=apart(ours.REDIS_URL), task_ignore_result=True)
    app.control.purge()
    with ExitStack() as ends:
        for name in ("one", "two"):
            log = ends.enter_context((tmp_path / f"{name}.log").open("wb"))
            worker = subprocess.Popen(
                [*command, "--hostname", f"{name}@%h"], cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT
            )
            ends.callback(worker.wait, 30)
            ends.callback(worker.terminate)
        until = time.monotonic() + PATIENCE_SECONDS
        while len(app.control.ping(timeout=0.5)) < 2:
            assert time.monotonic() < until, (tmp_path / "one.log").read_text()
        yield app
    app.close()


def outside(person: Holder) -> str:
    """An address that nobody has an account under."""
    return f"sitter-{person.vault_id.hex}@else.example"


def test_they_send_one_mail_each_letter(broker: Celery, postman: Postman) -> None:
    people = [newcomer("Ines") for _ in range(4)]
    for person in people:
        with act(person.vault_id, person.actor) as acting:
            acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", person.vault_id))
            facts = {"assistant": "Cookbot", "how": "lapsed", "days": 90, "reads": 2}
            mail.post(acting, Letter.ENDED, person.user_id, facts, key="a/b")
            mail.post_to(acting, Letter.SHARE, outside(person), "UTC", share_facts(), key="a/b")
    for letter in LetterRow.objects.values_list("letter_id", flat=True):
        for _ in range(4):
            broker.send_task("mail.send", args=[letter.hex])
            broker.send_task("mail.sweep")
    until = time.monotonic() + PATIENCE_SECONDS
    while LetterRow.objects.filter(sent_at=None).exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    broker.send_task("mail.sweep")
    time.sleep(1)
    subjects = [read(postman.one_to(address_of(each))).subject for each in people]
    assert set(subjects) == {"An assistant’s access has ended"}
    assert {read(postman.one_to(outside(each))).subject for each in people} == {"Ines M. shared notes with you"}
    assert set(LetterRow.objects.values_list("attempts", flat=True)) == {1}
