"""The guard: an instance whose database does not continue what its log signed stamps nothing more.

Three things can be held against a database: the checkpoint remembered beside the key, the one that a witness has
cosigned last, and one that somebody brought in a file. Only what this log's own key signed counts. Without evidence
the instance goes on, and says whom it could not ask.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from apps.ledger import hold, tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.note import Note
from apps.ledger.format.policy import Policy
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.hold import Hold, OnHold
from apps.ledger.services.asking import NoAnswer, their_checkpoint
from apps.ledger.services.continuing import Forked, LogProblem, continues
from apps.ledger.services.evidence import against, given_up
from apps.ledger.services.publishing import Publisher
from apps.ledger.services.witnessing import printable, read_policy
from apps.ledger.signing import KeyProblem, Memory, load, memory_beside


@dataclass(frozen=True, slots=True)
class Guarded:
    """What the guard found: why the instance is on hold, the newest reason first and none where it may stamp; and what
    could not be asked."""

    reasons: tuple[str, ...]
    warnings: tuple[str, ...]


def guard(key_file: Path, *, signer: str = "", origin: str, policy_file: str = "") -> Guarded:
    """Hold everything there is against the database, once, and put the hold where something stands.

    `origin` is the log's name for a database that has none yet. Needs the log's role. Nothing is made or signed.
    """
    warnings: list[str] = []
    keys = _keys(key_file, signer, warnings)
    for reason, note in (
        *_remembered(memory_beside(key_file), warnings),
        *_witnessed(policy_file, origin, keys, warnings),
        *_brought(keys),
    ):
        hold.put(reason, note)
    return Guarded(tuple(each.reason for each in hold.in_force(tree.LOG)), tuple(warnings))


def step(publisher: Publisher, *, everything: bool) -> Checkpoint | None:
    """One step of the log's process, under guard: see Publisher.step. Raises OnHold, with the reason, while nothing may
    be stamped: then nothing is integrated and nothing signed."""
    for reason, note in _brought(()):
        hold.put(reason, note)
    refuse_on_hold()
    try:
        return publisher.step(everything=everything)
    except Forked as fork:
        hold.put(str(fork)[: hold.LONGEST_REASON], fork.evidence)
        raise OnHold(str(fork)) from None


def refuse_on_hold() -> None:
    """Raises OnHold, with the newest reason, where the instance is on hold. Needs the log's role."""
    for each in hold.in_force(tree.LOG):
        raise OnHold(each.reason)


def on_hold() -> Hold | None:
    """Why nothing is stamped now; None where it is."""
    return next(iter(hold.in_force()), None)


def suspect(note: bytes) -> None:
    """Somebody has shown this signed checkpoint. One that a key of this log signed and that is not among what the
    database knows to be published is left to the log's process; nothing is decided here."""
    try:
        seen, parsed = parse_signed(note)
        mine = [key for key in map(VerifierKey.parse, tree.keys()) if key.name == seen.origin]
        parsed.verify(mine)
    except (Malformed, Unproven):
        return
    ids = {(key.name, key.key_id) for key in mine}
    known = tree.checkpoint_of(seen.size)
    if known is None or parse_signed(known)[0] != seen:
        hold.suspect(Note(parsed.text, tuple(each for each in parsed.signatures if each[:2] in ids)).to_bytes())


def _keys(key_file: Path, signer: str, warnings: list[str]) -> tuple[bytes, ...]:
    """The public key of the key file; none where it cannot be used, which is evidence of nothing."""
    if not key_file.exists():
        return ()
    try:
        return (load(key_file, signer, make=False).signer.public_key(),)
    except KeyProblem as problem:
        warnings.append(str(problem))
        return ()


def _remembered(memory: Memory, warnings: list[str]) -> Iterator[tuple[str, bytes]]:
    """What was last signed with this key, by the file beside it."""
    try:
        note = memory.note()  # before the tree: it may only be read to be larger
    except KeyProblem as problem:
        warnings.append(str(problem))
        return
    if note is None:
        return
    seen, ours = parse_signed(note)[0], tree.integrated(tree.LOG)
    if seen.size and (ours is None or not (given_up(seen.origin) or continues(ours, seen))):
        yield _reason(seen, f"stands in {memory.path}"), note


def _witnessed(
    policy_file: str, origin: str, keys: Sequence[bytes], warnings: list[str]
) -> Iterator[tuple[str, bytes]]:
    """What each witness has cosigned last. Whoever does not answer is named, and waited for no longer."""
    try:
        policy = Policy.parse(read_policy(policy_file))
    except LogProblem as problem:
        warnings.append(str(problem))
        return
    parties = {name: party.url for name, party in policy.witnesses.items() if party.url}
    if not parties:
        return
    ours = tree.integrated(tree.LOG)
    name_of_log = ours.origin if ours else origin
    with ThreadPoolExecutor(len(parties)) as threads:
        asked = {name: threads.submit(their_checkpoint, url, name_of_log) for name, url in parties.items()}
    for name, answer in asked.items():
        try:
            note = answer.result()
        except NoAnswer as problem:
            warnings.append(f"The witness {printable(name)} could not be asked what it has seen: {problem}.")
            continue
        if note is not None and (shown := against(note, keys)) is not None:
            yield _reason(parse_signed(note)[0], f"the witness {printable(name)} has cosigned"), shown


def _brought(keys: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """What somebody has shown since the last look. Judged, it waits no longer."""
    notes = hold.suspected()
    for note in notes:
        if (shown := against(note, keys)) is not None:
            yield _reason(parse_signed(note)[0], "stands in a file that somebody brought to be verified"), shown
    if notes:
        hold.judged(notes)


def _reason(seen: Checkpoint, which: str) -> str:
    ours = tree.integrated(tree.LOG)
    here = f"its log of {ours.size} leaves does not continue" if ours else "it has no log, and"
    return (
        f"The database is of an earlier day, or was rewritten: {here} the tree of {seen.size} leaves that this log "
        f"signed and that {which}."
    )
