"""Prints of sealed values: what a version's words are recognised by, without a value being read again.

A print is keyed with a key of the vault's epoch. What it was made of is digests, sealed under the vault's key beside
it, so that a vault whose key is changed has its prints keyed anew; where the keys are gone, so is what they recognised.
"""

import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import connections

from apps.ledger import log
from apps.ledger.log import Act
from apps.ledger.tickets import Keyed
from apps.memories import sealing, terms
from apps.memories.keys import VaultKey
from apps.memories.models import PrintRow
from apps.policy import prints
from apps.policy.echo import Sieve
from apps.policy.forms import forms, usual, ways
from apps.policy.looks import plainly
from apps.policy.people import CLOCK
from apps.policy.prints import Print

MOST_WORDS = 256
MOST_SIFTED = 500
WHOLE = 16  # bytes of a digest of all of it
PIECE = 8  # bytes of a word's
_PART = re.compile(r"[^\W_]+")


def of(key: VaultKey, text: str) -> Print:
    """A text's print, by the vault's key: of what it says to the eye, and beside it of all else that it may be read as,
    and may be written. What is kept is of the first alone: by its letters as they are written a text is recognised,
    too, whose print is from before eyes were asked, and by its other forms one that was written in one of them.
    """
    read = reading(text)
    plain, *others = (_keyed(key, each) for each in read.ways)
    if others:
        plain = replace(plain, also=tuple(each for each in dict.fromkeys(others) if each != plain))
    if not read.words and not read.numbers:
        return plain
    words, numbers = _pieces(key, b"word", read.words), _pieces(key, b"number", read.numbers)
    return plain.with_forms(frozenset(words), frozenset(numbers))


def reading(text: str) -> "Reading":
    """What a text's print is made of, whatever the key: within `terms.reading_once` it is read but once."""
    return terms.once(_read, text)


def put_many(act: Act, key: VaultKey, texts: Sequence[tuple[UUID, int, str]]) -> None:
    """Keep the prints of many versions, of what each says to the eye, in one statement."""
    rows = [
        PrintRow(
            vault_id=act.vault_id,
            memory_id=memory_id,
            version=version,
            whole=new.whole,
            words=sorted(new.words),
            length=new.length,
            numbers=sorted(new.numbers),
            negated=new.negated,
            epoch=key.of_prints.epoch,
            digests=packed,
        )
        for memory_id, version, new, packed in _made(act.vault_id, key, texts)
    ]
    if key.before is not None:  # which may have been read before this act, and be gone
        act.later("SELECT gate.check_epochs(%s, %s)", [act.vault_id, [key.before.epoch]])
    act.insert(*rows)


def put_anew(act: Act, key: VaultKey, texts: Sequence[tuple[UUID, int, str]]) -> None:
    """The prints of versions that were read again, where one does not say what it would if it was made today."""
    keys = [key] if key.before is None else [key.before, key.alone]
    for each in keys if texts else ():
        made = [
            (memory_id, version, new.whole, array(new.words), new.length, array(new.numbers), new.negated, packed)
            for memory_id, version, new, packed in _made(act.vault_id, each, texts)
        ]
        act.later(_ANEW, [*map(list, zip(*made, strict=True)), act.vault_id, each.epoch])


def _made(
    vault_id: UUID, key: VaultKey, texts: Sequence[tuple[UUID, int, str]]
) -> Iterator[tuple[UUID, int, Print, bytes]]:
    """Of each version the print of what it says to the eye, and sealed the digests that it is made of."""
    for memory_id, version, text in texts:
        digests = terms.once(_Digests, plainly(text)[0])
        packed = sealing.seal_digests(key.of_prints.key, _about(vault_id, memory_id, version), digests.packed(text))
        yield memory_id, version, _keyed(key, digests), packed


Sealed = tuple[UUID, int, bytes]  # memory, version, and the sealed digests that its print is made of
Rekeyed = tuple[UUID, int, bytes, bytes, str, str, bytes]  # these, and by the next key whole, words, numbers, digests


def sealed_under(
    vault_id: UUID, old: VaultKey, new: VaultKey, after: tuple[UUID, int], limit: int, act: Act | None = None
) -> list[Sealed]:
    """A page of what those prints are made of that are there under the old key alone: by (memory, version), from the
    one that follows `after` on. Within the clock's `act`, or else outside every look and act.
    """
    asked = (_NOT_FOLLOWED, [new.epoch, vault_id, old.epoch, *after, limit])
    (rows,) = log.within([asked]) if act is not None else log.fetch(vault_id, CLOCK, [asked])
    return [(memory_id, version, bytes(digests)) for memory_id, version, digests in rows]


def rekeyed(vault_id: UUID, old: VaultKey, new: VaultKey, sealed: Iterable[Sealed]) -> list[Rekeyed]:
    """Prints keyed anew, and what they are made of sealed anew, by the vault's next key. Raises sealing.CannotOpen."""
    made, new = [], new.alone
    for memory_id, version, digests in sealed:
        about = _about(vault_id, memory_id, version)
        packed = sealing.open_digests(old.key, about, digests)
        whole, words, numbers = _unpacked(packed)
        keyed = (array(_pieces(new, b"word", words)), array(_pieces(new, b"number", numbers)))
        sealed_anew = sealing.seal_digests(new.key, about, packed)
        made.append((memory_id, version, digests, _whole(new, whole), *keyed, sealed_anew))
    return made


def put_beside(vault_id: UUID, old: VaultKey, new: VaultKey, prints: Sequence[Rekeyed], act: Act | None = None) -> None:
    """Prints by the next key, beside those that they will follow: for what was neither erased nor changed meanwhile."""
    given = [new.epoch, *map(list, zip(*prints, strict=True)), vault_id, old.epoch]
    log.in_turn(vault_id, CLOCK, [(_BESIDE, given)], act)


def found(vault_id: UUID, versions: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], Print]:
    """The prints of these versions, by (memory, version)."""
    if not versions:
        return {}
    with connections["default"].cursor() as cursor:
        cursor.execute(_FOUND, [*map(list, zip(*versions, strict=True)), vault_id, vault_id])
        return {(memory_id, version): made for memory_id, version, made in map(fact, cursor.fetchall())}


def sifted(vault_id: UUID, memory_id: UUID, sieve: Sieve, *, proposed: bool = False) -> dict[int, Print]:
    """The prints of a memory's retired versions that may be an echo, by version: of several hundred the newest, those
    that say the very same among them; with `proposed` also the texts that were approved in other words. However many
    versions there are, the database lets the others go.
    """
    with connections["default"].cursor() as cursor:
        cursor.execute(
            _SIFTED,
            {
                "vault": vault_id,
                "memory": memory_id,
                "wholes": list(sieve.wholes),
                "words": sorted(sieve.words),
                "new_words": sorted(sieve.new_words),
                "new_numbers": sorted(sieve.new_numbers),
                "proposed": proposed,
                "most": MOST_SIFTED,
            },
        )
        return {version: made for _, version, made in map(fact, cursor.fetchall())}


def same(key: VaultKey, vault_id: UUID, memory_id: UUID, version: int, text: str) -> bool:
    """Does this version say it byte for byte? False also where its print was made under another of the vault's keys."""
    key = key.of_prints
    row = PrintRow.objects.filter(vault_id=vault_id, memory_id=memory_id, version=version, epoch=key.epoch)
    kept = row.values_list("digests", flat=True).first()
    if kept is None:
        return False
    packed = sealing.open_digests(key.key, _about(vault_id, memory_id, version), bytes(kept))
    return hmac.compare_digest(packed[:WHOLE], _digest(text, WHOLE))


def like(vault_id: UUID, wholes: Iterable[bytes]) -> dict[bytes, list[tuple[UUID, int]]]:
    """Which versions say exactly this, whichever memory's: (memory, version) by the digest of the whole."""
    rows = PrintRow.objects.filter(vault_id=vault_id, whole__in=list(wholes))
    told: dict[bytes, list[tuple[UUID, int]]] = {}
    for whole, memory_id, version in rows.order_by("memory_id", "version").values_list("whole", "memory_id", "version"):
        told.setdefault(bytes(whole), []).append((memory_id, version))
    return told


@dataclass(frozen=True, slots=True)
class Ended:
    """A version that does not hold, by its print: what it is recognised by in a text that goes on around it."""

    memory_id: UUID
    version: int
    whole: bytes
    words: frozenset[int]
    length: int
    numbers: frozenset[int]


def ended(vault_id: UUID, memory_ids: Collection[UUID]) -> list[Ended]:
    """All that these memories said and say no more, what was put away included; texts that only were proposed are not.
    Those that were kept before there were prints have none.
    """
    with connections["default"].cursor() as cursor:
        cursor.execute(_ENDED, {"vault": vault_id, "memories": list(memory_ids)})
        return [
            Ended(memory_id, version, bytes(whole), frozenset(words), length, frozenset(numbers))
            for memory_id, version, whole, words, length, numbers in cursor.fetchall()
        ]


def vocabulary(key: VaultKey, text: str) -> frozenset[int]:
    """Every word of a long text, as the eye reads it, keyed as a print's are; of scripts without blanks the pairs of
    characters too.
    """
    text, _ = plainly(text)
    told = " ".join(dict.fromkeys(prints.tokens(text)))
    foreign = " ".join(dict.fromkeys(each for each in text.split() if not each.isascii()))
    found = dict.fromkeys([*terms.words(told), *terms.words(foreign)])
    return frozenset(_pieces(key, b"word", _digested(found)))


def numbers(key: VaultKey, texts: Iterable[str]) -> dict[str, int]:
    """The keyed digest of each of these numbers, written as `prints.numbers` writes it."""
    given = list(texts)
    return dict(zip(given, _pieces(key, b"number", _digested(given)), strict=True))


def wholes(key: VaultKey, texts: Iterable[str]) -> dict[str, bytes]:
    """The keyed digest of each of these, written as `prints.whole` writes it."""
    return {text: _whole(key, _digest(text, WHOLE)) for text in texts}


# While a vault's key is changed a version has a print of each epoch, and those of the older one are in use. A query
# that compares keyed words with given ones finds these alone: keyed otherwise, the others are like nothing.
_FOUND = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated
  FROM unnest(%s::uuid[], %s::int[]) AS u(memory_id, version) JOIN value_print p USING (memory_id, version)
 WHERE p.vault_id = %s AND p.epoch = (SELECT min(k.epoch) FROM vault_key k WHERE k.vault_id = %s)
"""


# Django writes the numbers of an array as 32 bits wide in a query, so this one is written out.
_SIFTED = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated
  FROM value_print p JOIN memory_version v USING (vault_id, memory_id, version)
 WHERE p.vault_id = %(vault)s AND p.memory_id = %(memory)s
   AND v.retired_at IS NOT NULL AND v.ended_as <> 'waiting' AND (%(proposed)s OR v.ended_as <> 'proposed')
   AND (p.whole = ANY(%(wholes)s) OR p.words && %(new_words)s::bigint[] OR p.numbers && %(new_numbers)s::bigint[]
        OR (p.words <> '{}' AND p.words <@ %(words)s::bigint[]))
 ORDER BY p.whole = ANY(%(wholes)s) DESC, p.version DESC LIMIT %(most)s
"""


_ANEW = """
UPDATE value_print p
   SET whole = u.whole, words = u.words::bigint[], length = u.length, numbers = u.numbers::bigint[],
       negated = u.negated, digests = u.digests
  FROM unnest(%s::uuid[], %s::int[], %s::bytea[], %s::text[], %s::int[], %s::text[], %s::boolean[], %s::bytea[])
    AS u(memory_id, version, whole, words, length, numbers, negated, digests)
 WHERE p.vault_id = %s AND p.memory_id = u.memory_id AND p.version = u.version AND p.epoch = %s
   AND (p.whole, p.words, p.numbers, p.negated)
       IS DISTINCT FROM (u.whole, u.words::bigint[], u.numbers::bigint[], u.negated)
"""


_NOT_FOLLOWED = """
SELECT p.memory_id, p.version, p.digests
  FROM value_print p LEFT JOIN value_print n
    ON n.vault_id = p.vault_id AND n.memory_id = p.memory_id AND n.version = p.version AND n.epoch = %s
 WHERE p.vault_id = %s AND p.epoch = %s AND (p.memory_id, p.version) > (%s, %s) AND n.epoch IS NULL
 ORDER BY p.memory_id, p.version LIMIT %s
"""


_BESIDE = """
INSERT INTO value_print (vault_id, memory_id, version, whole, words, length, numbers, negated, epoch, digests)
SELECT p.vault_id, p.memory_id, p.version, u.whole, u.words::bigint[], p.length, u.numbers::bigint[], p.negated, %s,
       u.digests
  FROM unnest(%s::uuid[], %s::int[], %s::bytea[], %s::bytea[], %s::text[], %s::text[], %s::bytea[])
    AS u(memory_id, version, was, whole, words, numbers, digests)
  JOIN value_print p ON p.memory_id = u.memory_id AND p.version = u.version AND p.digests = u.was
 WHERE p.vault_id = %s AND p.epoch = %s
    ON CONFLICT DO NOTHING
"""


_ENDED = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers
  FROM memory m JOIN memory_version v USING (vault_id, memory_id)
  JOIN value_print p ON p.vault_id = v.vault_id AND p.memory_id = v.memory_id AND p.version = v.version
 WHERE m.vault_id = %(vault)s AND m.memory_id = ANY (%(memories)s)
   AND p.epoch = (SELECT min(k.epoch) FROM vault_key k WHERE k.vault_id = %(vault)s)
   AND CASE WHEN v.version = m.version THEN m.state IN ('withdrawn', 'merged')
            ELSE v.ended_as IN ('wrong', 'changed', 'late') END
 ORDER BY p.memory_id, p.version
"""


def _about(vault_id: UUID, memory_id: UUID, version: int) -> str:
    return f"muniment-print/1 {vault_id} {memory_id} {version}"


def fact(row: Sequence[Any]) -> tuple[UUID, int, Print]:
    """Memory, version and print from a row of memory_id, version, whole, words, length, numbers, negated."""
    memory_id, version, whole, words, length, numbers, negated = row
    return memory_id, version, Print(bytes(whole), frozenset(words), length, frozenset(numbers), negated)


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read of a text: the digests of each way in which it may be read, what it says to the eye first, and those
    of the words and numbers that stand in its other forms alone."""

    ways: tuple["_Digests", ...]
    words: Sequence[bytes] = ()
    numbers: Sequence[bytes] = ()


def _read(text: str) -> Reading:
    read, more = tuple(terms.once(_Digests, each) for each in ways(text, terms.once(usual, text))), forms(text)
    if not more:
        return Reading(read)
    words = dict.fromkeys(terms.words(" ".join(dict.fromkeys(_PART.findall(more)))))
    return Reading(read, _digested(words), _digested(prints.numbers_of_each(more)))


def _digested(texts: Iterable[str]) -> list[bytes]:
    return [_digest(each, PIECE) for each in texts]


class _Digests:
    """What a print is made of: digests of the whole, of the words and of the numbers."""

    def __init__(self, text: str) -> None:
        whole, numbers, negated = prints.told(text)
        self.whole = _digest(whole, WHOLE)
        self.words = _digested(list(dict.fromkeys(terms.words(text)))[:MOST_WORDS])
        self.numbers = _digested(numbers[:MOST_WORDS])
        self.long = _digested(filter(prints.is_long, numbers))[:MOST_WORDS]
        self.length = whole.count(" ") + 1
        self.negated = negated
        self.made: dict[VaultKey, Print] = {}  # by the key that it was made with, for as long as the text is read once

    def packed(self, written: str) -> bytes:
        """As a piece to be sealed: the digest of the text byte for byte as it was written, the whole's, how many words
        there are in two bytes, the words' digests, the numbers'."""
        exact = _digest(written, WHOLE)
        return exact + self.whole + len(self.words).to_bytes(2, "big") + b"".join((*self.words, *self.numbers))


def _unpacked(packed: bytes) -> tuple[bytes, list[bytes], list[bytes]]:
    """The digests of the whole, of the words and of the numbers, from what `_Digests.packed` makes."""
    head = WHOLE + WHOLE + 2
    words = int.from_bytes(packed[head - 2 : head], "big")
    pieces = [packed[at : at + PIECE] for at in range(head, len(packed), PIECE)]
    return packed[WHOLE : WHOLE + WHOLE], pieces[:words], pieces[words:]


def array(numbers: Iterable[int]) -> str:
    """As PostgreSQL reads an array."""
    return f"{{{','.join(map(str, sorted(set(numbers))))}}}"


def _digest(text: str, size: int) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:size]


def _whole(key: VaultKey, digest: bytes) -> bytes:
    return hmac.digest(key.of_prints.print_key, b"muniment-print/1 whole" + digest, hashlib.sha256)[:WHOLE]


def _keyed(key: VaultKey, digests: _Digests) -> Print:
    made = digests.made.get(key)
    if made is None:
        made = digests.made[key] = Print(
            _whole(key, digests.whole),
            frozenset(_pieces(key, b"word", digests.words)),
            digests.length,
            frozenset(_pieces(key, b"number", digests.numbers)),
            digests.negated,
            long=frozenset(_pieces(key, b"number", digests.long)),
        )
    return made


def _pieces(key: VaultKey, what: bytes, digests: Iterable[bytes]) -> list[int]:
    about, keyed = b"muniment-print/1 " + what, Keyed(key.of_prints.print_key)
    return [int.from_bytes(keyed.digest(about + each)[:PIECE], "big", signed=True) for each in digests]
