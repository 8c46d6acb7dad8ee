"""The life of a leaf: a chain grows → *integrated*, in the committed tree → *published*, under a signed checkpoint →
*cosigned*, by witnesses outside.

Every step may be cut off at any point and taken again by anybody. What has been signed binds for ever, so the order is:
the tree's head is committed, then it is signed, then the signature is remembered on the disk, then it is shown.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import EMPTY_ROOT, leaf_hash
from apps.ledger.format.tiles import Edge
from apps.ledger.services.continuing import Forked, LogProblem, committed, continues, read
from apps.ledger.services.evidence import given_up, reason, still_shown
from apps.ledger.services.witnessing import Witnesses, read_policy, witnesses_of
from apps.ledger.signing import KeyProblem, LogKeys, load

BATCH = 32_768  # leaves in one transaction


def publisher(
    key_file: Path, *, signer: str = "", origin: str, new_key: bool = False, policy_file: str = ""
) -> "Publisher":
    """Begin or go on with the instance's log. Keys are made where the log has none yet; `origin` is taken then, too.

    `policy_file` is a C2SP tlog-policy that names the witnesses to ask; without one nobody is asked.
    Raises KeyProblem where the keys cannot be used or, without `new_key`, are not among those the log has signed with;
    LogProblem where the policy cannot be used. Then nothing was made or recorded.
    """
    policy = read_policy(policy_file)
    known = tree.keys(tree.LOG)
    keys = load(key_file, signer, make=not known)
    tree.begin(origin, EMPTY_ROOT)
    vkey = str(keys.verifier(committed().origin))
    if known and vkey not in known and not new_key:
        raise KeyProblem(
            f"The key in {key_file} has never signed for this log, whose newest key is {known[0]}: put the right file "
            "back, or say --new-key to sign with this one from now on."
        )
    tree.add_key(vkey)
    return Publisher(keys, witnesses_of(policy))


@dataclass(frozen=True, slots=True)
class Publisher:
    """One process's work on the log. Several may be at it at once: none undoes or repeats what another did."""

    keys: LogKeys
    witnesses: Witnesses

    def step(self, *, everything: bool) -> Checkpoint | None:
        """Integrate what has grown, publish the tree if it did, and ask the witnesses. Returns the checkpoint if there
        is a new one, whoever cosigned it.

        Looks at every chain, or at those that grew in the last minutes. Raises LogProblem where the tree does not
        continue what was signed, Forked where that can be shown to anybody, KeyProblem where nothing can be signed.
        """
        self.check_memory()
        while self.integrate(everything) == BATCH:
            pass
        published = self.publish()
        self.cosign()
        return published

    def cosign(self, *, settle: bool = False) -> None:
        """Ask whoever has not cosigned the newest checkpoint. Takes what is answered at once, or with `settle` waits
        until everybody has answered or is too late. Raises Forked, and remembers why beside the keys."""
        newest = tree.newest_checkpoint(tree.LOG)
        try:
            if newest is not None:
                self.witnesses.ask(*newest)
            if settle:
                self.witnesses.settle()
        except Forked as fork:
            self.keys.memory.keep_fork(committed().origin, fork.evidence)
            raise

    def check_memory(self) -> None:
        """Does the tree continue the checkpoint that was last signed with these keys. Raises LogProblem, and Forked
        where it was found earlier that this log showed two histories."""
        last = self.keys.memory.note()  # before the tree: it may only be read to be larger
        self._check(committed(), last)

    def integrate(self, everything: bool = True) -> int:
        """Append a leaf for each chain that has grown, at most BATCH. Returns how many; 0 also where another process
        was first. Raises LogProblem where the tree's head is not that of its leaves."""
        old = committed()  # before the heads: whoever moves the tree meanwhile makes the append fail, not repeat a leaf
        heads = tree.changed_heads(everything, BATCH)
        if not heads:
            return 0
        edge = Edge.read(old.size, read)
        if edge.root() != old.root:
            raise LogProblem("The log's tree is not what its leaves make: run manage.py fsck_ledger, and restore.")
        leaves = [self._leaf(head) for head in heads]
        grown, tiles = edge.integrate([leaf.leaf_hash for leaf in leaves])
        new = Checkpoint(old.origin, grown.size, grown.root())
        return len(leaves) if tree.append(old, new, leaves, tiles) else 0

    def publish(self) -> Checkpoint | None:
        """Sign the committed tree, if it is not yet. Raises LogProblem where it does not continue what was signed."""
        newest = tree.newest_checkpoint(tree.LOG)
        last = self.keys.memory.note()
        grown = committed()  # last: what was signed is looked at before, and the tree only grows
        if newest is not None:
            if newest[0] == grown.size:
                return None
            _check_continues(grown, newest[1], "the checkpoint that was published last")
        self._check(grown, last)
        note = self.keys.sign(grown)
        self.keys.memory.keep(note)
        tree.add_checkpoint(grown.size, note)
        return grown

    def _check(self, new: Checkpoint, last: bytes | None) -> None:
        """May this tree be signed, by what is remembered beside the keys."""
        memory = self.keys.memory
        evidence = memory.fork(new.origin)
        if evidence is not None and still_shown(evidence, new):
            raise Forked(
                f"{reason(evidence, f'is kept in {memory.fork_path(new.origin)}')} Until then nothing more is signed. "
                "See docs/transparency-log.md.",
                evidence,
            )
        if last is not None and not given_up(parse_signed(last)[0].origin):
            _check_continues(new, last, f"the checkpoint in {memory.path}")

    def _leaf(self, head: tree.Head) -> tree.NewLeaf:
        """A vault keeps the pseudonym it has; a new vault's is derived from the key in the file."""
        vault = str(head.vault_id)
        pseudonym = head.pseudonym or tag_of(self.keys.pseudonyms, vault)
        entry = Leaf(tag_of(pseudonym, vault), head.seq, head.chain_hash).to_bytes()
        return tree.NewLeaf(head.vault_id, head.seq, pseudonym, entry, leaf_hash(entry))


def _check_continues(new: Checkpoint, signed: bytes, which: str) -> None:
    """Is the tree `new` the signed one with leaves appended, whatever the log was called then. Raises Forked."""
    old = parse_signed(signed)[0]
    if not continues(new, replace(old, origin=new.origin) if given_up(old.origin) else old):
        raise Forked(
            f"The log's tree of {new.size} leaves does not continue {which}, of {old.size}: the database was restored "
            "or rewritten. Nothing is signed, because two histories under one name are a fork. See "
            "docs/transparency-log.md.",
            signed,
        )
