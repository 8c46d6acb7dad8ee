"""The post: a letter is written within an act, and goes once that stands; it goes at least once, and looks once.

At least once: who takes a letter in hand has it for `LEASE`; if they fall between the mail server's yes and the note
that it has gone, it goes again after that, under the same Message-ID, by which a mail program shows it once.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.conf import settings

from apps.ledger.log import Act
from apps.mail import digests, folder, leaving, store, wished
from apps.mail.digests import Due as Due
from apps.mail.digests import Telling as Telling
from apps.mail.handing import hand
from apps.mail.operating import Unsent as Unsent
from apps.mail.operating import hand_over
from apps.mail.refusals import for_good, of_one_letter
from apps.mail.store import Post as Post
from apps.mail.store import Sent as Sent
from apps.mail.writing import html_of as html_of
from apps.mail.writing import write
from apps.policy.arriving import Told, too_late
from apps.policy.letters import QUIET, Given, Letter, next_try, pack, reachable, series_of, unpack
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from apps.policy.wishes import Switch, Wishes, check, held_until, without
from vault.celery import app
from vault.zones import zone_named

log = logging.getLogger("muniment.mail")
LEASE = timedelta(minutes=10)  # longer than any conversation with a mail server whose every answer may take 20 s
KEPT = timedelta(days=90)  # a letter's line, empty, so that the same is not told again


def post(within: Act, letter: Letter, to: UUID, facts: Mapping[str, Given], *, key: str) -> bool:
    """Write a letter to a person, within the act it tells of: it goes when that stands, and never if it doesn't.

    Once for each `key` of this letter and person; of some letters (`policy.letters.QUIET`) one of a series is enough
    for a while, the series being the key up to its first "/". False where none goes for that, where the person has no
    address, and where they do without it. Raises ValueError for facts that this letter does not carry
    (`policy.letters.FACTS`).
    """
    quiet = QUIET.get(letter, timedelta(0))
    return _go(store.keep(within, letter, to, pack(letter, facts), key, series_of(letter, key), quiet))


def post_to(within: Act, letter: Letter, address: str, zone: str, facts: Mapping[str, Given], *, key: str) -> bool:
    """Write a letter to an address that is nobody's account, within the act it tells of: as `post` does, once for each
    `key` of this letter in the vault. Its times are told in `zone` (an IANA name). The letter keeps the address until
    it has gone or is given up, and no longer.

    False where no mail can go there. Raises ValueError as `post` does.
    """
    return _go(store.keep_outside(within, letter, address, zone, pack(letter, facts), key))


def remind(letter: Letter, to: UUID, facts: Mapping[str, Given], *, key: str, vault_id: UUID | None = None) -> bool:
    """Write a letter that belongs to no act, because nothing is done: once for each `key`, as `post` does."""
    return _go(store.lay(letter, to, pack(letter, facts), key, vault_id))


def end_within(within: Act) -> int:
    """Nothing is sent about a vault any more, within the act that erases it. Returns how many letters there were."""
    return store.end(within)


def forget_person(within: Act, to: UUID) -> int:
    """Nothing is sent to a person any more. Returns how many letters there were."""
    return store.end(within, to)


def _go(letter_id: UUID | None) -> bool:
    """Have it sent after the commit. Where nobody hears of it, `sweep` finds it."""
    if letter_id is not None:
        store.once_it_stands(lambda: _publish(letter_id))
    return letter_id is not None


def _publish(letter_id: UUID) -> None:
    app.send_task("mail.send", args=[letter_id.hex], retry=False)


# ---------------------------------------------------------------- sending
class Fate(Enum):
    """What came of a try to send a letter."""

    SENT = auto()
    LEFT = auto()  # not due, or in somebody else's hand, or its own trouble
    NO_SERVER = auto()  # trouble that the next letter would meet as well


def send(letter_id: UUID) -> Fate:
    """Send a letter that is due. Who calls again, or at the same time, sends nothing."""
    envelope = store.claim(letter_id, LEASE)
    if envelope is None:
        return Fate.LEFT
    if not envelope.to:
        store.put_off(letter_id, "no address", None)
        return Fate.LEFT
    until = held_until(envelope.wishes, envelope.letter, envelope.facts, envelope.at, zone_named(envelope.time_zone))
    if until is not None:
        store.hold(letter_id, until)
        return Fate.LEFT
    try:
        if too_late(envelope.letter, unpack(envelope.letter, envelope.facts), envelope.at):
            store.put_off(letter_id, "too late", None)
            return Fate.LEFT
        hand(write(envelope))
    except Exception as error:  # whatever it is, it holds up no other letter, and this one is tried again
        _put_off(envelope, error)
        return Fate.LEFT if of_one_letter(error) else Fate.NO_SERVER
    store.sent(letter_id)
    return Fate.SENT


def _put_off(envelope: store.Envelope, error: Exception) -> None:
    wait = next_try(envelope.attempts, for_good=for_good(error))
    name, fate = type(error).__name__, "is given up" if wait is None else "is tried again"
    log.error("letter %s (%s) could not be sent: %s. It %s", envelope.letter_id, envelope.letter.value, name, fate)
    store.put_off(envelope.letter_id, name, wait)


def sweep(limit: int) -> int:
    """Send what is due: what a lost message, a fallen worker or a silent mail server left. How many went.

    Where the mail server is the trouble, the others wait for the next sweep: a worker has other work than to wait for
    it once a letter.
    """
    went = 0
    for letter_id in store.due(limit):
        fate = send(letter_id)
        went += fate is Fate.SENT
        if fate is Fate.NO_SERVER:
            break
    return went


def forget(now: datetime) -> int:
    """Take away the lines of letters that went, or were given up, long ago, and the files of those that were written
    into a folder. How many lines and files.
    """
    return store.forget(KEPT) + folder.empty(now)


def standing() -> Post:
    """How the post stands, for the operator: numbers, no names."""
    return store.post()


# ---------------------------------------------------------------- what became of them
def tell(letter_id: UUID, told: Told) -> bool:
    """What a provider tells of a letter that it took. True if that is new."""
    return store.note(letter_id, told)


def letters_of(vault_id: UUID, keys: str) -> tuple[Sent, ...]:
    """How far the letters are that a vault sent to addresses which are nobody's account, by the beginning of their
    keys; the oldest first. Of letters older than `KEPT` nothing is known.
    """
    return store.letters_of(vault_id, keys)


def take_back(within: Act, keys: str) -> int:
    """Send none of these that has not gone yet, within the act that makes them pointless. Returns how many."""
    return store.take_back(within, keys)


# ---------------------------------------------------------------- the operator's
def try_out(address: str) -> str:
    """Hand a mail for this address over, now. Returns who took it. Raises Unsent, which says what to do."""
    if not reachable(address):
        raise Unsent(f"{address!r} is no address that mail goes to. Write it as somebody@example.org.")
    return hand_over("test", address, {})


def tell_operator(template: str, around: Mapping[str, Any]) -> bool:
    """Mail who runs the instance, now and by no outbox: what it is about may be the database. False where nobody is
    named (MUNIMENT_MAIL_OPERATOR). Raises Unsent.
    """
    if not settings.MAIL_OPERATOR:
        return False
    hand_over(template, settings.MAIL_OPERATOR, around)
    return True


# ---------------------------------------------------------------- by schedule
def digests_due(now: datetime, limit: int) -> tuple[Due, ...]:
    """Whose digests are due, at most so many. With the last of them, whoever is new here is noted to be looked up at
    their next hour, which is later than `now`.
    """
    found = digests.due(now, limit)
    if len(found) < limit:
        while digests.welcome(now, limit) == limit:
            continue
    return found


def hand_in(due: Due, tellings: Sequence[Telling] | None, now: datetime) -> int:
    """Settle what is due: these letters, or none because it could not be found out (None), and the person's next hour
    is due then. Of two beats one does it. Returns how many letters go: none long after the hour, as at night.
    """
    return sum(_go(each) for each in digests.settle(due, tellings, now))


# ---------------------------------------------------------------- what people wish
def wishes(user_id: UUID) -> Wishes:
    """What this person wishes of mail; as it is for everybody until they say something."""
    return wished.wishes(user_id)


def phrase_at(address: str) -> str:
    """The words that the person with this address chose, as a letter bears them; "" for none and for nobody. For mail
    that tells its reader something at once, and is no letter.
    """
    return wished.phrase_at(address)


def set_wishes(user_id: UUID, wish: Wishes, now: datetime) -> Wishes | Refused:
    """Wish this of mail, knowing the `version` that was there. What waits and is done without now goes nowhere.

    Refused as stale where something else was wished meanwhile, or the person is gone. Raises TextProblem by the field.
    """
    kept = wished.keep(user_id, check(wish, wishes(user_id)), now)
    return kept if kept is not None else Refused(Refusal.STALE)


def unsubscribing(token: str) -> Switch | None:
    """What the token of a `List-Unsubscribe` switches off; None for what is no token of ours. Says nothing of whose."""
    found = leaving.left_by(token)
    return found[1] if found else None


def unsubscribe(token: str, now: datetime) -> Switch | None:
    """Have its person do without it. Of who is gone there is nothing to switch, and the answer is the same."""
    found = leaving.left_by(token)
    if found is None:
        return None
    user_id, switch = found
    while wished.keep(user_id, without(wishes(user_id), switch), now) is None and wished.known(user_id):
        continue  # something else was wished at the same moment
    return switch
