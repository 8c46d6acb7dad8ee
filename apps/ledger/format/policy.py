"""Whom to believe: C2SP tlog-policy, a file that lists logs and witnesses and says how many of these are enough.

    log <vkey> [<url>]
    witness <name> <vkey> [<url>]
    group <name> <k|any|all> <name>...
    quorum <name|none>

Names are octets, not letters: they are kept as UTF-8 where they are, by surrogate escapes where they are not.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from .checkpoint import Checkpoint, parse_signed
from .keys import COSIGNATURE, ED25519, VerifierKey
from .note import Verified
from .strict import Malformed, Unproven, decimal

NO_QUORUM = "none"
MOST_POLICY_BYTES = 1_000_000

_FORBIDDEN = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class Party:
    """A log or a witness: its key, and where it is reached if the file says so."""

    key: VerifierKey
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Has witnessed what at least `threshold` of its members have."""

    threshold: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A checkpoint that a policy accepts: the log keys that signed it, and the witnesses' names with their times.

    Times are POSIX seconds; of a witness that signed twice the later one stands.
    """

    checkpoint: Checkpoint
    logs: tuple[VerifierKey, ...]
    witnesses: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as parsed. Groups are in the order of the file: each names only what stands before it."""

    logs: tuple[Party, ...]
    witnesses: Mapping[str, Party]
    groups: Mapping[str, Group]
    quorum: str

    @classmethod
    def parse(cls, data: bytes) -> "Policy":
        """Read a policy file. Raises Malformed, with the number of the line."""
        if len(data) > MOST_POLICY_BYTES or _FORBIDDEN.search(data):
            raise Malformed(f"a policy is at most {MOST_POLICY_BYTES} bytes, without controls but tab and newline")
        reader = _Reader()
        for number, line in enumerate(data.decode(errors="surrogateescape").split("\n"), 1):
            words = _BLANKS.split(line.strip(" \t"))
            if words[0].startswith("#") or words == [""]:
                continue
            try:
                reader.read(*words)
            except Malformed as problem:
                raise Malformed(f"line {number} of the policy: {problem}") from None
        if reader.quorum is None:
            raise Malformed("a policy has exactly one quorum line; write `quorum none` to ask for no witness")
        return cls(tuple(reader.logs), reader.witnesses, reader.groups, reader.quorum)

    @property
    def asks(self) -> str:
        """How many witnesses it takes, in words: `none`, `witness <name>`, or `<k> of <n>` of the quorum's group."""
        group = self.groups.get(self.quorum)
        if group is not None:
            return f"{group.threshold} of {len(group.members)}"
        return self.quorum if self.quorum == NO_QUORUM else f"witness {self.quorum}"

    def is_quorum(self, names: Collection[str]) -> bool:
        """Are these witnesses, by the names of the file, enough."""
        if self.quorum == NO_QUORUM:
            return True
        witnessed = {name for name in names if name in self.witnesses}
        for name, group in self.groups.items():
            if sum(member in witnessed for member in group.members) >= group.threshold:
                witnessed.add(name)
        return self.quorum in witnessed

    def check(self, signed: bytes, logs: Iterable[VerifierKey] = ()) -> Witnessed:
        """Accept a signed checkpoint or not. `logs` are trusted beside the file's own, which may list none.

        A log's key must have the checkpoint's origin for its name. Raises Malformed for the bytes, Unproven where no
        such log signed, a known key's signature fails, or the witnesses are too few.
        """
        checkpoint, note = parse_signed(signed)
        known = [*(party.key for party in self.logs), *logs]
        of_origin = [key for key in known if key.name == checkpoint.origin and key.type == ED25519]
        if not of_origin:
            raise Unproven(f"the policy knows no log with the origin {checkpoint.origin}")
        found = note.verify([*of_origin, *(party.key for party in self.witnesses.values())])
        signers = tuple(dict.fromkeys(each.key for each in found if each.key in of_origin))
        if not signers:
            raise Unproven("the log itself has not signed this checkpoint")
        witnesses = _latest(found, {party.key: name for name, party in self.witnesses.items()})
        if not self.is_quorum(witnesses):
            have = "known witness has" if len(witnesses) == 1 else "known witnesses have"
            raise Unproven(f"{len(witnesses)} {have} cosigned, which is no quorum of {self.quorum}")
        return Witnessed(checkpoint, signers, witnesses)


def _latest(found: Iterable[Verified], names: Mapping[VerifierKey, str]) -> dict[str, int]:
    times: dict[str, int] = {}
    for key, time in found:
        if time is not None:
            times[names[key]] = max(time, times.get(names[key], 0))
    return times


class _Reader:
    """The lines of a policy file, one after the other."""

    def __init__(self) -> None:
        self.logs: list[Party] = []
        self.witnesses: dict[str, Party] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self._members: set[str] = set()

    def read(self, keyword: str, *words: str) -> None:
        if keyword == "log" and len(words) in (1, 2):
            self._log(*words)
        elif keyword == "witness" and len(words) in (2, 3):
            self._witness(*words)
        elif keyword == "group" and len(words) >= 3:
            self._group(words[0], words[1], words[2:])
        elif keyword == "quorum" and len(words) == 1:
            self._quorum(words[0])
        else:
            raise Malformed(
                "write log <vkey> [<url>], witness <name> <vkey> [<url>], group <name> <k|any|all> <name>... "
                "or quorum <name|none>"
            )

    def _log(self, vkey: str, url: str | None = None) -> None:
        self.logs.append(Party(_key(vkey, ED25519, self.logs), url))

    def _witness(self, name: str, vkey: str, url: str | None = None) -> None:
        self._define(name)
        self.witnesses[name] = Party(_key(vkey, COSIGNATURE, self.witnesses.values()), url)

    def _group(self, name: str, enough: str, members: tuple[str, ...]) -> None:
        for member in members:
            if not self._is_defined(member):
                raise Malformed("a group names witnesses and groups of the lines before it")
            if member in self._members:
                raise Malformed("a name is a member of one group, once")
            self._members.add(member)
        self._define(name)
        word = {"any": "1", "all": str(len(members))}.get(enough, enough)
        threshold = decimal(word, "how many of a group are enough", len(members))
        if not threshold:
            raise Malformed("at least one of a group must be enough")
        self.groups[name] = Group(threshold, members)

    def _quorum(self, name: str) -> None:
        if self.quorum is not None:
            raise Malformed("a policy has exactly one quorum line")
        if name != NO_QUORUM and not self._is_defined(name):
            raise Malformed("the quorum is none, or a witness or group of the lines before it")
        self.quorum = name

    def _is_defined(self, name: str) -> bool:
        return name in self.witnesses or name in self.groups

    def _define(self, name: str) -> None:
        if name == NO_QUORUM or self._is_defined(name):
            raise Malformed("a name is given once, and never none")


def _key(vkey: str, type: int, before: Iterable[Party]) -> VerifierKey:
    key = VerifierKey.parse(vkey)
    if key.type != type:
        raise Malformed("a log's key is of type 0x01, a witness's of type 0x04")
    if any(party.key.public_key == key.public_key for party in before):
        raise Malformed("a public key is listed once, under whatever name")
    return key
