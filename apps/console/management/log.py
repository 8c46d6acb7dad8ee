"""What the doctor asks of the instance's transparency log: its keys, and whether it keeps up."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

from django.conf import settings

from apps.console.management.instance import Finding
from apps.ledger import services as ledger

PATIENCE = 5.0  # seconds: what a receipt may take to be provable
NO_ROLE = "not asked: this process has no log's URL"


def log_keys() -> Iterator[Finding]:
    """The file that the log signs with: lost, the log cannot go on under its name."""
    if "log" not in settings.DATABASES:
        yield Finding("warn", "log keys", NO_ROLE, "set MUNIMENT_DB_LOG_URL and MUNIMENT_LOG_KEY_FILE to have it asked")
        return
    path = Path(settings.LOG_KEY_FILE)
    if not path.exists() and not ledger.vkeys():
        yield Finding("warn", "log keys", f"{path} is not made yet", "start the process log: make run")
    elif wrong := ledger.keys_wrong(path, signing=not settings.LOG_SIGNER):
        yield Finding("FAIL", "log keys", wrong, "MUNIMENT_LOG_KEY_FILE, chmod 600")
    else:
        yield Finding("ok", "log keys", f"{path} is there and private; keep a copy away from the database's backups")


def log_policy() -> Iterator[Finding]:
    """Whether the file that names the log's witnesses can be used, and is what the log's process goes by."""
    if "log" not in settings.DATABASES or not settings.LOG_POLICY:
        return
    try:
        text = ledger.read_policy(settings.LOG_POLICY)
    except ledger.LogProblem as problem:
        yield Finding(
            "FAIL", "log policy", str(problem), "MUNIMENT_LOG_POLICY, or correct the file: docs/transparency-log.md"
        )
        return
    if text == ledger.policy_in_force():
        yield Finding("ok", "log policy", f"{settings.LOG_POLICY} is in force")
    elif ledger.on_hold():
        says = f"{settings.LOG_POLICY} can be used, and is not in force: on hold the log's process does not take it up"
        yield Finding("warn", "log policy", says, "end the hold first")
    else:
        says = f"{settings.LOG_POLICY} can be used, and is not in force: the log's process has not started with it"
        yield Finding("warn", "log policy", says, "start the process log again: it reads the file then")


def log_witnesses() -> Iterator[Finding]:
    """How many of the witnesses that are asked have cosigned what was signed until a minute ago."""
    asked = [each for each in ledger.witnesses() if each.url]
    if not asked and "log" in settings.DATABASES and settings.LOG_POLICY:
        fix = "see the log's policy above; quorum none alone asks nobody"
        yield Finding("warn", "log witnesses", "none is asked by the policy in force, though one is set", fix)
        return
    if not asked:
        fix = "name some in a tlog-policy, MUNIMENT_LOG_POLICY: docs/transparency-log.md"
        yield Finding("warn", "log witnesses", "none: whoever holds the log's key could show two histories", fix)
        return
    behind = [each for each in asked if each.heard.behind]
    asks = f"the policy asks for {ledger.witnessed([]).asks}"
    enough = ledger.witnessed([each.vkey for each in asked if not each.heard.behind]).quorum
    for each in behind:
        said = each.heard.refusal or "it has answered nothing"
        yield Finding("warn", "log witness", f"{each.name} has cosigned nothing lately: {said}", f"is {each.url} up?")
    says = f"{len(asked) - len(behind)} of {len(asked)} cosigned lately; {asks}"
    if enough:
        yield Finding("ok", "log witnesses", says)
    else:
        yield Finding("FAIL", "log witnesses", says, "proofs stay without a quorum until enough of them answer again")


def hold() -> Iterator[Finding]:
    """Whether this instance may stamp, and where not, why."""
    held = ledger.on_hold()
    if held is None:
        yield Finding("ok", "hold", "none: this instance may stamp")
    else:
        first = (
            "stop the copy that signed with this log's keys, then"
            if held.proven
            else "put the right database in place, or"
        )
        fix = f"{first}: manage.py restored --origin ANOTHER-NAME (docs/transparency-log.md)"
        yield Finding("FAIL", "hold", f"nothing is stamped since {held.at:%Y-%m-%d %H:%M} UTC: {held.reason}", fix)


def doubts() -> Iterator[Finding]:
    """What the guard could not find out at the last start."""
    for said in ledger.doubts():
        yield Finding("warn", "log doubt", said, "docs/self-hosting.md, Back up and restore; the next start asks again")


def log_keeps_up() -> Iterator[Finding]:
    """Whether what waits now is published within the time a receipt may take."""
    fix = "start the process log: make run, or manage.py publish_log; its log says why it stopped"
    if "log" not in settings.DATABASES:
        yield Finding("warn", "log", NO_ROLE, "set MUNIMENT_DB_LOG_URL to have it asked")
        return
    if ledger.checkpoint() is None:
        yield Finding("FAIL", "log", "nothing was ever published", fix)
        return
    waiting, until = ledger.waiting(), monotonic() + PATIENCE
    while waiting and monotonic() < until:
        sleep(0.5)
        waiting &= ledger.waiting()
    if waiting:
        yield Finding("FAIL", "log", f"{len(waiting)} chains have waited for {PATIENCE:.0f} s to be published", fix)
    else:
        yield Finding("ok", "log", "every chain's head is published")
