"""The way out of a hold where no other database is there: the log ends in public, and another goes on from here."""

from pathlib import Path

from apps.ledger import hold, tree
from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.keys import VerifierKey, check_name
from apps.ledger.format.merkle import EMPTY_ROOT, leaf_hash
from apps.ledger.format.restored import Restored
from apps.ledger.format.strict import Malformed
from apps.ledger.format.tiles import Edge
from apps.ledger.services.continuing import LogProblem, committed, read
from apps.ledger.services.evidence import checkpoints_in
from apps.ledger.services.publishing import Publisher
from apps.ledger.services.witnessing import read_policy, witnesses_of
from apps.ledger.signing import LogKeys, load


def begin_anew(key_file: Path, *, signer: str = "", origin: str, policy_file: str = "") -> Checkpoint:
    """End the log that this database does not continue, go on under another name, and lift the hold.

    The first entry under the new name says in public what was signed under the old one and what is here instead. What
    was signed stays as good as it was, under the old name's key. Raises LogProblem, and nothing is changed, where there
    is no hold, the name has been used, or the policy cannot be used; KeyProblem where nothing can be signed.
    """
    held = hold.in_force(tree.LOG)
    if not held:
        raise LogProblem("This instance is not on hold: its log goes on, and there is nothing to begin anew.")
    policy, keys = read_policy(policy_file), load(key_file, signer, make=False)
    shown = _shown(keys, held)
    ended = {each.origin for each in shown}
    _check_new(origin, ended)
    signed = max(shown, key=lambda each: each.size, default=None)
    if signed is not None:
        tree.begin(signed.origin, EMPTY_ROOT)  # only where this database is from before the log began
    here = committed()
    signed = signed or here
    entry = Restored(Checkpoint(signed.origin, here.size, here.root), signed).to_bytes()
    edge = Edge.read(here.size, read)
    if edge.root() != here.root:
        raise LogProblem("The log's tree is not what its leaves make: run manage.py fsck_ledger, and restore.")
    grown, tiles = edge.integrate([leaf_hash(entry)])
    new = Checkpoint(origin, grown.size, grown.root())
    moved = hold.begin_anew(
        here,
        new,
        (entry, leaf_hash(entry)),
        tiles,
        vkeys=[str(keys.verifier(name)) for name in (*sorted(ended), origin)],
        reason=f"The log goes on as {origin}; its entry {here.size} says so in public.",
    )
    if not moved:
        raise LogProblem("Somebody else has moved the log meanwhile: look again, and try again if it is on hold.")
    return Publisher(keys, witnesses_of(policy)).publish() or new


def _shown(keys: LogKeys, held: tuple[hold.Hold, ...]) -> list[Checkpoint]:
    """The trees that were signed, as far as the file beside the key and the evidence of the hold show."""
    last = keys.memory.last()
    found = [tree_ for each in held if each.evidence for tree_ in checkpoints_in(each.evidence)]
    return [*found, last] if last else found


def _check_new(origin: str, ended: set[str]) -> None:
    """Can a log be called so, and was none of ours."""
    try:
        Checkpoint(check_name(origin), 0, EMPTY_ROOT)
    except Malformed as problem:
        raise LogProblem(f"A log cannot be called so: {problem}.") from None
    used = {VerifierKey.parse(vkey).name for vkey in tree.keys(tree.LOG)} | ended
    if origin in used:
        raise LogProblem(
            f"This log has signed as {origin}, and two histories under one name are a fork: choose another."
        )
