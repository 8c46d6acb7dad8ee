"""Every witness is asked at once for its cosignature, and none is waited for long.

Who does not answer, or answers anything else, is asked again later and ever more seldom. What comes back is believed as
far as its signatures go: a cosignature is checked before it is kept, and a checkpoint that a witness holds against ours
is evidence only where this log's key has signed it.
"""

from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from apps.ledger import cosigned, tree
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.merkle import consistency_proof
from apps.ledger.format.note import read_signatures
from apps.ledger.format.policy import NO_QUORUM, Policy
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.format.witness import read_cosignatures
from apps.ledger.services.asking import PATIENCE, Answer, NoAnswer, Question, exchange
from apps.ledger.services.continuing import Forked, LogProblem, contradiction, nodes
from apps.ledger.services.evidence import reason

WAIT = 1.0  # seconds that a step waits for answers: what comes later is taken by the next step
MOST_REST = 60.0  # seconds between two questions to a witness that does not cosign
MOST_SAID = 200  # characters of a refusal's body that are kept
ASKS_NOBODY = b"quorum none\n"


@dataclass(slots=True)
class Witnesses:
    """The witnesses of a policy, as one process asks them. `number` is the policy's in the database."""

    policy: Policy
    number: int
    _asked: dict[str, tuple[Question, "Future[Answer]"]] = field(default_factory=dict)
    _rests: dict[str, tuple[int, float]] = field(default_factory=dict)  # failures in a row, and when to ask again
    _threads: ThreadPoolExecutor | None = None

    def ask(self, size: int, note: bytes) -> None:
        """Ask whoever has not cosigned the newest checkpoint, this one, and take what is answered at once.

        Raises Forked where a witness holds a checkpoint that our key signed and our tree does not continue.
        """
        for name, party in self.policy.witnesses.items():
            if party.url is None or name in self._asked or self._rests.get(name, (0, 0.0))[1] > monotonic():
                continue
            last = cosigned.last_cosigned(str(party.key))
            if last is None or last < size:
                self._send(name, note, last or 0)
        self.settle(WAIT)

    def settle(self, seconds: float = 4 * PATIENCE) -> None:
        """Take the answers to what was asked, as they come, for so long at most. Raises Forked."""
        end = monotonic() + seconds
        while self._asked and (left := end - monotonic()) > 0:
            wait([future for _, future in self._asked.values()], timeout=left, return_when=FIRST_COMPLETED)
            for name in [name for name, (_, future) in self._asked.items() if future.done()]:
                self._take(*self._asked.pop(name))

    def count(self, size: int) -> None:
        """Note it where the checkpoint of this size meets the policy."""
        if self.policy.quorum != NO_QUORUM and self.policy.is_quorum(
            signers(self.policy, cosigned.cosignatures(size, tree.LOG))
        ):
            cosigned.add_quorum(self.number, size)

    def _send(self, name: str, note: bytes, old: int, *, again: bool = False) -> None:
        checkpoint, url = parse_signed(note)[0], (self.policy.witnesses[name].url or "").rstrip("/")
        proof = tuple(consistency_proof(nodes(checkpoint.size), old, checkpoint.size))
        question = Question(name, url, checkpoint, note, old, proof, again)
        self._threads = self._threads or ThreadPoolExecutor(len(self.policy.witnesses), "witness")
        self._asked[name] = question, self._threads.submit(exchange, question)

    def _take(self, question: Question, answered: "Future[Answer]") -> None:
        try:
            answer = answered.result()
        except NoAnswer as problem:
            return self._refused(question, 0, str(problem))
        seen = answer.seen(question)
        if seen is not None:
            return self._send(question.name, question.note, seen, again=True)
        if answer.status == 200:
            return self._cosigned(question, answer.body)
        evidence = contradiction(answer.theirs) if answer.theirs else None
        if evidence is None and answer.status == 409 and _overtaken(question):
            return None
        return self._refused(question, answer.status, _meaning(answer), evidence)

    def _cosigned(self, question: Question, body: bytes) -> None:
        key, size = self.policy.witnesses[question.name].key, question.checkpoint.size
        try:
            found = read_cosignatures(body, question.checkpoint, [key])
            lines = [
                each.line()
                for each in read_signatures(body.decode())
                if (each.name, each.key_id) == (key.name, key.key_id)
            ]
        except (Malformed, Unproven) as problem:
            return self._refused(question, 200, f"what it answered is no cosignature: {problem}")
        if not found:
            return self._refused(question, 200, "what it answered is not signed with the key that the policy names")
        cosigned.add_cosignature(size, str(key), lines[0])
        self._rests.pop(question.name, None)
        return self.count(size)

    def _refused(self, question: Question, status: int, said: str, evidence: bytes | None = None) -> None:
        """Keep the refusal and let the witness rest: 2, 4, 8 … seconds. Raises Forked where it is evidence."""
        failures = self._rests.get(question.name, (0, 0.0))[0] + 1
        self._rests[question.name] = failures, monotonic() + min(MOST_REST, 2.0**failures)
        key, name = self.policy.witnesses[question.name].key, printable(question.name)
        cosigned.add_refusal(str(key), name, question.checkpoint.size, status, printable(said), evidence)
        if evidence is not None:
            raise Forked(
                f"{reason(evidence, f'the witness {name} has cosigned')} Nothing more is signed. See "
                "docs/transparency-log.md.",
                evidence,
            )


def read_policy(policy_file: str) -> bytes:
    """The text of a policy that can be used: the file's, or without one that which asks nobody. Nothing is recorded.

    Raises LogProblem for a file that cannot be used.
    """
    try:
        text = Path(policy_file).read_bytes() if policy_file else ASKS_NOBODY
        Policy.parse(text)
    except (OSError, Malformed) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise LogProblem(f"MUNIMENT_LOG_POLICY names {policy_file}, which cannot be used: {why}.") from None
    return text


def witnesses_of(text: bytes) -> Witnesses:
    """The witnesses that a policy names, as `read_policy` gives it; it is in force from now on."""
    known = cosigned.policy(tree.LOG)
    number = known[0] if known and known[1] == text else cosigned.add_policy(text)
    made = Witnesses(Policy.parse(text), number)
    newest = tree.newest_checkpoint(tree.LOG)
    if newest is not None:
        made.count(newest[0])
    return made


def signers(policy: Policy, vkeys: Collection[str]) -> frozenset[str]:
    """The policy's names for those of its witnesses that have these keys."""
    return frozenset(name for name, party in policy.witnesses.items() if str(party.key) in vkeys)


def printable(text: str) -> str:
    """Somebody else's words, short and on one line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:MOST_SAID].strip()


def _overtaken(question: Question) -> bool:
    """Another process of this log has published a larger tree meanwhile, which the witness may know already."""
    newest = tree.newest_checkpoint(tree.LOG)
    return newest is not None and newest[0] > question.checkpoint.size


def _meaning(answer: Answer) -> str:
    """What a refusal says. Witnesses of before v1.0.0 answer 403 for a log that they do not follow, later ones 404."""
    means = "does not follow this log: " if answer.status in (403, 404) else ""
    return f"{means}{answer.status} {answer.body[: 4 * MOST_SAID].decode(errors='replace')}"
