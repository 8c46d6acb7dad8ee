"""What a text brings back: the places where it says what was corrected or ended, and what is so instead.

It is found by prints, so no value is read for it; what stands in its place is handed over like any value.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import prints, store
from apps.memories.keys import VaultKey
from apps.memories.prints import Ended
from apps.memories.services import spelling
from apps.memories.services.showing import MOST_SHOWN, Shown, show
from apps.policy.chains import living
from apps.policy.extracting import SYMBOLS
from apps.policy.prints import Span, is_code, long_numbers, sought, spans
from apps.policy.roles import Deed, needs, sees
from apps.policy.text import TextProblem, lines
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import State

MOST_TEXTS = 200
MOST_CHARACTERS = 256 * 1024  # in all of them
MOST_FINDS = 1000
LONGEST = 64  # tokens; a longer value is not looked for in other texts
_OVER = (State.WITHDRAWN, State.MERGED)


@dataclass(frozen=True, slots=True)
class Find:
    """One place where one of the texts says what a memory said and says no more. `line` and `column` count from 1,
    `words` are the text's as they are compared; `instead` is the memory whose value is so now: None where it was ended.
    """

    text: int
    line: int
    column: int
    words: str
    memory: Memory
    version: int
    instead: UUID | None


@dataclass(frozen=True, slots=True)
class Checked:
    """What texts bring back, and what is so instead: the values, as they were shown or read. `covered`: of how many
    memories it was looked for.
    """

    finds: tuple[Find, ...]
    shown: Shown
    covered: int


@needs(Deed.KEEP)
def check_texts(holder: Holder, texts: Sequence[str]) -> Checked:
    """What of the file's past these texts bring back, as far as this seat sees it. What is so instead is shown, and
    stamped like every look. Raises TextProblem for too many of them.
    """
    check_size(texts)
    with reading(holder.vault_id, holder.actor):
        mine = {each.memory_id: each for each in store.memories(holder.vault_id) if sees(holder, each)}
    found = finds(holder.vault_id, holder.actor, texts, mine)
    wanted = list(dict.fromkeys(each.instead for each in found if each.instead is not None))
    looks = [show(holder, wanted[start : start + MOST_SHOWN]) for start in range(0, len(wanted), MOST_SHOWN)]
    values = tuple(each for look in looks for each in look.values)
    first, last = (looks[0].first, looks[-1].last) if looks else (0, 0)
    return Checked(found, Shown(values, first, last), len(mine))


def check_size(texts: Sequence[str]) -> None:
    """Raises TextProblem for more texts, or longer ones, than are checked at once."""
    if not 1 <= len(texts) <= MOST_TEXTS:
        raise TextProblem("texts", f"They are {len(texts)}; send between 1 and {MOST_TEXTS} at once.")
    size = sum(map(len, texts))
    if size > MOST_CHARACTERS:
        raise TextProblem("texts", f"They are {size} characters long; at most {MOST_CHARACTERS} are checked at once.")


def finds(vault_id: UUID, actor: str, texts: Sequence[str], among: Mapping[UUID, Memory]) -> tuple[Find, ...]:
    """Where these texts say what memories of `among` said and say no more, in the order of the texts; at most 1000.

    Nothing else is looked at: what a memory outside of `among` says or said makes no difference. A value is found in
    the other forms it may be written in, too, see `policy.forms`. A value of one short word is not looked for, nor one
    that a memory of `among` says now; versions from before there were prints are not known. A dotted name's piece
    counts for a symbol, and where it is written as code is.
    """
    with reading(vault_id, actor, still=True):  # the key and what is keyed with it are of one moment
        key = store.vault_key(vault_id)
        if key is None:
            return ()
        ended = prints.ended(vault_id, among)
        vocabulary = frozenset[int]().union(*(prints.vocabulary(key, each) for each in texts))
        known = _known(ended, vocabulary)
        places = _places(key, _runs(texts, known), known)
        ways = spelling.ways_of(texts)
        more = _known(spelling.short(ended), vocabulary | spelling.words(key, ways)) if ways else {}
        others = _places(key, spelling.runs(ways, more), more)
        known |= more
        hits = _not_said_now(vault_id, {whole: known[whole] for _, _, whole in (*places, *others)}, among)
        entire = {(at, span.line, each.memory_id) for at, span, whole in places for each in hits.get(whole, ())}
        spelled = spelling.without(
            vault_id, key, texts, ways, among, [(at, span, hits.get(whole, ())) for at, span, whole in others], entire
        )
        entire |= {(at, span.line, each.memory_id) for at, span, found in spelled for each in found}
        numbered = [*spelled, *_numbered(vault_id, key, texts, ended, among, entire)]
        hit = [each for found in (*hits.values(), *(found for _, _, found in numbered)) for each in found]
        replaced = _replaced(vault_id, {each.memory_id for each in hit}, among)
    told = []
    for number, span, found in [*((number, span, hits.get(whole, ())) for number, span, whole in places), *numbered]:
        for each in found:
            memory = among[each.memory_id]
            if _another(memory, span, texts[number]):
                continue
            if not span.part or span.coded or _symbol(memory):
                instead = _instead(memory, replaced, among)
                told.append(Find(number, span.line, span.column, span.text, memory, each.version, instead))
    told.sort(key=lambda each: (each.text, each.line, each.column))
    return tuple(told[:MOST_FINDS])


def _numbered(
    vault_id: UUID,
    key: VaultKey,
    texts: Sequence[str],
    ended: Sequence[Ended],
    among: Mapping[UUID, Memory],
    entire: Collection[tuple[int, int, UUID]],
) -> list[tuple[int, Span, Sequence[Ended]]]:
    """Where they say a long number (a phone, an account) of what these memories said, however it is grouped, and none
    of them says now; but for `entire` ones: what is found with all its words, by text, line and memory.
    """
    placed = [(at, span, number) for at, text in enumerate(texts) for span, number in long_numbers(text)]
    keyed = prints.numbers(key, {number for _, _, number in placed})
    of: dict[int, dict[UUID, Ended]] = {}
    for each in ended:
        for digest in each.numbers.intersection(keyed.values()):
            of.setdefault(digest, {})[each.memory_id] = each
    if not of:
        return []
    living = [(each.memory_id, each.version) for each in among.values() if each.state not in _OVER]
    now = frozenset[int]().union(*(each.numbers for each in prints.found(vault_id, living).values()))
    return [
        (at, span, [each for each in of[keyed[number]].values() if (at, span.line, each.memory_id) not in entire])
        for at, span, number in placed
        if keyed[number] in of.keys() - now
    ]


def _symbol(memory: Memory) -> bool:
    return memory.subject.startswith(SYMBOLS)


def _another(memory: Memory, span: Span, text: str) -> bool:
    """Is it another symbol, that differs in case? Its memory is labelled with the name as it is written, or nobody
    knows how that is.
    """
    name = memory.label.removesuffix("()")
    if name.casefold() != span.text or not (_symbol(memory) or is_code(name)):
        return False
    written = lines(text)[span.line - 1][span.column - 1 :][: len(name)]
    return written.casefold() == span.text and written != name


def _known(ended: Iterable[Ended], vocabulary: frozenset[int]) -> dict[bytes, dict[UUID, Ended]]:
    """What memories said, as far as all its words are there: the newest version of each that said it."""
    found: dict[bytes, dict[UUID, Ended]] = {}
    for each in ended:
        if each.length <= LONGEST and each.words <= vocabulary:
            found.setdefault(each.whole, {})[each.memory_id] = each
    return found


def _runs(texts: Sequence[str], known: Mapping[bytes, Mapping[UUID, Ended]]) -> Iterator[tuple[int, Span]]:
    """Runs of tokens as long as what is sought, each with the text that it stands in."""
    lengths = {each.length for ended in known.values() for each in ended.values()}
    for number, text in enumerate(texts if lengths else ()):
        yield from ((number, span) for span in spans(text, max(lengths), lengths))


def _places(
    key: VaultKey, runs: Iterable[tuple[int, Span]], known: Mapping[bytes, Mapping[UUID, Ended]]
) -> list[tuple[int, Span, bytes]]:
    """Those of the runs that say it."""
    placed: dict[str, list[tuple[int, Span]]] = {}
    for number, span in runs:
        placed.setdefault(span.text, []).append((number, span))
    told = [
        (number, span, whole)
        for words, whole in prints.wholes(key, placed).items()
        if whole in known and sought(words)
        for number, span in placed[words]
    ]
    return sorted(told, key=lambda each: (each[0], each[1].line, each[1].column))


def _not_said_now(
    vault_id: UUID, hits: Mapping[bytes, Mapping[UUID, Ended]], among: Mapping[UUID, Memory]
) -> dict[bytes, list[Ended]]:
    """Without what one of the memories says now. A symbol that took another's place may be replaced itself: that it
    stands there does not make it alive.
    """
    left = {whole: list(ended.values()) for whole, ended in hits.items()}
    for whole, versions in prints.like(vault_id, hits).items():
        for memory_id, version in versions:
            memory = among.get(memory_id)
            if memory is None or memory.version != version or memory.state in _OVER:
                continue
            passes_on = _symbol(memory) and memory_id not in hits[whole] and any(map(_symbol, _of(hits[whole], among)))
            if not passes_on:
                left.pop(whole, None)
    return left


def _of(ended: Iterable[UUID], among: Mapping[UUID, Memory]) -> list[Memory]:
    return [among[each] for each in ended]


def _replaced(vault_id: UUID, hit: set[UUID], among: Mapping[UUID, Memory]) -> dict[UUID, UUID]:
    """From each symbol's memory to that of the symbol which it gives, where that one is replaced in its turn."""
    found: dict[UUID, UUID] = {}
    ahead = {each for each in hit if _symbol(among[each])}
    while ahead:
        current = prints.found(vault_id, [(each, among[each].version) for each in ahead])
        says = {memory_id: made.whole for (memory_id, _), made in current.items()}
        said = prints.like(vault_id, set(says.values()))
        for memory_id, whole in says.items():
            older = [
                each
                for each, version in said.get(whole, ())
                if each != memory_id and each in among and _symbol(among[each]) and version != among[each].version
            ]
            if older:
                found[memory_id] = older[-1]
        ahead = {found[each] for each in ahead if each in found} - found.keys()
    return found


def _instead(memory: Memory, replaced: Mapping[UUID, UUID], among: Mapping[UUID, Memory]) -> UUID | None:
    """The memory that lives at the end of the way; None where that was ended, or leads back to where it began."""
    last = living(memory.memory_id, replaced) if memory.memory_id in replaced else memory.memory_id
    if last is None:
        return None
    here = among[last]
    while here.state is State.MERGED and here.merged_into is not None and here.merged_into in among:
        here = among[here.merged_into]
    return here.memory_id if here.state not in _OVER else None
