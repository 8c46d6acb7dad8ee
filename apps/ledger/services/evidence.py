"""What can be held against the tree in the database, and whether it still can."""

from collections.abc import Sequence
from contextlib import suppress

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import ED25519, VerifierKey
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.services.continuing import continues, contradiction, known_keys
from apps.ledger.signing import is_proof


def given_up(origin: str) -> bool:
    """Is this a name that the log has had before: it said in public that what was signed under it is not continued."""
    ours = tree.integrated(tree.LOG)
    names = {VerifierKey.parse(vkey).name for vkey in tree.keys(tree.LOG)}
    return ours is not None and origin != ours.origin and origin in names


def against(signed: bytes, keys: Sequence[bytes] = ()) -> bytes | None:
    """What shows that the tree does not continue a signed checkpoint; None where it does, and where no key of the log
    signed it under its name. `keys` are Ed25519 keys of the key file: an older database may not know them yet."""
    if tree.integrated(tree.LOG) is not None and (found := contradiction(signed)) is not None:
        return found
    if not is_ours(signed, keys):
        return None
    seen, ours = parse_signed(signed)[0], tree.integrated(tree.LOG)
    if ours is None:
        return signed if seen.size else None
    return signed if ours.origin == seen.origin and not continues(ours, seen) else None


def is_ours(signed: bytes, keys: Sequence[bytes] = ()) -> bool:
    """Has a key of this log signed it, whatever it says: a known one, or one of `keys`, as for `against`."""
    try:
        seen, note = parse_signed(signed)
        note.verify([*known_keys(seen.origin), *(VerifierKey(seen.origin, ED25519, key) for key in keys)])
    except (Malformed, Unproven):
        return False
    return True


def still_shown(evidence: bytes, ours: Checkpoint) -> bool:
    """Does evidence that was kept say something against this tree, too. A proof of a fork always does; a checkpoint
    says nothing any more against the database that continues it."""
    return is_proof(evidence) or not continues(ours, parse_signed(evidence)[0])


def checkpoints_in(evidence: bytes) -> list[Checkpoint]:
    """The trees that evidence shows to have been signed."""
    with suppress(Malformed, Unproven):
        return list(Fork.parse(evidence).check())
    with suppress(Malformed):
        return [parse_signed(evidence)[0]]
    return []


def reason(evidence: bytes, which: str, *, elsewhere: bool = True) -> str:
    """What evidence says, for whoever runs the instance: what may have happened, and by what it is known.

    `which` goes on from "the tree that", as in "the witness w1 has cosigned". Not `elsewhere` is what lies beside the
    key: a copy of the instance has a memory of its own.
    """
    trees = checkpoints_in(evidence)
    if is_proof(evidence):
        sizes = " and ".join(str(each.size) for each in trees)
        return (
            "Another copy has signed with this log's keys, or this database did before a restore that nobody noticed: "
            f"two histories, of {sizes} leaves, are signed as {trees[0].origin}, as is shown by what {which}."
            " No other database undoes that. Find the copy, such as one that was started to try a backup, and stop it; "
            "then go on under another name."
        )
    ours = tree.integrated(tree.LOG)
    here = f"its log of {ours.size} leaves does not continue" if ours else "it has no log, and"
    copy = ", or another copy signs with this log's keys" if elsewhere else ""
    return (
        f"The database is of an earlier day, or was rewritten{copy}: {here} the tree of {trees[0].size} leaves that "
        f"this log signed and that {which}."
    )
