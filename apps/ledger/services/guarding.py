"""The guard: an instance whose database does not continue what its log signed stamps nothing more.

Three things can be held against a database: the checkpoint remembered beside the key, the one that a witness has
cosigned last, and one that somebody brought in a file. Only what this log's own key signed counts. Without evidence
the instance goes on, and says whom it could not ask.
"""

from collections.abc import Iterable, Iterator, Sequence
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
from apps.ledger.services.evidence import against, checkpoints_in, given_up, is_ours, reason, still_shown
from apps.ledger.services.publishing import Publisher
from apps.ledger.services.witnessing import printable, read_policy
from apps.ledger.signing import KeyProblem, Memory, load, memory_beside


@dataclass(frozen=True, slots=True)
class Guarded:
    """What the guard found: why the instance is on hold, the newest reason first and none where it may stamp; what
    could not be asked; and whether two histories are proven, which no other database undoes."""

    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    proven: bool = False


def guard(key_file: Path, *, signer: str = "", origin: str, policy_file: str = "") -> Guarded:
    """Hold everything there is against the database, once, and put the hold where something stands.

    `origin` is the log's name for a database that has none yet. Needs the log's role. Nothing is made or signed.
    """
    warnings: list[str] = []
    vouching: list[str] = []
    keys = _keys(key_file, signer, warnings)
    memory = memory_beside(key_file)
    found = (
        *_remembered(memory, warnings),
        *_found_before(memory, origin, warnings),
        *_witnessed(policy_file, origin, keys, warnings, vouching),
        *_brought(keys),
    )
    warnings += _put(memory, found)
    doubts = _doubts(key_file, memory, vouching)
    hold.keep_doubts(doubts)
    warnings += doubts
    held = hold.in_force(tree.LOG)
    return Guarded(tuple(each.reason for each in held), tuple(warnings), any(each.proven for each in held))


def step(publisher: Publisher, *, everything: bool, settle: bool = False) -> Checkpoint | None:
    """One step of the log's process, under guard: see Publisher.step; with `settle` it waits for every witness. Raises
    OnHold, with the reason, while nothing may be stamped: then nothing is integrated and nothing signed."""
    memory = publisher.keys.memory
    if brought := tuple(_brought(())):
        _put(memory, brought)
    refuse_on_hold()
    try:
        published = publisher.step(everything=everything)
        if settle:
            publisher.cosign(settle=True)
        return published
    except Forked as fork:
        warnings = _put(memory, [(str(fork), fork.evidence)])
        raise OnHold(" ".join((str(fork), *warnings))) from None


def evidence_of_holds() -> Iterator[tuple[str, bytes]]:
    """What every hold that was ever put stands on, the first one first, under a name for a file: `hold-1.fork.json` is
    a proof that `muniment verify` checks, `hold-1.checkpoint` one that this log signed. Needs the log's role."""
    put = [each for each in reversed(hold.record(tree.LOG)) if each.held]
    for number, each in enumerate(put, 1):
        if each.evidence is not None:
            yield f"hold-{number}.{'fork.json' if each.proven else 'checkpoint'}", each.evidence


def refuse_on_hold() -> None:
    """Raises OnHold, with the newest reason, where the instance is on hold. Needs the log's role."""
    for each in hold.in_force(tree.LOG):
        raise OnHold(each.reason)


def on_hold() -> Hold | None:
    """Why nothing is stamped now; None where it is."""
    return next(iter(hold.in_force()), None)


def doubts() -> tuple[str, ...]:
    """What the guard could not find out at the last start: sentences that say what to do, none where it knows."""
    return hold.doubts()


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


def _put(memory: Memory, found: Iterable[tuple[str, bytes]]) -> list[str]:
    """Put a hold for each reason with its evidence, and keep what all that are in force stand on beside the key, where
    whoever has no database finds it. The hold is put first, whatever becomes of the file: that is a warning."""
    for why, evidence in found:
        hold.put(why[: hold.LONGEST_REASON], evidence)
    try:
        for each in reversed(hold.in_force(tree.LOG)):
            for origin in {seen.origin for seen in checkpoints_in(each.evidence or b"")}:
                memory.keep_fork(origin, each.evidence or b"")
    except OSError as error:
        return [
            f"What the hold stands on could not be written beside {memory.path} ({error.strerror}): it is in the "
            "database, and manage.py guard --evidence FOLDER writes it out."
        ]
    return []


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
        yield reason(note, f"stands in {memory.path}", elsewhere=False), note


def _found_before(memory: Memory, origin: str, warnings: list[str]) -> Iterator[tuple[str, bytes]]:
    """What was found against this log earlier and lies beside the key, if it is still shown."""
    ours = tree.integrated(tree.LOG)
    path = memory.fork_path(ours.origin if ours else origin)
    try:
        evidence = memory.fork(ours.origin if ours else origin)
        if evidence is not None and (ours is None or still_shown(evidence, ours)):
            yield reason(evidence, f"is kept in {path}"), evidence
    except (OSError, Malformed) as problem:
        warnings.append(f"{path} was found against this log, and cannot be read: {problem}.")


def _witnessed(
    policy_file: str, origin: str, keys: Sequence[bytes], warnings: list[str], vouching: list[str]
) -> Iterator[tuple[str, bytes]]:
    """What each witness has cosigned last. Whoever does not answer is named, and waited for no longer; who has a
    checkpoint of this log is `vouching`."""
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
        if note is not None and is_ours(note, keys):
            vouching.append(name)
        if note is not None and (shown := against(note, keys)) is not None:
            yield reason(shown, f"the witness {printable(name)} has cosigned"), shown


def _brought(keys: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """What somebody has shown since the last look. Judged, it waits no longer."""
    notes = hold.suspected()
    for note in notes:
        if (shown := against(note, keys)) is not None:
            yield reason(shown, "stands in a file that somebody brought to be verified"), shown
    if notes:
        hold.judged(notes)


def _doubts(key_file: Path, memory: Memory, vouching: Sequence[str]) -> list[str]:
    """What nobody can say of a log that has signed before. No evidence, and so no hold: decision 0018."""
    said = []
    if tree.keys(tree.LOG) and not key_file.exists():
        said.append(
            f"The log's keys {key_file} are gone, and this log has signed with them: what is stamped from now on is "
            "not signed, and nobody can prove it, until the file is put back (MUNIMENT_LOG_KEY_FILE)."
        )
    if tree.newest_checkpoint(tree.LOG) and not memory.path.exists() and not vouching:
        said.append(
            f"Whether this is the newest database nobody can say: {memory.path}, which says what was last signed, is "
            "not there, and no witness has answered with what it cosigned. If it is of an earlier day, what is stamped "
            "takes the numbers of receipts that people hold: stop, put the folder `signing` back, and start again."
        )
    return said
