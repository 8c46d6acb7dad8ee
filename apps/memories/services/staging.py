"""A client's side of a proposal: suggesting, taking back, what became of it. Nothing here makes anything so.

What a client is told is the same whatever the file says: that a proposal waits. What the vault noticed about it is for
the holder.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import alike, epochs, prints, proposed, store, terms, unnoticed
from apps.memories.keys import VaultKey
from apps.memories.services.keeping import dated
from apps.memories.services.voiding import refused_at_once
from apps.policy.forms import usual
from apps.policy.ids import typed
from apps.policy.links import EdgeKind
from apps.policy.looks import plainly
from apps.policy.marking import of_itself
from apps.policy.prints import whole
from apps.policy.proposals import Candidate, Likeness, Proposal, Traits
from apps.policy.staging import LASTS, MOST_EVIDENCE, check_fields
from apps.policy.text import (
    MOST_EVIDENCE_LINE,
    MOST_RATIONALE,
    TextProblem,
    check_line,
    check_subject,
    check_value,
    subject_of,
)
from apps.policy.types import Caller, Memory, Refused
from apps.policy.vocabulary import Category, Directive, ProposalStatus, ReceiptKind, Refusal, State
from vault import limits


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client would like to be so, as it sent it. `lineage`: the memories it was made from; `old`: the symbol
    whose place its value takes, where a deprecation was routed.
    """

    directive: Directive = Directive.ADD
    label: str = ""
    value: str = ""
    subject: str = ""
    target: UUID | None = None
    other: UUID | None = None
    edge: str = ""
    rationale: str = ""
    evidence: Sequence[str] = ()
    as_of: date | None = None
    changed: bool = False
    valid_from: str = ""
    valid_to: str = ""
    lineage: Sequence[UUID] = ()
    turn: str = ""
    old: str = ""

    def names(self) -> tuple[str, ...]:
        """The fields that say something."""
        plain = ("label", "value", "subject", "target", "other", "edge", "as_of", "changed", "valid_from", "valid_to")
        return tuple(name for name in plain if getattr(self, name))


def propose(
    caller: Caller,
    *,
    now: datetime,
    sent_fields: Collection[str] = (),
    known: Collection[UUID] = (),
    **sent: Any,
) -> Proposal | Refused:
    """A client suggests something, see `Draft`. Inert on every read path until the holder approves it.

    Nothing is looked at for it but what its client was shown and itself proposed, so that the answer takes as long
    whatever the file says: it is compared with that later, see `catch_up`. The same suggestion again is the same
    proposal while it is pending, `again`, and nothing of it is changed; it is refused once it was rejected, until that
    is lifted. `sent_fields` are the names the client sent: what only the approver may set, and what its directive does
    not take, is refused by name. `known` is all that this client was ever shown: what it names beside that is
    not-found, whether it exists or not. Raises TextProblem.
    """
    draft = Draft(**sent)
    refused = check_fields(draft.directive, [*sent_fields, *draft.names()])
    for name in ("target", "other"):
        if refused is None and getattr(draft, name) not in (None, *known):
            refused = Refused(Refusal.NOT_FOUND, f"/{name}")
    if refused is not None:
        return refused
    new = _checked(caller, draft, now)
    key = store.key_at_once(caller.vault_id, caller.actor)
    with terms.reading_once():
        return epochs.again_if_changed(lambda key: _propose(caller, new, draft, key, now), key)


def _propose(caller: Caller, new: Proposal, draft: Draft, key: VaultKey | None, now: datetime) -> Proposal | Refused:
    recognised = _recognised(new, draft, key, None) if key is not None and new.target_id is None else None
    asking = [alike.asking_like(caller.vault_id, recognised[0])] if recognised is not None else []
    with act(caller.vault_id, caller.actor, asking=asking) as proposing:
        key = key or store.vault_key_for_writing(proposing, now)
        done, traits = _propose_within(proposing, new, draft, key, recognised)
        if not proposing.lines:
            proposing.cancel()
    if isinstance(done, Proposal) and done.again:
        unnoticed.compare_anew(caller.vault_id, done.proposal_id, traits)
    return done


def _checked(caller: Caller, draft: Draft, now: datetime) -> Proposal:
    """The proposal that a draft makes. Raises TextProblem."""
    adds = draft.directive is Directive.ADD
    if draft.directive in (Directive.ADD, Directive.CORRECT):
        check_value(draft.value)
    label = check_line(draft.label, "label", empty=not adds)
    subject = check_subject(draft.subject) if draft.subject else subject_of(label) if adds else ""
    if draft.edge and draft.edge not in [each.value for each in EdgeKind]:
        raise TextProblem("edge", f"Choose one of {', '.join(each.value for each in EdgeKind)}.")
    if len(draft.evidence) > MOST_EVIDENCE:
        raise TextProblem("evidence", f"They are {len(draft.evidence)} lines; at most {MOST_EVIDENCE} are kept.")
    if draft.target is not None and draft.target == draft.other:
        raise TextProblem("other", "They are one and the same. Name another one.")
    line = dated(draft.valid_from, draft.valid_to, "UTC")
    return Proposal(
        proposal_id=new_id(),
        client_id=caller.client.client_id,
        directive=draft.directive,
        status=ProposalStatus.PENDING,
        memory_id=new_id(),
        subject=subject,
        label=label,
        rationale=check_line(draft.rationale, "rationale", MOST_RATIONALE, empty=True),
        as_of=draft.as_of,
        made_at=now,
        decided_at=None,
        target_id=draft.target,
        candidate=Candidate(draft.changed, line.valid_from, line.valid_to, draft.edge, draft.other, old=draft.old),
        evidence=tuple(check_line(each, "evidence", MOST_EVIDENCE_LINE) for each in draft.evidence),
        lineage=tuple(dict.fromkeys(draft.lineage)),
        turn=draft.turn,
        marks=of_itself(subject, label, draft.value, (draft.rationale, *draft.evidence)),
        expires_at=now + LASTS,
        by_link=caller.by_link,
    )


def _propose_within(
    within: Act, new: Proposal, draft: Draft, key: VaultKey, known: tuple[Likeness, Traits] | None
) -> tuple[Proposal | Refused, Traits]:
    target = store.memory(within.vault_id, new.target_id) if new.target_id is not None else None
    like, traits = known or _recognised(new, draft, key, target)
    new = _about(within, new, target)
    refused = refused_at_once(within, new, target)
    if refused is not None:
        return refused, traits
    like = replace(like, subject=new.subject)
    met = alike.looked(within.told[0]) if within.told else alike.look(within.vault_id, like)
    if met.known is not None:
        return replace(met.known, again=True), traits
    if met.rejected:
        return Refused(Refusal.ALREADY_REJECTED), traits
    until = limits.over(f"proposals:{new.client_id.hex}", settings.WISHES_PER_HOUR, 3600, new.made_at)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until), traits
    proposed.propose(within, new, like, traits)
    if new.says:
        store.put(within, key, candidate_of(new), draft.value)
        store.index_candidate(within, key, candidate_of(new), draft.value)
    within.record(ReceiptKind.PROPOSAL_MADE, object=typed("prp", new.proposal_id))
    return new, traits


def _recognised(new: Proposal, draft: Draft, key: VaultKey, target: Memory | None) -> tuple[Likeness, Traits]:
    """By what it is known again, a note by its words alone, and by what it is compared once it stands."""
    everything = store.fingerprint(key, *_told(new, draft.value, target))
    if not new.says:
        return Likeness(everything, everything), Traits()
    gist = store.fingerprint(key, str(new.client_id), "gist", _as_seen(usual(draft.value)))
    words, said = store.question_terms(key, draft.value), prints.of(key, draft.value)
    return Likeness(gist, gist if new.by_link else everything, new.subject, new.target_id), Traits(
        tuple(words), "", said.also, tuple(said.long or ())
    )


def _as_seen(value: str) -> str:
    """A value as the eye reads it, in whatever letters and blanks."""
    plain, _ = plainly(value)
    return whole(plain) or plain


def _about(within: Act, new: Proposal, target: Memory | None) -> Proposal:
    """The proposal with what its target is called, and what its other one is."""
    if target is not None:
        outer = target.category.value if target.category.special else target.subject
        subject, label = new.subject or outer, new.label or target.outer_label
        new = replace(new, target_version=target.version, subject=subject, label=label)
    if new.candidate.other is not None:
        other_is = "mem" if store.memory(within.vault_id, new.candidate.other) is not None else "ent"
        new = replace(new, candidate=replace(new.candidate, other_is=other_is))
    return new


def _told(new: Proposal, value: str, target: Memory | None) -> tuple[str, ...]:
    """All that it says, in whatever letters and blanks; the label that its client was shown, said beside it, is nothing
    new. What its client was not shown takes no part.
    """
    label = _collapsed(new.label)
    label = "" if target is not None and label == _collapsed(target.outer_label) else label
    more = (str(new.target_id), str(new.candidate)) if new.target_id is not None else ()
    return (str(new.client_id), new.directive.value, new.subject, label, _as_seen(value), *more)


def _collapsed(line: str) -> str:
    return " ".join(line.split())


def candidate_of(proposal: Proposal) -> Memory:
    """The memory that a proposal would add: ordinary until the approver says otherwise."""
    return Memory(
        memory_id=proposal.memory_id,
        subject=proposal.subject,
        label=proposal.label,
        neutral_label="",
        category=Category.ORDINARY,
        attested=False,
        claim=None,
        version=1,
        state=State.APPROVED,
        as_of=proposal.as_of,
        source=proposal.source,
        updated_at=proposal.made_at,
    )


def own_proposals(caller: Caller) -> tuple[Proposal, ...]:
    """What this client proposed and what became of it."""
    with reading(caller.vault_id, caller.actor):
        return proposed.proposals(caller.vault_id, client_id=caller.client.client_id)


def own_proposal(caller: Caller, proposal_id: UUID) -> Proposal | None:
    """One of this client's proposals."""
    with reading(caller.vault_id, caller.actor):
        found = proposed.proposal(caller.vault_id, proposal_id)
    return found if found is not None and found.client_id == caller.client.client_id else None
