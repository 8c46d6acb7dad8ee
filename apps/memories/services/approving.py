"""A yes as it is carried out, and what it does with a proposal that has a value: within the act that approves."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import prints, store, versions
from apps.memories.services.correcting import Wish, correct_within
from apps.memories.services.keeping import about, as_dated, dated, keep, neutral, taken
from apps.memories.services.noticing import echoed
from apps.memories.services.sources import close_sources
from apps.memories.services.staging import candidate_of
from apps.memories.services.wording import Wording, check_category, check_claim
from apps.memories.versions import Line
from apps.policy.proposals import Proposal
from apps.policy.text import check_line, check_subject
from apps.policy.types import Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Category, Directive, Ended, ReceiptKind, Refusal, Role, State


@dataclass(frozen=True, slots=True)
class Approval:
    """A yes as it is carried out. `text`: what is kept, None where it is kept as it lies there, unread; `other`: it is
    another than was proposed; `was`: what was proposed then, where that has to be sealed anew; `before`: the version
    that a revert restores; `role`: what the approver is to the vault.
    """

    proposal: Proposal
    wording: Wording
    zone: str
    now: datetime
    text: str | None = ""
    other: bool = False
    was: str | None = None
    before: MemoryVersion | None = None
    unseen: Collection[UUID] = field(default=frozenset())
    role: Role = Role.HOLDER

    @property
    def source(self) -> str:
        """Who said what is kept: whoever approves where it is other words than were proposed, by their role; else the
        client.
        """
        return self.role.value if self.other else candidate_of(self.proposal).source

    @property
    def line(self) -> Line:
        """What the history says of it besides its version."""
        given = self.proposal.candidate
        line = dated(given.valid_from, given.valid_to, self.zone)
        return replace(line, why=self.proposal.rationale, proposal_id=self.proposal.proposal_id)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of it: what it made or changed, and the memory where it is one."""

    became: UUID
    memory: Memory | None = None
    was: str = ""  # the subject from which it was moved away; the end that an edge had said before
    put_under: str = ""  # the subject to which it was moved


def add_within(within: Act, approval: Approval) -> Outcome | Refused:
    proposal, wording = approval.proposal, approval.wording
    subject = check_subject(wording.subject) if wording.subject else proposal.subject
    if wording.replaces is not None:
        return _replace(within, approval, wording.replaces)
    if not wording.sealed and taken(within, subject):
        return Refused(Refusal.SUBJECT_TAKEN, "/subject")
    category = wording.category or Category.ORDINARY
    sources = close_sources(within, proposal, approval.unseen)
    unsaid = check_category(sources, wording, None)
    if unsaid is not None:
        return unsaid
    if not wording.on_purpose and _restates(within, approval, subject):
        return Refused(Refusal.ECHO, "/value")
    new = replace(
        candidate_of(proposal),
        subject=subject,
        label=check_line(wording.label, "label") if wording.label is not None else proposal.label,
        neutral_label=neutral(category, wording.neutral_label),
        category=category,
        source=approval.source,
        attested=wording.claim is not None,
        claim=wording.claim,
        local_only=_stays_home(wording, sources),
        state=State.SEALED if wording.sealed else State.APPROVED,
        version=2 if wording.apart or approval.other else 1,
        updated_at=approval.now,
    )
    new = as_dated(new, approval.line, approval.now)
    if new.version == 2:
        _keep_other(within, approval, new)
        return Outcome(new.memory_id, new)
    return _keep_as_it_lies(within, approval, new)


def add_plainly(within: Act, approval: Approval) -> Outcome:
    """`add_within` for what is kept as it was proposed, where nothing stands in its way."""
    new = replace(candidate_of(approval.proposal), updated_at=approval.now)
    return _keep_as_it_lies(within, approval, as_dated(new, approval.line, approval.now))


def _keep_as_it_lies(within: Act, approval: Approval, new: Memory) -> Outcome:
    """The candidate is the memory: nothing is sealed anew, and nothing indexed but where its label is another."""
    store.add(within, new, approval.now, approval.line)
    store.index_approved(within, [new.memory_id])
    if approval.text is not None:
        store.index(within, store.vault_key_for_writing(within, approval.now), new, approval.text)
    return Outcome(new.memory_id, new)


def _restates(within: Act, approval: Approval, subject: str) -> bool:
    """Does it say what was corrected, or put away? What is kept unread is known by its print."""
    at = (approval.proposal.memory_id, 1)
    if approval.text is None:
        said = prints.found(within.vault_id, [at]).get(at)
    else:
        said = prints.of(store.vault_key_for_writing(within, approval.now), approval.text)
    return said is not None and echoed(within, said, subject, approval.unseen) is not None


def _keep_other(within: Act, approval: Approval, new: Memory) -> None:
    """Other words than were proposed, or the same ones sealed apart, so that no copy stays where it lay: what was
    proposed stands beside them in the history.
    """
    apart = approval.wording.apart
    if apart:
        store.shred(within, new.memory_id)
    keep(within, new, approval.text or "", approval.now, approval.line)
    if apart and approval.was is not None:
        _note_what_was_proposed(within, approval, new)
    elif not apart:
        first = replace(new, version=1, label=approval.proposal.label, source=candidate_of(approval.proposal).source)
        line = Line(approval.proposal.rationale, proposal_id=approval.proposal.proposal_id)
        versions.write(within, first, approval.now, line, Ended.PROPOSED)
        store.index_approved(within, [new.memory_id])  # nothing is left there of what was proposed


def _replace(within: Act, approval: Approval, memory_id: UUID) -> Outcome | Refused:
    """An added one in the place of the one that lives under its subject, as its correction."""
    old = store.memory(within.vault_id, memory_id)
    seen = old is not None and memory_id not in approval.unseen
    if old is None or not seen or not taken(within, old.subject) or old.subject != approval.proposal.subject:
        return Refused(Refusal.NOT_FOUND, "/replaces")
    return _correct_memory(within, approval, old)


def correct_target_within(within: Act, approval: Approval) -> Outcome | Refused:
    old = store.memory(within.vault_id, approval.proposal.target_id or approval.proposal.memory_id)
    return Refused(Refusal.STALE) if old is None else _correct_memory(within, approval, old)


def _correct_memory(within: Act, approval: Approval, old: Memory) -> Outcome | Refused:
    proposal, wording = approval.proposal, approval.wording
    sources = close_sources(within, proposal, approval.unseen)
    unsaid = check_claim(old, wording.claim)
    unsaid = unsaid if unsaid is not None else check_category(sources, wording, old)
    if unsaid is not None:
        return unsaid
    wish = Wish(
        label=wording.label if wording.label is not None else _proposed_label(within, proposal, old),
        category=wording.category,
        neutral_label=wording.neutral_label,
        as_of=proposal.as_of,
        changed=proposal.candidate.changed,
        valid_from=proposal.candidate.valid_from,
        valid_to=proposal.candidate.valid_to,
        why=proposal.rationale,
    )
    done = correct_within(
        within,
        old,
        approval.text or "",
        wish,
        approval.now,
        zone=approval.zone,
        source=approval.source,
        on_purpose=wording.on_purpose,
        proposal_id=proposal.proposal_id,
    )
    if isinstance(done, Refused):
        return done
    if approval.was is not None:
        _note_what_was_proposed(within, approval, done)
    store.shred(within, proposal.memory_id)
    if _stays_home(wording, sources) and not done.local_only:
        done = replace(done, local_only=True)
        store.set_marks(within, done, approval.now)
        within.record(ReceiptKind.MEMORY_MARKED, **about(done))
    return Outcome(done.memory_id, done)


def _stays_home(wording: Wording, sources: Iterable[Memory]) -> bool:
    """As the approver says; unsaid, as what it comes from."""
    said = wording.local_only
    return any(each.local_only for each in sources) if said is None else said


def _proposed_label(within: Act, proposal: Proposal, old: Memory) -> str | None:
    """The label that the client gave a correction; None where it gave none: its target's is noted in its stead then,
    the neutral one of a special category, which is no label to keep. What was to be added named itself, and not the
    memory that it corrects.
    """
    if proposal.directive is Directive.ADD:
        return None
    at = proposal.made_at
    lines = versions.history(within.vault_id, old.memory_id)
    stood = [each for each in lines if each.made_at <= at and (each.retired_at is None or each.retired_at > at)]
    noted = {"", old.outer_label, *(each.label for each in stood if not each.category.special)}
    rebased = proposal.revision > 1 and any(each.category.special for each in stood)
    return None if rebased or proposal.label in noted else proposal.label


def _note_what_was_proposed(within: Act, approval: Approval, done: Memory) -> None:
    """The client's words beside the holder's, in the history of the memory they were meant for."""
    number, source = versions.next_number(within, done.memory_id), candidate_of(approval.proposal).source
    theirs = replace(done, version=number, label=approval.proposal.label, source=source)
    line = Line(approval.proposal.rationale, proposal_id=approval.proposal.proposal_id)
    versions.write(within, theirs, approval.now, line, Ended.PROPOSED)
    key = store.vault_key_for_writing(within, approval.now)
    store.put(within, key, theirs, approval.was or "")
