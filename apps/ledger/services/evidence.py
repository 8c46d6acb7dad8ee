"""What can be held against the tree in the database, and whether it still can."""

from collections.abc import Sequence
from contextlib import suppress

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import ED25519, VerifierKey
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.services.continuing import continues, contradiction


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
    try:
        seen, note = parse_signed(signed)
        note.verify([VerifierKey(seen.origin, ED25519, key) for key in keys])
    except (Malformed, Unproven):
        return None
    ours = tree.integrated(tree.LOG)
    if ours is None:
        return signed if seen.size else None
    return signed if ours.origin == seen.origin and not continues(ours, seen) else None


def still_shown(evidence: bytes, ours: Checkpoint) -> bool:
    """Does evidence that was kept say something against this tree, too. A proof of a fork always does; a checkpoint
    says nothing any more against the database that continues it."""
    with suppress(Malformed, Unproven):
        Fork.parse(evidence).check()
        return True
    return not continues(ours, parse_signed(evidence)[0])


def checkpoints_in(evidence: bytes) -> list[Checkpoint]:
    """The trees that evidence shows to have been signed."""
    with suppress(Malformed, Unproven):
        return list(Fork.parse(evidence).check())
    with suppress(Malformed):
        return [parse_signed(evidence)[0]]
    return []
