"""Names every missing or wrong thing of this instance, and the setting that corrects it.

It changes nothing. Each question is a function that yields findings; one that raises becomes a FAIL of its
own, so that the rest is still asked.
"""

import json
import platform
import shutil
import sys
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.cache import cache
from django.core.mail import get_connection
from django.core.management.base import BaseCommand

from apps.console.management import instance, keys, log
from apps.console.management.instance import Finding
from apps.mail import services as post
from vault.celery import app as celery
from vault.checks import root_keys_wrong
from vault.clock import utc_now
from vault.providers import hook_url

LEAST_FREE_MB = 500
LATE = timedelta(minutes=10)  # a letter that goes at the first try takes seconds
Question = Callable[[], Iterator[Finding]]


def python() -> Iterator[Finding]:
    """The interpreter."""
    yield Finding("ok", "python", f"{platform.python_version()} in {sys.prefix}")


def system_checks() -> Iterator[Finding]:
    """Django's checks and our numbered ones."""
    found = [message for message in checks.run_checks() if not message.is_silenced()]
    for message in found:
        level = "FAIL" if message.level >= checks.ERROR else "warn"
        yield Finding(level, "settings", f"{message.id}: {message.msg}", message.hint or "")
    if not found:
        yield Finding("ok", "settings", "all system checks pass")


def root_key() -> Iterator[Finding]:
    """The keys that every value hangs on."""
    path = Path(settings.MUNIMENT_ROOT_KEY_FILE)
    if wrong := root_keys_wrong(path):
        yield Finding("FAIL", "root key", wrong, "MUNIMENT_ROOT_KEY_FILE, chmod 600")
    else:
        yield Finding("ok", "root key", f"{path} is there and private; keep a copy away from the database's backups")


def broker() -> Iterator[Finding]:
    """The Redis server: there, and never dropping a job."""
    try:
        cache.set("doctor", "here", 10)
        reached = cache.get("doctor") == "here"
    except Exception as error:  # the client's errors have no common base
        reached, why = False, type(error).__name__
    else:
        why = "it forgets what it is told"
    if not reached:
        yield Finding("FAIL", "redis", f"it cannot be used ({why})", "REDIS_URL, or start it with: make run")
        return
    yield Finding("ok", "redis", "answers")
    try:
        with celery.connection_for_read() as connection:
            channel: Any = connection.default_channel  # kombu's Redis channel carries its client
            policy = channel.client.config_get("maxmemory-policy").get("maxmemory-policy")
    except Exception:  # a managed server may forbid the question
        yield Finding("warn", "redis", "its maxmemory-policy cannot be read", "see to it that it is noeviction")
        return
    if policy == "noeviction":
        yield Finding("ok", "redis", "never evicts a job (noeviction)")
    else:
        yield Finding("FAIL", "redis", f"maxmemory-policy is {policy}: jobs can vanish", "set it to noeviction")


def state_folder() -> Iterator[Finding]:
    """Where files are kept."""
    folder = Path(settings.STATE_DIR)
    if not folder.is_dir():
        yield Finding("FAIL", "state", f"the folder {folder} does not exist", "MUNIMENT_STATE_DIR")
        return
    trial = folder / ".doctor"
    try:
        trial.write_text("")
        trial.unlink()
    except OSError as error:
        yield Finding("FAIL", "state", f"{folder} cannot be written: {error.strerror}", "MUNIMENT_STATE_DIR")
        return
    free = shutil.disk_usage(folder).free // 2**20
    level = "ok" if free >= LEAST_FREE_MB else "warn"
    yield Finding(level, "state", f"{folder}, {free} MB free", "" if level == "ok" else "free some space")


def web() -> Iterator[Finding]:
    """The web process, asked at its public address."""
    for path, what in (("/healthz", "the web process is alive"), ("/readyz", "it is ready to serve")):
        status = _status(settings.PUBLIC_URL + path)
        if status == 200:
            yield Finding("ok", "web", f"{what} ({settings.PUBLIC_URL}{path})")
        else:
            said = f"answered {status}" if status else "did not answer"
            yield Finding("FAIL", "web", f"{settings.PUBLIC_URL}{path} {said}", "MUNIMENT_PUBLIC_URL, or: make run")
            return


def worker() -> Iterator[Finding]:
    """The worker, which answers a ping through the broker."""
    try:
        answers = celery.control.ping(timeout=2.0)
    except Exception as error:
        yield Finding("FAIL", "worker", f"cannot be asked ({type(error).__name__})", "REDIS_URL")
        return
    if answers:
        yield Finding("ok", "worker", f"{len(answers)} answering")
    else:
        yield Finding("FAIL", "worker", "none answers a ping", "start one: make run, or celery -A vault worker")


def model() -> Iterator[Finding]:
    """The model endpoint, or the stand-in."""
    if not settings.LLM_BASE_URL:
        yield Finding("ok", "model", "none set: the labelled stand-in answers (MUNIMENT_LLM_BASE_URL)")
        return
    status = _status(f"{settings.LLM_BASE_URL}/models", {"Authorization": f"Bearer {settings.LLM_API_KEY}"})
    named = f"{settings.LLM_MODEL} at {settings.LLM_BASE_URL}"
    if status == 200:
        yield Finding("ok", "model", named)
    elif status in (401, 403):
        yield Finding("FAIL", "model", f"{named} refuses the key", "MUNIMENT_LLM_API_KEY")
    elif status is None:
        yield Finding("FAIL", "model", f"{named} did not answer", "MUNIMENT_LLM_BASE_URL")
    else:
        yield Finding("warn", "model", f"{named} lists no models (status {status})", "MUNIMENT_LLM_BASE_URL")


def mail() -> Iterator[Finding]:
    """Whether mail leaves this machine."""
    sender, tries = f"sent as {settings.MAIL_FROM}", "manage.py mail_test ADDRESS tries it"
    if settings.MAIL_PROVIDER:
        yield Finding("ok", "mail", f"{sender} over {settings.MAIL_PROVIDER}; {tries}")
        if not hook_url():
            says, fix = f"{settings.MAIL_PROVIDER} cannot tell what bounces", "MUNIMENT_MAIL_PROVIDER_SECRET"
            yield Finding("warn", "mail", says, fix)
        return
    if "smtp" not in settings.EMAIL_BACKEND:
        yield Finding("warn", "mail", "no mail leaves: it is written to the state folder", "MUNIMENT_SMTP_URL")
        return
    try:
        connection = get_connection(timeout=5)
        connection.open()
        connection.close()
    except OSError as error:  # smtplib's errors are OSErrors
        yield Finding("FAIL", "mail", f"the mail server refuses ({type(error).__name__})", "MUNIMENT_SMTP_URL")
    else:
        yield Finding("ok", "mail", f"{sender}; {tries}")


def letters() -> Iterator[Finding]:
    """Whether the letters that were written are also sent, and do not come back."""
    found = post.standing()
    late = found.since is not None and utc_now() - found.since > LATE
    how = "MUNIMENT_MAIL_PROVIDER" if settings.MAIL_PROVIDER else "MUNIMENT_SMTP_URL"
    if late:
        why = f", the last try ended with {found.trouble}" if found.trouble else ""
        says = f"waiting to be sent: {found.waiting}, the oldest since {found.since:%Y-%m-%d %H:%M} UTC{why}"
        yield Finding("warn", "letters", says, f"{how}, and whether the worker and the beat run")
    if found.failed:
        says = f"given up: {found.failed}, refused by the mail server or tried for five days"
        yield Finding("warn", "letters", says, f"{how}; the worker's log says which")
    if found.back or found.delayed:
        says = f"came back: {found.back}, and late at {settings.MAIL_PROVIDER or 'the provider'}: {found.delayed}"
        yield Finding("warn", "letters", says, "the addresses; the web process's log says which letters")
    if not late and not found.failed and not found.back and not found.delayed:
        yield Finding("ok", "letters", f"waiting to be sent: {found.waiting or 'none'}")


def production() -> Iterator[Finding]:
    """What is fine at home and wrong in public."""
    local = urlsplit(settings.PUBLIC_URL).hostname in ("localhost", "127.0.0.1", "::1")
    if settings.DEBUG:
        level = "warn" if local else "FAIL"
        yield Finding(level, "debug", "is on", "MUNIMENT_DEBUG=false")
    else:
        yield Finding("ok", "debug", "is off")


QUESTIONS: tuple[Question, ...] = (
    python,
    system_checks,
    root_key,
    instance.roles,
    instance.server,
    instance.extensions,
    instance.migrations,
    instance.gate_functions,
    instance.ticket_key,
    instance.logs,
    log.hold,
    log.doubts,
    log.log_keys,
    log.log_keeps_up,
    log.log_policy,
    log.log_witnesses,
    keys.epochs,
    keys.reclaiming,
    keys.backups,
    broker,
    state_folder,
    web,
    worker,
    model,
    mail,
    letters,
    production,
)


def _status(url: str, headers: dict[str, str] | None = None) -> int | None:
    """The HTTP status of a GET, or None when nothing answers."""
    request = urllib.request.Request(url, headers=headers or {})  # noqa: S310 - the operator's own settings
    try:
        with urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except (OSError, ValueError):
        return None


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []  # asked as one of the questions, so that the rest is answered too

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: object, **options: object) -> None:
        """Ask everything, print it, and exit 1 if anything is a FAIL."""
        found: list[Finding] = []
        for question in QUESTIONS:
            try:
                found += question()
            except Exception as error:  # a question that breaks must not hide the others' answers
                said = " ".join(str(error).split()) or type(error).__name__
                found.append(Finding("FAIL", question.__name__.replace("_", " "), said))
        failed = sum(finding.level == "FAIL" for finding in found)
        if options["json"]:
            answer = {"ok": not failed, "findings": [finding._asdict() for finding in found]}
            self.stdout.write(json.dumps(answer, indent=1))
        else:
            for finding in found:
                fix = f"  → {finding.fix}" if finding.fix else ""
                self.stdout.write(f"{finding.level:<4}  {finding.name}: {finding.says}{fix}")
            self.stdout.write(f"\n{len(found)} answers, {failed} to correct.")
        if failed:
            raise SystemExit(1)
