"""What ties a vault's chain to the instance's log: the part that receipt files, bundles and conversations share.

    segment   the digests of the receipts that follow, up to the one the leaf names; often none
    leaf      index, tag, seq, chain_hash, and the vault's pseudonym_key
    proof     a tlog-proof: index, hashes, and the signed checkpoint, as one text
    keys      who signed the checkpoint, the log and its witnesses: vkeys by their ids in hex, these and no others

Nothing stands in it that nobody vouches for: a changed byte of any member is a finding.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from .checkpoint import Checkpoint, parse_signed
from .encoding import next_hash
from .keys import COSIGNATURE, ED25519, VerifierKey
from .leaf import MOST_RECEIPTS, Leaf, tag_of
from .members import a_hex, a_list, a_number, a_text, an_object, within
from .merkle import check_inclusion, leaf_hash
from .note import MOST_SIGNATURES, Verified, check_signatures
from .proof import Proof
from .strict import MOST, Malformed, Unproven, counted
from .verdict import Altered, Trust, Verdict

PINNED_MEMBERS = ("segment", "leaf", "proof", "keys")
_LEAF_MEMBERS = ("index", "tag", "seq", "chain_hash", "pseudonym_key")
_LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z


class Standing(NamedTuple):
    """A checkpoint that holds the leaf: what it says, its signed bytes, and who signed it, each signature checked."""

    checkpoint: Checkpoint
    signed: bytes
    signers: tuple[Verified, ...]

    @property
    def cosigned(self) -> bool:
        """Has any witness signed it."""
        return any(each.key.type == COSIGNATURE for each in self.signers)


class Judged(NamedTuple):
    """What a checkpoint is worth to somebody: the verdict, why it is no better, and what was found, in sentences."""

    verdict: Verdict
    why: str
    checked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pinned:
    """The part as parsed or to be written."""

    segment: tuple[bytes, ...]
    leaf: Leaf
    pseudonym_key: bytes
    proof: Proof
    keys: tuple[VerifierKey, ...]

    @property
    def cosigned(self) -> bool:
        """Is a witness's key among those that signed."""
        return any(key.type == COSIGNATURE for key in self.keys)

    def to_json(self) -> dict[str, Any]:
        """The members, JSON-ready."""
        return {
            "segment": [digest.hex() for digest in self.segment],
            "leaf": {
                "index": self.proof.index,
                "tag": self.leaf.tag.hex(),
                "seq": self.leaf.seq,
                "chain_hash": self.leaf.chain_hash.hex(),
                "pseudonym_key": self.pseudonym_key.hex(),
            },
            "proof": self.proof.to_bytes().decode(),
            "keys": {f"{key.key_id:08x}": str(key) for key in self.keys},
        }

    @classmethod
    def read(cls, found: dict[str, Any], where: str = "") -> "Pinned":
        """Read the members, which are all there, at their place in a file. Raises Altered."""
        segment = a_list(found["segment"], within(where, "segment"))
        leaf, pseudonym_key, index = _read_leaf(found["leaf"], within(where, "leaf"))
        digests = tuple(a_hex(each, within(where, f"segment[{at}]")) for at, each in enumerate(segment))
        proof = _read_proof(found["proof"], within(where, "proof"))
        if proof.index != index:
            raise Altered(within(where, "leaf.index"), f"the proof is for index {proof.index}")
        return cls(digests, leaf, pseudonym_key, proof, _read_keys(found["keys"], within(where, "keys")))

    def signed(self, where: str = "") -> Standing:
        """The checkpoint, with every signature on it checked under the keys in the file. Raises Altered."""
        try:
            checkpoint, note = parse_signed(self.proof.checkpoint)
            signers = check_signatures(note.text.encode(), note.signatures, self.keys)
        except (Malformed, Unproven) as problem:
            raise Altered(within(where, "proof"), str(problem)) from None
        listed, signed_with = {(key.name, key.key_id) for key in self.keys}, {each.key for each in signers}
        for each in note.signatures:
            if (each.name, each.key_id) not in listed:
                name = f"{each.name}+{each.key_id:08x}"
                raise Altered(within(where, "keys"), f"{name}, which signed, is not among them")
        for key in self.keys:
            if key not in signed_with:
                raise Altered(within(where, f"keys.{key.key_id:08x}"), "this key has not signed the checkpoint")
        if not any(_is_log(each.key, checkpoint) for each in signers):
            raise Altered(within(where, "keys"), f"the log itself, {checkpoint.origin}, has not signed the checkpoint")
        return Standing(checkpoint, self.proof.checkpoint, signers)

    def hold(self, tree: Checkpoint, vault: str, seq: int, chain_hash: bytes, where: str = "") -> None:
        """Is the chain of this vault (a hyphenated UUID), at this seq, under a leaf of the tree. Raises Altered."""
        for digest in self.segment:
            chain_hash = next_hash(chain_hash, digest)
        made = Leaf(tag_of(self.pseudonym_key, vault), min(seq + len(self.segment), MOST_RECEIPTS), chain_hash)
        said_holds, made_holds = self._is_in(tree, self.leaf), self._is_in(tree, made)
        if self.leaf == made and said_holds:
            return
        if self.leaf == made:
            raise Altered(within(where, "proof"), "its hashes do not lead from the leaf to the checkpoint's root")
        name = next(name for name in ("tag", "seq", "chain_hash") if getattr(made, name) != getattr(self.leaf, name))
        if said_holds and not made_holds:  # the log vouches for the leaf: what should lead to it does not
            raise Altered(within(where, {"tag": "leaf.pseudonym_key"}.get(name, "segment")), _NOT_TO_THE_LEAF[name])
        raise Altered(within(where, f"leaf.{name}"), _NOT_TO_THE_LEAF[name])

    def _is_in(self, tree: Checkpoint, leaf: Leaf) -> bool:
        try:
            check_inclusion(leaf_hash(leaf.to_bytes()), self.proof.index, tree.size, self.proof.hashes, tree.root)
        except Unproven:
            return False
        return True


_NOT_TO_THE_LEAF = {
    "tag": "the leaf's tag is not this vault's under this pseudonym key",
    "seq": "the receipt's number and the digests that follow do not add up to the leaf's",
    "chain_hash": "the chain does not lead from the receipt to the leaf's chain hash",
}


def judge(standing: Standing, trust: Trust) -> Judged:
    """What a checkpoint that holds is worth to somebody who trusts these keys and this policy."""
    checkpoint, _, signers = standing
    checked = tuple(_signed_by(each, checkpoint) for each in signers)
    given = {*trust.keys, *trust.logs}
    known = {each.key for each in signers} & given
    if given and not known:
        why = f"{NO_KNOWN_KEY} Who signed: {names_of(each.key for each in signers)}."
        return Judged(Verdict.UNKNOWN_KEY, why, checked)
    logs = [key for key in known if _is_log(key, checkpoint)]
    if trust.policy is not None:
        own = [each.key for each in signers if _is_log(each.key, checkpoint)]
        try:
            found = trust.policy.check(standing.signed, logs if given else own)
        except (Malformed, Unproven) as problem:
            return Judged(Verdict.UNKNOWN_KEY, f"It is not what your policy asks for: {problem}.", checked)
        checked += (f"The policy: {len(found.witnesses)} of its witnesses cosigned; it asks for {trust.policy.asks}.",)
    if not logs:
        return Judged(Verdict.NOT_CHECKED, KEY_CAME_WITH_IT, checked)
    return Judged(Verdict.IN_LEDGER, "", checked)


NO_KNOWN_KEY = "It is signed by none of the keys that it was checked against."
KEY_CAME_WITH_IT = (
    "The log's key came with the file: give the key that you had from elsewhere to know whose ledger that is."
)


def names_of(keys: Iterable[VerifierKey]) -> str:
    """Keys as people compare them: name and id."""
    return ", ".join(f"{key.name}+{key.key_id:08x}" for key in keys)


def instant(second: int) -> str:
    """A POSIX second as `YYYY-MM-DDTHH:MM:SSZ`, or as a number where no calendar has it."""
    if second > _LAST_SECOND:
        return f"second {second}"
    return f"{datetime.fromtimestamp(second, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _signed_by(signature: Verified, checkpoint: Checkpoint) -> str:
    key, second = signature
    if second is None:
        return f"The checkpoint of {counted(checkpoint.size, 'leaf', 'leaves')} is signed by {names_of([key])}."
    return f"It is cosigned by the witness {names_of([key])} as of {instant(second)}."


def _is_log(key: VerifierKey, checkpoint: Checkpoint) -> bool:
    return key.type == ED25519 and key.name == checkpoint.origin


def _read_leaf(found: Any, where: str) -> tuple[Leaf, bytes, int]:
    said = an_object(found, _LEAF_MEMBERS, where)
    index = a_number(said["index"], within(where, "index"), MOST - 1)
    seq = a_number(said["seq"], within(where, "seq"), MOST_RECEIPTS)
    if seq == 0:
        raise Altered(within(where, "seq"), "the first receipt is number 1")
    tag, chain_hash, key = (a_hex(said[name], within(where, name)) for name in ("tag", "chain_hash", "pseudonym_key"))
    return Leaf(tag, seq, chain_hash), key, index


def _read_proof(found: Any, where: str) -> Proof:
    try:
        proof = Proof.parse(a_text(found, where).encode())
    except (Malformed, UnicodeEncodeError) as problem:
        raise Altered(where, str(problem)) from None
    if proof.extra:
        raise Altered(where, "no extra data belongs in it: nobody vouches for that")
    return proof


def _read_keys(found: Any, where: str) -> tuple[VerifierKey, ...]:
    if type(found) is not dict:
        raise Altered(where, "this must be a JSON object")
    if len(found) > MOST_SIGNATURES:
        raise Altered(where, f"at most {MOST_SIGNATURES} keys sign a checkpoint")
    return tuple(_read_key(name, vkey, within(where, name[:40])) for name, vkey in found.items())


def _read_key(name: str, vkey: Any, where: str) -> VerifierKey:
    try:
        key = VerifierKey.parse(a_text(vkey, where))
    except Malformed as problem:
        raise Altered(where, str(problem)) from None
    if f"{key.key_id:08x}" != name:
        raise Altered(where, "a key is listed under its id in hex")
    return key
