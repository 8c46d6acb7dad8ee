"""The keys from epoch to epoch: first the changes of vaults' keys that somebody fell over, then the vaults in which
something was erased, then the root key over all of them.

In this order, so that whoever has an older copy of the database and today's root keys has no vault key that would open
what was erased. Each step may be killed and done again, by two at once if need be: what is left of it is found in the
rows and in the file.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from apps.memories import epochs, roots
from apps.memories.epochs import RootEpoch, Waiting
from apps.memories.services.rotating import go_on, rotate
from apps.policy.people import CLOCK

BATCH = 1000
EARLY = timedelta(hours=6)  # before its day: for the time that the work takes, and a beat that was late
LINGERS = timedelta(days=1)  # so long at most an old root key stays in the file
AT_WORK = timedelta(hours=1)  # whoever began to change a vault's key is left alone: of two one would work for nothing
GRACE = timedelta(minutes=15)  # for whoever read a wrapped key just before it was wrapped anew
log = logging.getLogger("muniment.keys")


@dataclass(frozen=True, slots=True)
class Turned:
    """What was done. `stuck`: vaults whose keys did not open, or could not be changed. `says`: what somebody has to do,
    in sentences."""

    vaults: int = 0
    made: int | None = None
    wrapped: int = 0
    destroyed: tuple[int, ...] = ()
    stuck: tuple[UUID, ...] = ()
    says: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How the keys stand: the newest root key, older ones that the file still holds, what waits, since when the oldest
    change of a vault's key that is not over was begun, whether a turn is due, and why the file of root keys cannot be
    changed from here ("" where it can)."""

    root: RootEpoch
    older: tuple[int, ...]
    waiting: Waiting
    begun: datetime | None
    due: bool
    fixed: str

    def late(self, now: datetime) -> str:
        """What takes longer than was promised, as a sentence: mostly that what was erased is in reach of an older copy;
        "" where nothing does."""
        since = min([self.root.made_at, *([self.waiting.since] if self.waiting.since else [])])
        if now - since > timedelta(days=settings.KEY_EPOCH_DAYS):
            promised = f"every {settings.KEY_EPOCH_DAYS} days was promised"
            return f"Older copies open what was erased: keys have waited since {since:%Y-%m-%d}, {promised}."
        if self.older and now - self.root.made_at > LINGERS:
            return "Older copies open what was erased: an old root key is in its file for longer than a day."
        if self.begun and now - self.begun > LINGERS:
            return f"A vault's key began to be changed on {self.begun:%Y-%m-%d}, and that is not over."
        return ""


def standing(now: datetime) -> Standing:
    """How the keys stand. Changes nothing."""
    newest = epochs.roots()[-1]
    older = tuple(epoch for epoch in sorted(roots.root_keys()) if epoch < newest.epoch)
    due = _is_due(newest.made_at, now)
    begun = min((since for _, since in _waiting("begun", 0)), default=None)
    return Standing(newest, older, epochs.waiting(newest.epoch), begun, due, roots.cannot_change())


def turn(now: datetime, *, anew: bool = False, grace: timedelta = GRACE) -> Turned:
    """Do what is due: make an end of changes that somebody fell over, change the keys of vaults, wrap them under a new
    root key, destroy the old one `grace` after nothing needed it any more. `anew`: all of it now, due or not.
    """
    newest = _adopt(now)
    due = anew or _is_due(newest.made_at, now)
    ended, fallen = _each("begun", lambda since: anew or now - since >= AT_WORK, go_on)
    done, stuck = _each("vault", lambda since: due or _is_due(since, now), lambda vault_id: rotate(vault_id, now))
    made, says = None, []
    if due:
        try:
            made = roots.add(newest.epoch)
            epochs.know_root(made, now)
        except roots.CannotChange as error:
            says.append(
                f"{error} Append the line '{newest.epoch + 1} <64 hex>' where the secret is kept (openssl rand -hex 32"
                " makes one); the next run takes it."
            )
    newest = epochs.roots()[-1]
    wrapped, unwrapped = _wrap(newest.epoch)
    destroyed, left = _destroy(newest.epoch, now, grace)
    stuck = list(dict.fromkeys([*fallen, *stuck, *unwrapped]))
    return Turned(len({*ended, *done}), made, wrapped, destroyed, tuple(stuck), (*says, *left))


def _adopt(now: datetime) -> RootEpoch:
    """The newest root key; one that somebody put into the file, or that a kill left there, is known from now on."""
    newest, known = max(roots.root_keys()), epochs.roots()
    if newest > max((each.epoch for each in known), default=0):
        epochs.know_root(newest, now)
        known = epochs.roots()
    return known[-1]


def _is_due(since: datetime, now: datetime) -> bool:
    return now - since >= timedelta(days=settings.KEY_EPOCH_DAYS) - EARLY


def _waiting(kind: str, root_epoch: int) -> Iterator[tuple[UUID, datetime]]:
    after = UUID(int=0)
    while page := epochs.due(kind, root_epoch, after, BATCH):
        yield from page
        after = page[-1][0]


def _each(
    kind: str, due: Callable[[datetime], bool], change: Callable[[UUID], int | None]
) -> tuple[list[UUID], list[UUID]]:
    """Change the key of each vault of this kind whose time it is. Returns those it was done in, and where it failed."""
    done, stuck = [], []
    for vault_id, since in _waiting(kind, 0):
        if due(since):
            try:
                done += [vault_id] if change(vault_id) is not None else []
            except Exception as error:  # the others do not wait for it
                log.error("the key of vault %s cannot be changed: %s", vault_id, type(error).__name__)
                stuck.append(vault_id)
    return done, stuck


def _wrap(root_epoch: int) -> tuple[int, list[UUID]]:
    """Wrap every vault's keys under this root key."""
    done, stuck = 0, []
    for vault_id, _ in _waiting("root", root_epoch):
        try:
            done += epochs.rewrap_under_root(vault_id, CLOCK, root_epoch)
        except Exception as error:
            log.error("the key of vault %s cannot be wrapped anew: %s", vault_id, type(error).__name__)
            stuck.append(vault_id)
    return done, stuck


def _destroy(newest: int, now: datetime, grace: timedelta) -> tuple[tuple[int, ...], list[str]]:
    """Destroy the older root keys that wrap nothing any more, once that is some time ago."""
    gone, says = [], []
    held = roots.root_keys()
    for each in epochs.roots():
        if each.epoch == newest or not epochs.note_idle(each.epoch, now):
            continue
        if now - (each.idle_at or now) < grace:
            continue
        if each.epoch in held and (fixed := roots.cannot_change()):
            says.append(f"{fixed} Nothing needs the root key of epoch {each.epoch} any more: remove its line.")
        elif epochs.forget_root(each.epoch):
            gone.append(each.epoch)
    # Those that a kill left in the file after the database had forgotten them go with them.
    known = {each.epoch for each in epochs.roots()}
    leftover = [epoch for epoch in held if epoch < newest and epoch not in known]
    if leftover:
        try:
            roots.destroy(leftover)
        except roots.CannotChange as error:
            says.append(f"{error} Nothing needs the root keys {', '.join(map(str, leftover))}: remove their lines.")
    return tuple(gone), says
