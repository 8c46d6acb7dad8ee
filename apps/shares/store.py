"""Rows of shares, as facts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F
from psycopg import sql

from apps.holders import services as holders
from apps.ledger import log
from apps.ledger.log import Act, fetch
from apps.memories import services as memories
from apps.policy.people import DOOR
from apps.policy.shares import Code, Link, Opening, Share, ShareItem
from apps.policy.types import Memory
from apps.shares.models import ShareItemRow, ShareLinkRow, ShareOpeningRow, ShareRow

_SHARE = (
    "share_id",
    "terms_version",
    "made_at",
    "made_by",
    "sender",
    "note",
    "code",
    "expires_at",
    "opens_most",
    "opens_left",
    "tries_left",
    "stopped_at",
    "locked_at",
    "ended_at",
)
_LINK = (
    "link_id",
    "share_id",
    "name",
    "address",
    "stopped_at",
    "challenge_id",
    "challenged_at",
    "notes",
    "wrong",
    "wrong_at",
)
_OPENING = ("opening_id", "share_id", "link_id", "opened_at", "views", "last_view_at", "client")


def _columns(names: Iterable[str], table: str) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(table, name) for name in names)


# ---------------------------------------------------------------- who comes with a token
@dataclass(frozen=True, slots=True)
class Found:
    """All that the rules need to let somebody in: the share, the link they have, the memories that were shared, and
    the opening that they say was theirs. `pin` is its slow hash, `zone` that of whom the vault is about.
    """

    share: Share
    link: Link
    pin: str
    memories: tuple[Memory, ...]
    opening: Opening | None
    zone: str


_BY_TOKEN = (
    sql.SQL(
        "SELECT {}, {}, s.pin FROM share_link l JOIN share s ON s.vault_id = l.vault_id AND s.share_id = l.share_id"
        " WHERE l.vault_id = %s AND l.token_hash = %s"
    )
    .format(_columns(_SHARE, "s"), _columns(_LINK, "l"))
    .as_string(None)
)
_ITEMS = (
    "SELECT i.memory_id, i.version FROM share_link l"
    " JOIN share_item i ON i.vault_id = l.vault_id AND i.share_id = l.share_id"
    " WHERE l.vault_id = %s AND l.token_hash = %s ORDER BY i.place"
)
_IDS = (
    "SELECT i.memory_id FROM share_link l JOIN share_item i ON i.vault_id = l.vault_id AND i.share_id = l.share_id"
    " WHERE l.vault_id = %s AND l.token_hash = %s"
)
_OPENED = (
    sql.SQL("SELECT {} FROM share_opening o WHERE o.vault_id = %s AND o.opening_id = %s")
    .format(_columns(_OPENING, "o"))
    .as_string(None)
)


def found(vault_id: UUID, hashed: bytes, opening_id: UUID | None = None) -> Found | None:
    """What a token leads to, in one network round trip; as much is asked for one that leads nowhere."""
    by = [vault_id, hashed]
    (links, items, memory_rows, openings, zones) = fetch(
        vault_id,
        DOOR,
        [
            (_BY_TOKEN, by),
            (_ITEMS, by),
            memories.facts_of_query(vault_id, _IDS, by),
            (_OPENED, [vault_id, opening_id]),
            holders.zone_query(vault_id),
        ],
    )
    if not links:
        return None
    row, shared = links[0], tuple(ShareItem(*each) for each in items)
    link = Link(*row[len(_SHARE) : -1])
    return Found(
        _share(row[: len(_SHARE)], shared, (link,)),
        link,
        row[-1],
        tuple(memories.fact(each) for each in memory_rows),
        Opening(*openings[0]) if openings else None,
        zones[0][0] if zones else "UTC",
    )


def _share(row: Sequence[Any], items: tuple[ShareItem, ...], links: tuple[Link, ...]) -> Share:
    values = list(row)
    values[6] = Code(values[6])
    return replace(Share(*values), items=items, links=links)


_SPENT = """
WITH wrong AS (
  UPDATE share_link l SET wrong = l.wrong + 1, wrong_at = %s
   WHERE l.vault_id = %s AND l.link_id = %s AND l.wrong = %s RETURNING l.vault_id, l.share_id
)
UPDATE share s SET tries_left = s.tries_left - 1 FROM wrong w
 WHERE s.vault_id = w.vault_id AND s.share_id = w.share_id AND s.tries_left > 0 AND s.locked_at IS NULL
RETURNING s.tries_left
"""
_GIVEN_BACK = """
WITH wrong AS (
  UPDATE share_link l SET wrong = %s, wrong_at = %s
   WHERE l.vault_id = %s AND l.link_id = %s AND l.wrong = %s RETURNING l.vault_id, l.share_id
)
UPDATE share s SET tries_left = s.tries_left + 1 FROM wrong w WHERE s.vault_id = w.vault_id AND s.share_id = w.share_id
"""


def spend_try(vault_id: UUID, link: Link, now: datetime) -> int | None:
    """A code is about to be compared by this link: how many tries its share has left after this one. None where none
    is, or somebody else tries by it at the same moment. Before the comparison, so that of many at once no more are
    compared than there are tries. Bookkeeping, not an act.
    """
    (rows,) = fetch(vault_id, DOOR, [(_SPENT, [now, vault_id, link.link_id, link.wrong])])
    return rows[0][0] if rows else None


def give_back_try(vault_id: UUID, link: Link) -> None:
    """The code was right: no try was needed, and the link is as it was before."""
    before = [link.wrong, link.wrong_at, vault_id, link.link_id, link.wrong + 1]
    fetch(vault_id, DOOR, [(_GIVEN_BACK, before)])


def challenge(act: Act, link_id: UUID, challenge_id: UUID, now: datetime) -> None:
    """From now on this challenge's code opens, and no earlier one's."""
    rows = ShareLinkRow.objects.filter(vault_id=act.vault_id, link_id=link_id)
    rows.update(challenge_id=challenge_id, challenged_at=now)


def meet_challenge(vault_id: UUID, link_id: UUID, challenge_id: UUID) -> bool:
    """A mailed code opens once: was it still to be used?"""
    met = (
        "UPDATE share_link SET challenge_id = NULL"
        " WHERE vault_id = %s AND link_id = %s AND challenge_id = %s RETURNING 1"
    )
    (rows,) = fetch(vault_id, DOOR, [(met, [vault_id, link_id, challenge_id])])
    return bool(rows)


def leave_note(act: Act, link_id: UUID, most: int) -> int | None:
    """One more note came by this link: how many it has left now; None where it has left as many as it may."""
    rows = ShareLinkRow.objects.filter(vault_id=act.vault_id, link_id=link_id)
    if not rows.filter(notes__lt=most).update(notes=F("notes") + 1):
        return None
    return rows.values_list("notes", flat=True).get()


# ---------------------------------------------------------------- whoever shares
def shares(vault_id: UUID, limit: int) -> tuple[Share, ...]:
    """The newest shares, with what they hold and their links."""
    rows = ShareRow.objects.filter(vault_id=vault_id).order_by("-made_at", "-share_id")
    return _whole(vault_id, rows.values_list(*_SHARE)[:limit])


def share(vault_id: UUID, share_id: UUID) -> Share | None:
    """One share; None for an unknown id."""
    found = _whole(vault_id, ShareRow.objects.filter(vault_id=vault_id, share_id=share_id).values_list(*_SHARE))
    return found[0] if found else None


def _whole(vault_id: UUID, rows: Iterable[Sequence[Any]]) -> tuple[Share, ...]:
    found = list(rows)
    ids = [row[0] for row in found]
    items: dict[UUID, list[ShareItem]] = {each: [] for each in ids}
    links: dict[UUID, list[Link]] = {each: [] for each in ids}
    held = ShareItemRow.objects.filter(vault_id=vault_id, share_id__in=ids).order_by("place")
    for share_id, memory_id, version in held.values_list("share_id", "memory_id", "version"):
        items[share_id].append(ShareItem(memory_id, version))
    for row in ShareLinkRow.objects.filter(vault_id=vault_id, share_id__in=ids).order_by("place").values_list(*_LINK):
        links[row[1]].append(Link(*row))
    return tuple(_share(row, tuple(items[row[0]]), tuple(links[row[0]])) for row in found)


def openings(vault_id: UUID, share_id: UUID) -> tuple[Opening, ...]:
    """Each opening of a share, newest first."""
    rows = ShareOpeningRow.objects.filter(vault_id=vault_id, share_id=share_id).order_by("-opened_at", "-opening_id")
    return tuple(Opening(*row) for row in rows.values_list(*_OPENING))


def opening(vault_id: UUID, opening_id: UUID) -> Opening | None:
    """One opening; None for an unknown id."""
    row = ShareOpeningRow.objects.filter(vault_id=vault_id, opening_id=opening_id).values_list(*_OPENING).first()
    return Opening(*row) if row else None


def links(vault_id: UUID) -> tuple[Link, ...]:
    """Every link that is known still."""
    rows = ShareLinkRow.objects.filter(vault_id=vault_id).order_by("share_id", "place")
    return tuple(Link(*row) for row in rows.values_list(*_LINK))


def sent(vault_id: UUID, key: bytes) -> tuple[Share, bytes] | None:
    """The share that came with this key, and the hash of all that came with it."""
    row = ShareRow.objects.filter(vault_id=vault_id, key=key).values_list("share_id", "sent").first()
    known = share(vault_id, row[0]) if row else None
    return (known, bytes(row[1] or b"")) if row and known else None


def add(
    act: Act,
    new: Share,
    hashes: Sequence[bytes],
    pin: str,
    sent: tuple[bytes, bytes] | None,
) -> None:
    """A share, what it holds, and its links by the hashes of their tokens."""
    key, everything = sent or (None, None)
    act.insert(
        ShareRow(
            vault_id=act.vault_id,
            pin=pin,
            key=key,
            sent=everything,
            **{name: getattr(new, name) for name in _SHARE if name != "code"},
            code=new.code.value,
        )
    )
    for place, item in enumerate(new.items):
        held = {"memory_id": item.memory_id, "version": item.version, "place": place}
        act.insert(ShareItemRow(vault_id=act.vault_id, share_id=new.share_id, **held))
    for place, (link, hashed) in enumerate(zip(new.links, hashes, strict=True)):
        told = {name: getattr(link, name) for name in _LINK}
        act.insert(ShareLinkRow(vault_id=act.vault_id, place=place, token_hash=hashed, **told))


# ---------------------------------------------------------------- how it ends
def stop(act: Act, share_id: UUID, now: datetime) -> None:
    """It opens for nobody from here on, and nobody looks again, though it was written down as used up before. Its terms
    move, so that a stamp in flight is not released.
    """
    rows = ShareRow.objects.filter(vault_id=act.vault_id, share_id=share_id, stopped_at=None, locked_at=None)
    rows.update(stopped_at=now, terms_version=F("terms_version") + 1)


def lock(act: Act, share_id: UUID, now: datetime) -> bool:
    """Its code was tried too often: it opens for nobody. False where it has ended already."""
    return _end(act, share_id, locked_at=now, terms_version=F("terms_version") + 1)


def end(act: Act, share_id: UUID, now: datetime) -> bool:
    """That its time is over, or all openings are used, is written down. False where it was, or it ended otherwise."""
    return _end(act, share_id, ended_at=now)


def _end(act: Act, share_id: UUID, **how: Any) -> bool:
    rows = ShareRow.objects.filter(vault_id=act.vault_id, share_id=share_id)
    return rows.filter(stopped_at=None, locked_at=None, ended_at=None).update(**how) == 1


def stop_link(act: Act, share_id: UUID, link_id: UUID, now: datetime) -> None:
    """This link opens for nobody from here on; the terms of the whole share move with it."""
    ShareLinkRow.objects.filter(vault_id=act.vault_id, link_id=link_id, stopped_at=None).update(stopped_at=now)
    ShareRow.objects.filter(vault_id=act.vault_id, share_id=share_id).update(terms_version=F("terms_version") + 1)


def told(vault_id: UUID, opening_id: UUID, now: datetime) -> None:
    """Whoever shared was told of this opening. Bookkeeping, not an act."""
    noted = "UPDATE share_opening SET told_at = %s WHERE vault_id = %s AND opening_id = %s AND told_at IS NULL"
    fetch(vault_id, DOOR, [(noted, [now, vault_id, opening_id])])


_FORGET = (
    "DELETE FROM share_opening WHERE vault_id = %s AND share_id = ANY(%s)",
    "DELETE FROM share_link WHERE vault_id = %s AND share_id = ANY(%s)",
    "DELETE FROM share_item WHERE vault_id = %s AND share_id = ANY(%s)",
    "DELETE FROM share WHERE vault_id = %s AND share_id = ANY(%s) RETURNING 1",
)


def hashes(vault_id: UUID, share_id: UUID) -> tuple[bytes, ...]:
    """The hashes of the tokens that lead to a share."""
    rows = ShareLinkRow.objects.filter(vault_id=vault_id, share_id=share_id)
    return tuple(bytes(each) for each in rows.values_list("token_hash", flat=True))


def forget(vault_id: UUID, share_id: UUID) -> int:
    """Nothing is left of a share that ended but receipts. How many there were. Housekeeping, not an act."""
    asked = [vault_id, [share_id]]
    return len(fetch(vault_id, DOOR, [(each, asked) for each in _FORGET])[-1])


def forget_all(act: Act) -> int:
    """Nothing is left of any share of the vault. How many there were."""
    rows = ShareRow.objects.filter(vault_id=act.vault_id).values_list("share_id", flat=True)
    asked = [act.vault_id, list(rows)]
    return len(log.within([(each, asked) for each in _FORGET])[-1])


_SAID_OF = """
WITH held AS (
  DELETE FROM share_item i WHERE i.vault_id = %(vault)s AND i.memory_id = ANY (%(memories)s) RETURNING i.share_id
), said AS (
  UPDATE share s SET note = '' FROM (SELECT DISTINCT share_id FROM held) h
   WHERE s.vault_id = %(vault)s AND s.share_id = h.share_id AND s.note <> '' RETURNING 1
)
SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM said)
"""


def forget_said_of(act: Act, memory_ids: Sequence[UUID]) -> tuple[int, int]:
    """No share holds these memories any more, and nothing is left of what was said on those that did. How many held
    ones, and how many notes.
    """
    ((held, said),) = log.within([(_SAID_OF, {"vault": act.vault_id, "memories": list(memory_ids)})])[0]
    return held, said
