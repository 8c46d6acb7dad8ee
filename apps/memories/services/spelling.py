"""What a text says in another form than it was kept in: `28cm` for `28 cm`, a date, a time, a number in words, plain
letters. A part of checking.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from uuid import UUID

from apps.memories import prints
from apps.memories.keys import VaultKey
from apps.memories.prints import Ended
from apps.policy.prints import Span, Token, otherwise, spans_otherwise
from apps.policy.text import lines
from apps.policy.types import Memory
from apps.policy.vocabulary import State

LONGEST = 16  # tokens of a value that is looked for in other forms
MOST = 200_000  # runs of tokens that are looked up

Ways = Mapping[int, Sequence[Sequence[Token]]]  # by text, its tokens in each way in which it may be written otherwise
Placed = tuple[int, Span, Sequence[Ended]]  # a text, a place in it, and the versions that say what stands there


def ways_of(texts: Sequence[str]) -> Ways:
    """The texts in which something may be written otherwise, in each of these ways."""
    found = {number: list(otherwise(text)) for number, text in enumerate(texts)}
    return {number: ways for number, ways in found.items() if ways}


def short(ended: Sequence[Ended]) -> list[Ended]:
    """Those of these that are looked for so."""
    return [each for each in ended if each.length <= LONGEST]


def words(key: VaultKey, ways: Ways) -> frozenset[int]:
    """Every word that is in them so."""
    told = {each.text: None for tokens in ways.values() for way in tokens for each in way if each.other}
    return prints.vocabulary(key, " ".join(told))


def runs(ways: Ways, known: Mapping[bytes, Mapping[UUID, Ended]]) -> Iterator[tuple[int, Span]]:
    """Runs of tokens as long as what is sought: the first 200,000, each with the text that it stands in."""
    lengths = {each.length for ended in known.values() for each in ended.values()}
    found = ((number, span) for number, each in ways.items() for span in spans_otherwise(each, lengths))
    return islice(found, MOST if lengths else 0)


def without(
    vault_id: UUID,
    key: VaultKey,
    texts: Sequence[str],
    ways: Ways,
    among: Mapping[UUID, Memory],
    placed: Sequence[Placed],
    entire: Collection[tuple[int, int, UUID]],
) -> list[Placed]:
    """What was found so, once; without what is found there as it is written (`entire`: by text, line and memory), and
    without a memory whose value of today stands in the same line, however it is written.
    """
    named = {each.memory_id for _, _, found in placed for each in found}
    living = [(each, among[each].version) for each in named if among[each].state is State.APPROVED]
    says = {memory_id: made.words for (memory_id, _), made in prints.found(vault_id, living).items()}
    said = {number: _by_line(texts[number], ways[number]) for number in {at for at, _, found in placed if found}}
    told: dict[tuple[int, int], frozenset[int]] = {}
    seen = set(entire)
    left: list[Placed] = []
    for number, span, found in placed:
        here = (number, span.line)
        if found and here not in told:
            told[here] = prints.vocabulary(key, " ".join(said[number][span.line - 1]))
        new = []
        for each in found:
            at, today = (*here, each.memory_id), says.get(each.memory_id)
            if at not in seen and not (today and today <= told[here]):
                seen.add(at)
                new.append(each)
        left += [(number, span, new)] if new else []
    return left


def _by_line(text: str, ways: Sequence[Sequence[Token]]) -> list[dict[str, None]]:
    """What each line says: as it is written, and all that is in it otherwise."""
    said: list[dict[str, None]] = [{line: None} for line in lines(text)]
    for way in ways:
        for each in way:
            if each.other:
                said[each.line - 1][each.text] = None
    return said
