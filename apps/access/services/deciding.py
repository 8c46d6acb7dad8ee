"""The holder's side of a request: what waits, what may be chosen, and the decision on each part."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from apps.access import reviews, store
from apps.access.services.choosing import Decision, about, candidates, taken, undecided
from apps.access.services.giving import Yes, deny, fields_of, give, granted_as, hold
from apps.access.services.sight import sight
from apps.access.services.stopping import refuse_giving_again
from apps.holders import services as holders
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.consent import NOT_SHOWN, Shown
from apps.policy.people import SpacePolicy
from apps.policy.review import check_within, longest, needs_review
from apps.policy.roles import Deed, needs
from apps.policy.types import AccessPart, AccessRequest, Client, Holder, Memory, Refused
from apps.policy.vocabulary import Category, PartStatus, ReceiptKind, Refusal

ONCE_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PartChoices:
    """One part as the holder decides it: the memories it is about, by their private labels; and what a reviewer wrote
    to the holder about it last, "" for nothing.
    """

    part: AccessPart
    memories: tuple[Memory, ...]
    sent_back: str = ""

    @property
    def subjects(self) -> tuple[tuple[str, int], ...]:
        """The subjects under which several of them stand, and how many."""
        counted = Counter(each.subject.partition(".")[0] for each in self.memories)
        return tuple((subject, number) for subject, number in sorted(counted.items()) if number > 1)


@needs(Deed.FOLLOW)
def waiting(holder: Holder, now: datetime) -> tuple[AccessRequest, ...]:
    """Assistants' requests with a part the holder has not decided; the chat's own are on their turn's page."""
    return _open(holder, PartStatus.PENDING, now)


@needs(Deed.FOLLOW)
def in_review(holder: Holder, now: datetime) -> tuple[AccessRequest, ...]:
    """Assistants' requests with a part that the holder said yes to and that waits for a reviewer."""
    return _open(holder, PartStatus.IN_REVIEW, now)


@needs(Deed.FOLLOW)
def _open(holder: Holder, status: PartStatus, now: datetime) -> tuple[AccessRequest, ...]:
    with reading(holder.vault_id, holder.actor):
        seen = sight(holder)
        found = seen.requests_of(store.requests(holder.vault_id, having=status, without=seen.requests))
    return tuple(
        each
        for each in found
        if each.turn_id is None and each.expires_at > now and status in {part.status for part in each.parts}
    )


@needs(Deed.FOLLOW)
def request(holder: Holder, request_id: UUID) -> AccessRequest | None:
    """One request, in any state."""
    with reading(holder.vault_id, holder.actor):
        return sight(holder).request(store.request(holder.vault_id, request_id))


@needs(Deed.FOLLOW)
def choices(holder: Holder, found: AccessRequest) -> tuple[PartChoices, ...]:
    """What the holder may choose from in each part: the named memories, or the category's."""
    mine = memories.facts(holder.vault_id, holder.actor, *_asked(found.parts))
    written: dict[Category, str] = {}
    local = True
    if found.turn_id is None:  # the vault's own chat is reviewed by nobody, and names what goes to its endpoint
        with reading(holder.vault_id, holder.actor):
            written = reviews.returned(holder.vault_id, found.request_id)
            local = _local(found, store.client(holder.vault_id, found.client_id))
    return tuple(
        PartChoices(each, candidates(each, mine, local), written.get(each.part.category, "")) for each in found.parts
    )


@needs(Deed.FOLLOW)
def preselects(holder: Holder) -> bool:
    """Are ordinary memories chosen before anybody has looked? A space may say no, and a clinic begins so."""
    return holders.policy(holder.vault_id).preselect


def _asked(parts: Sequence[AccessPart]) -> tuple[list[UUID], list[Category]]:
    """The ids and the whole categories that are asked for: what to look at, however much else the vault holds."""
    named = [memory_id for each in parts for memory_id in each.part.memory_ids]
    return named, [each.part.category for each in parts if each.part.whole_category]


def _local(found: AccessRequest, client: Client | None) -> bool:
    """May what is local only be given? The chat asked for nothing that does not go to its endpoint."""
    return found.turn_id is not None or (client is not None and client.local)


@needs(Deed.DECIDE)
def decide(
    holder: Holder,
    request_id: UUID,
    decisions: Mapping[Category, Decision],
    now: datetime,
    also: Callable[[Act, Mapping[Category, frozenset[UUID]]], None] = lambda within, chosen: None,
    shown: Shown = NOT_SHOWN,
) -> AccessRequest | Refused:
    """Decide parts of a request, each by itself. A no is said as one, and starts the cool-down.

    A part that was decided before is refused as already-decided, and a memory that a part does not ask for as
    not-found; nothing is changed then. `also` is what else belongs to the act, given what was chosen of each part.
    `shown` is what stood above the button: the receipt of each grant is bound to that notice.
    Where the space has a category reviewed, a yes to it waits for a reviewer and makes no grant yet; until then the
    person may still say no. What the holder stopped themself, whoever acts for them is refused to give again.
    Raises TextProblem, with its part, for terms that no grant has here and for a yes that comes to nothing.
    """
    with act(holder.vault_id, holder.actor) as deciding:
        seen = sight(holder)
        found = seen.request(store.request(holder.vault_id, request_id))
        if found is None:
            deciding.cancel()
            return Refused(Refusal.NOT_FOUND)
        by_category = {each.part.category: each for each in found.parts}
        refused = _refuse_decision(found, by_category, decisions, now)
        if refused is not None:
            deciding.cancel()
            return refused
        mine = memories.facts_within(deciding, *_asked([by_category[category] for category in decisions]))
        recipient = store.recipient_of(holder.vault_id, request_id)
        client = store.client(holder.vault_id, found.client_id)
        paused = client is not None and client.paused  # what it is given then is as inert as what it has
        settled = holders.policy(holder.vault_id)
        local = _local(found, client)
        chosen = _taken(holder, found, decisions, by_category, mine, local)
        if isinstance(chosen, Refused):
            deciding.cancel()
            return chosen
        for category, decision in decisions.items():
            part = by_category[category]
            yes = Yes(
                chosen[category],
                decision.until or now + min(ONCE_WITHIN, longest(settled)),
                decision.reads,
                part.part.whole_category or len(chosen[category]) == len(candidates(part, mine, local)),
                recipient,
                paused,
                shown,
            )
            with about(category):
                _decide_part(deciding, found, part, yes, settled, now)
        also(deciding, chosen)
        changed = seen.request(store.request(holder.vault_id, request_id))
    assert changed is not None
    return changed


def _refuse_decision(
    found: AccessRequest,
    by_category: Mapping[Category, AccessPart],
    decisions: Mapping[Category, Decision],
    now: datetime,
) -> Refused | None:
    if not decisions or any(category not in by_category for category in decisions):
        return Refused(Refusal.NOT_FOUND)
    fits = all(undecided(by_category[category].status, decision) for category, decision in decisions.items())
    return None if fits and found.expires_at > now else Refused(Refusal.ALREADY_DECIDED)


def _taken(
    holder: Holder,
    found: AccessRequest,
    decisions: Mapping[Category, Decision],
    parts: Mapping[Category, AccessPart],
    mine: Sequence[Memory],
    local: bool,
) -> dict[Category, frozenset[UUID]] | Refused:
    """What each part comes to, where this person may give it."""
    chosen = {}
    for category, decision in decisions.items():
        with about(category):
            each = taken(decision, parts[category], mine, local)
        if isinstance(each, Refused):
            return each
        chosen[category] = each
    refused = refuse_giving_again(holder, found.client_id, frozenset().union(*chosen.values()))
    return chosen if refused is None else refused


def _decide_part(
    within: Act, found: AccessRequest, part: AccessPart, yes: Yes, settled: SpacePolicy, now: datetime
) -> None:
    """A no; or a yes, which makes the grant unless somebody else has to say it too."""
    category = part.part.category
    fields = fields_of(found, category)
    if not yes.memory_ids:
        deny(within, found, category, settled, now, part.status)
        status = PartStatus.DENIED
        within.record(ReceiptKind.REQUEST_DECIDED, object=fields["request"], reason=status.value, **fields)
        return
    check_within(settled, yes.until - now, yes.reads, ("until", "reads"))
    waits = needs_review(settled, category, own_chat=found.turn_id is not None)
    status = PartStatus.IN_REVIEW if waits else granted_as(yes)
    within.record(ReceiptKind.REQUEST_DECIDED, object=fields["request"], reason=status.value, **fields)
    if waits:
        hold(within, found, category, yes, now)
    else:
        give(within, found, category, yes, settled, now, PartStatus.PENDING)


@needs(Deed.FOLLOW)
def chosen(holder: Holder, found: AccessRequest) -> dict[Category, frozenset[UUID]]:
    """What the holder granted of each part of a request."""
    with reading(holder.vault_id, holder.actor):
        named = [each.grant_id for each in found.parts if each.grant_id]
        mine = {each.grant_id: each for each in sight(holder).grants_of(store.grants_named(holder.vault_id, named))}
    return {part.part.category: mine[part.grant_id].memory_ids for part in found.parts if part.grant_id in mine}
