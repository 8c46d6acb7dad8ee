"""A client's side of a proposal: suggesting, taking back, what became of it. Nothing here makes anything so.

What a client is told is the same whatever the file says: that a proposal waits. What the vault noticed about it is for
the holder.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from apps.ledger.log import Act, act, reading
from apps.memories import alike, epochs, proposed, store, terms, unnoticed
from apps.memories.keys import VaultKey
from apps.memories.services.drafting import Draft, checked
from apps.memories.services.recognising import read, recognised
from apps.memories.services.voiding import refused_at_once
from apps.policy.ids import typed
from apps.policy.proposals import Likeness, Proposal, Traits
from apps.policy.staging import check_fields
from apps.policy.types import Caller, Memory, Refused
from apps.policy.vocabulary import Category, Directive, ReceiptKind, Refusal, State
from vault import limits

HOUR = 3600  # in seconds


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
    new = checked(caller, draft, now)
    with terms.reading_once():
        done = _propose_at_once(caller, new, draft) if _adds_by_itself(new) else None
        if done is not None:
            return done
        key = epochs.key_at_once(caller.vault_id, caller.actor)
        return epochs.again_if_changed(lambda key: _propose(caller, new, draft, key, now), key)


def _adds_by_itself(new: Proposal) -> bool:
    return new.directive is Directive.ADD and new.target_id is None and new.candidate.other is None


def _propose_at_once(caller: Caller, new: Proposal, draft: Draft) -> Proposal | None:
    """What adds, and was never said before, nor too often: what there is of the kind is asked as it is written, and it
    is read and counted while the database opens the act. None for anything else, of which nothing was done.
    """
    too_many: list[datetime | None] = []

    def meanwhile() -> None:
        too_many.append(_too_many(new))
        read(new, draft.value)

    made, asking = False, [epochs.asking_key(caller.vault_id)]
    try:
        with alike.never_said(), act(caller.vault_id, caller.actor, asking=asking, meanwhile=meanwhile) as proposing:
            key = epochs.told_key(caller.vault_id, proposing.told[0])
            if key is None or any(too_many):
                proposing.cancel()
            else:
                like, traits = recognised(new, draft.value, key, None)
                _stage(proposing, new, draft, key, like, traits, unlike={like.all, like.gist})
        made = not proposing.cancelled
    except alike.SaidBefore:
        pass
    finally:
        if too_many and not made:
            limits.back(_counted(new), HOUR, new.made_at)
    return new if made else None


def _propose(caller: Caller, new: Proposal, draft: Draft, key: VaultKey | None, now: datetime) -> Proposal | Refused:
    known = recognised(new, draft.value, key, None) if key is not None and new.target_id is None else None
    asking = [alike.asking_like(caller.vault_id, known[0])] if known is not None else []
    with act(caller.vault_id, caller.actor, asking=asking) as proposing:
        key = key or store.vault_key_for_writing(proposing, now)
        done, traits = _propose_within(proposing, new, draft, key, known)
        if not proposing.lines:
            proposing.cancel()
    if isinstance(done, Proposal) and done.again:
        unnoticed.compare_anew(caller.vault_id, done.proposal_id, traits)
    return done


def _propose_within(
    within: Act, new: Proposal, draft: Draft, key: VaultKey, known: tuple[Likeness, Traits] | None
) -> tuple[Proposal | Refused, Traits]:
    target = store.memory(within.vault_id, new.target_id) if new.target_id is not None else None
    like, traits = known or recognised(new, draft.value, key, target)
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
    until = _too_many(new)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until), traits
    _stage(within, new, draft, key, like, traits)
    return new, traits


def _too_many(new: Proposal) -> datetime | None:
    """Count one more of its client's; when they are too many, until when they are."""
    return limits.over(_counted(new), settings.WISHES_PER_HOUR, HOUR, new.made_at)


def _counted(new: Proposal) -> str:
    return f"proposals:{new.client_id.hex}"


def _stage(
    within: Act,
    new: Proposal,
    draft: Draft,
    key: VaultKey,
    like: Likeness,
    traits: Traits,
    unlike: Collection[bytes] = (),
) -> None:
    """Write it down, and seal what it says, where nothing is known by one of `unlike`. Its receipt included."""
    if new.says:
        store.stage(within, key, candidate_of(new), draft.value, unlike)
        within.hurry()
    proposed.propose(within, new, like, traits)
    within.record(ReceiptKind.PROPOSAL_MADE, object=typed("prp", new.proposal_id))


def _about(within: Act, new: Proposal, target: Memory | None) -> Proposal:
    """The proposal with what its target is called, and what its other one is."""
    if target is not None:
        outer = target.category.value if target.category.special else target.subject
        subject, label = new.subject or outer, new.label or target.outer_label
        new = replace(new, target_version=target.version, subject=subject, label=label)
    if new.candidate.other is not None:
        other = store.memory(within.vault_id, new.candidate.other)
        version = other.version if other is not None and new.directive is Directive.MERGE else 0
        other_is = "mem" if other is not None else "ent"
        new = replace(new, candidate=replace(new.candidate, other_is=other_is, other_version=version))
    return new


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
