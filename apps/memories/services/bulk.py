"""Many decisions in one go: exactly the proposals that were reviewed, as they stood then. One that cannot be decided so
keeps no other waiting.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid5

from apps.ledger.log import Act, act, reading
from apps.memories import prints, proposed, store, unnoticed
from apps.memories.services.applying import apply_within
from apps.memories.services.approving import Approval, Outcome
from apps.memories.services.catching_up import catch_up
from apps.memories.services.deciding import finished, tell_approved
from apps.memories.services.deprecating import keep_replaced
from apps.memories.services.ending import end_within
from apps.memories.services.inbox import seen_among
from apps.memories.services.keeping import check_guest, held_by_guest
from apps.memories.services.labelling import looked_again, with_label
from apps.memories.services.noticing import echoed, noticed_since
from apps.memories.services.showing import hand_to_holder
from apps.memories.services.sight import unseen_within
from apps.memories.services.staging import candidate_of
from apps.memories.services.wording import Wording
from apps.policy.plans import candidate_plan
from apps.policy.proposals import Proposal, without_marks_on
from apps.policy.roles import Deed, needs
from apps.policy.staging import MOST_AT_ONCE, judge_decision, needs_attention
from apps.policy.text import MOST_RATIONALE, TextProblem, check_line
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Directive, ProposalStatus, Refusal, State


class Done(StrEnum):
    """What became of one of many."""

    APPLIED = "applied"
    SKIPPED = "skipped"  # it was decided, taken back or unknown already
    NEEDS_ATTENTION = "needs-attention"  # it waits still, to be looked at by itself


@dataclass(frozen=True, slots=True)
class Item:
    """One of many: what became of it and, where it was not applied, why, by a refusal's or a mark's word."""

    proposal_id: UUID
    done: Done
    why: str = ""
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of each, in the order they were sent. `batch_id` undoes those that were applied in this go, and is
    the same where the same is sent again.
    """

    batch_id: UUID
    items: tuple[Item, ...]

    def count(self, done: Done) -> int:
        """How many of them ended so."""
        return sum(each.done is done for each in self.items)


Reviewed = Sequence[tuple[UUID, int]]


@needs(Deed.DECIDE)
def approve_many(holder: Holder, reviewed: Reviewed, now: datetime) -> Batch:
    """Approve as proposed what was reviewed: (proposal, revision) pairs, at most 500. Only what adds or corrects an
    ordinary memory, and about which nothing was noticed; the rest waits still. Raises TextProblem.
    """
    wanted = _wanted(reviewed)
    catch_up(holder.vault_id)
    texts = _texts(holder, wanted)
    with act(holder.vault_id, holder.actor) as approving:
        run = _Run(approving, holder, _go(holder, wanted, "approve"), now)
        run.look(wanted)
        for proposal_id, revision in wanted.items():
            run.decide(proposal_id, revision, texts)
        run.write()
        if not approving.lines:
            approving.cancel()
    unnoticed.added(holder.vault_id, run.since)
    return Batch(run.batch_id, tuple(run.items[each] for each in wanted))


def _wanted(reviewed: Reviewed) -> dict[UUID, int]:
    if not 1 <= len(reviewed) <= MOST_AT_ONCE:
        raise TextProblem("items", f"They are {len(reviewed)}; from 1 to {MOST_AT_ONCE} are decided at once.")
    if len(set(reviewed)) != len(dict(reviewed)):
        raise TextProblem("items", "One is in it twice, at two revisions. Send each as you looked at it, once.")
    return dict(reviewed)


def _go(holder: Holder, wanted: dict[UUID, int], decision: str) -> UUID:
    """A go is named by what was reviewed: sent again, in whatever order, it is that same one. No other can come by its
    name, as a decision moves the revisions.
    """
    told = sorted(f"{proposal_id.hex}:{revision}" for proposal_id, revision in wanted.items())
    return uuid5(holder.vault_id, " ".join([decision, *told]))


def _texts(holder: Holder, wanted: Iterable[UUID]) -> dict[UUID, str]:
    """What the corrections among these say, by `memory_id`, in one stamp. One whose seal does not open is left out;
    what was decided meanwhile, and is opened no more, is found by a second look.
    """
    for _ in range(2):
        with reading(holder.vault_id, holder.actor):
            found = seen_among(holder, wanted)
        plan = candidate_plan([each for each in found.values() if each.directive is Directive.CORRECT])
        shown = hand_to_holder(holder, plan, what_opens=True) if plan.items else None
        if shown is None or shown.first:
            return {each.memory_id: each.value or "" for each in shown.values} if shown is not None else {}
    return {}


class _Run:
    """One go, within its act: what is there is looked at once for all, and all that is added is written once."""

    def __init__(self, within: Act, holder: Holder, batch_id: UUID, now: datetime) -> None:
        self.within, self.holder, self.batch_id, self.now = within, holder, batch_id, now
        self.items: dict[UUID, Item] = {}
        self.added: list[tuple[Approval, Memory]] = []
        self.decided: list[tuple[Approval, Outcome]] = []

    def look(self, wanted: Iterable[UUID]) -> None:
        """All that the decisions depend on."""
        vault_id = self.within.vault_id
        self.unseen = unseen_within(self.holder)
        self.held = held_by_guest(self.holder)
        self.found = seen_among(self.holder, wanted)
        targets = [each.target_id for each in self.found.values() if each.target_id is not None]
        self.targets = {each.memory_id: each for each in store.memories(vault_id, targets)} if targets else {}
        waiting = [each for each in self.found.values() if each.says and each.status is ProposalStatus.PENDING]
        self.prints = prints.found(vault_id, [(each.memory_id, 1) for each in waiting])
        told = [(each, self.prints.get((each.memory_id, 1))) for each in waiting]
        since = noticed_since(self.within, told, self.targets) if told else {}
        seen = {each: without_marks_on(marks, self.unseen) for each, marks in since.items()}
        self.since = {each: marks for each, marks in seen.items() if marks}
        self.labels = looked_again(self.within, waiting, self.targets, self.unseen)
        adds = [each for each in self.found.values() if each.directive is Directive.ADD]
        there = store.under(vault_id, *{each.subject for each in adds}) if adds else ()
        self.taken = {each.subject for each in there if each.state is State.APPROVED}
        self.ended = {each.subject for each in there if each.state is not State.APPROVED}
        alike = prints.like(vault_id, {each.whole for each in self.prints.values()})
        known = store.memories(vault_id, {memory_id for each in alike.values() for memory_id, _ in each})
        kept = {each.memory_id for each in known}
        self.alike = {whole for whole, each in alike.items() if any(memory_id in kept for memory_id, _ in each)}

    def decide(self, proposal_id: UUID, revision: int, texts: dict[UUID, str]) -> None:
        """Judge one, and do it where it may be done so."""
        proposal = self.found.get(proposal_id)
        if proposal is None:
            self.items[proposal_id] = Item(proposal_id, Done.SKIPPED, Refusal.NOT_FOUND.value)
            return
        refused = judge_decision(proposal, revision, self.now)
        if refused is not None:
            self.items[proposal_id] = self._decided_already(proposal, refused)
            return
        marks = (*proposal.marks, *self.since.get(proposal_id, ()))
        proposal = replace(proposal, marks=with_label(marks, self.labels.get(proposal_id)))
        why = needs_attention(proposal, self.targets.get(proposal.target_id) if proposal.target_id else None)
        ready = Approval(proposal, Wording(), self.holder.time_zone, self.now, unseen=self.unseen)
        done = self._carry_out(ready, texts) if why is None else why
        if isinstance(done, str):
            self.items[proposal_id] = Item(proposal_id, Done.NEEDS_ATTENTION, done)
            return
        self.decided.append((ready, done))
        self.items[proposal_id] = Item(proposal_id, Done.APPLIED, memory=done.memory)

    def _decided_already(self, proposal: Proposal, refused: Refused) -> Item:
        """The same yes again is applied, while it holds; another answer stands."""
        if refused.reason is Refusal.STALE:
            return Item(proposal.proposal_id, Done.NEEDS_ATTENTION, refused.reason.value)
        same = proposal.status is ProposalStatus.APPROVED and not proposal.edited and proposal.undone_at is None
        return Item(proposal.proposal_id, Done.APPLIED if same else Done.SKIPPED, "" if same else refused.reason.value)

    def _carry_out(self, ready: Approval, texts: dict[UUID, str]) -> Outcome | str:
        if ready.proposal.directive is Directive.ADD:
            return self._add(ready)
        text = texts.get(ready.proposal.memory_id)
        if text is None:
            return Refusal.NOT_FOUND.value
        try:
            done = apply_within(self.within, replace(ready, text=text))
        except TextProblem as problem:
            return problem.field
        return done.reason.value if isinstance(done, Refused) else done

    def _add(self, ready: Approval) -> Outcome | str:
        proposal = ready.proposal
        if proposal.subject in self.taken:
            return Refusal.SUBJECT_TAKEN.value
        said = self.prints.get((proposal.memory_id, 1))
        suspect = said is not None and (said.whole in self.alike or proposal.subject in self.ended)
        if said is not None and suspect and echoed(self.within, said, proposal.subject, self.unseen) is not None:
            return Refusal.ECHO.value
        check_guest(self.holder, self.held + len(self.added))
        new = replace(candidate_of(proposal), updated_at=self.now)
        self.taken.add(new.subject)
        self.added.append((ready, new))
        return Outcome(new.memory_id, new)

    def write(self) -> None:
        """What was decided, in a few statements for all."""
        if not self.decided:
            return
        within = self.within
        if self.added:
            store.add_many(within, [(new, ready.line) for ready, new in self.added], self.now)
            store.index_approved(within, [new.memory_id for _, new in self.added])
            for ready, new in self.added:
                keep_replaced(within, ready, Outcome(new.memory_id, new))
        proposed.approved(within, [finished(within, ready, done, self.batch_id) for ready, done in self.decided])
        for ready, done in self.decided:
            tell_approved(within, ready, done)


@needs(Deed.DECIDE)
def reject_many(holder: Holder, reviewed: Reviewed, now: datetime, *, reason: str = "") -> Batch:
    """Reject what was reviewed: (proposal, revision) pairs, at most 500. Raises TextProblem."""
    wanted, said = _wanted(reviewed), check_line(reason, "reason", MOST_RATIONALE, empty=True)
    catch_up(holder.vault_id)
    items: dict[UUID, Item] = {}
    with act(holder.vault_id, holder.actor) as rejecting:
        found = seen_among(holder, wanted)
        ending = []
        for proposal_id, revision in wanted.items():
            proposal = found.get(proposal_id)
            refused = Refused(Refusal.NOT_FOUND) if proposal is None else judge_decision(proposal, revision, now)
            if refused is None and proposal is not None:
                ending.append(proposal)
                items[proposal_id] = Item(proposal_id, Done.APPLIED)
                continue
            rejected = proposal is not None and proposal.status is ProposalStatus.REJECTED
            same = rejected and proposal is not None and said in ("", proposal.reason)
            stale = refused is not None and refused.reason is Refusal.STALE
            done = Done.APPLIED if same else Done.NEEDS_ATTENTION if stale else Done.SKIPPED
            items[proposal_id] = Item(proposal_id, done, "" if same or refused is None else refused.reason.value)
        if ending:
            end_within(rejecting, ending, ProposalStatus.REJECTED, now, said)
        else:
            rejecting.cancel()
    return Batch(_go(holder, wanted, "reject"), tuple(items[each] for each in wanted))
