"""What a suggestion's card shows: what it says, and beside it what is kept, each with its words; and what was typed
into it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core import signing
from django.http import QueryDict

from apps.memories import services as memories
from apps.memories.services import Beside, Done, Item, Side
from apps.policy.marking import inherited
from apps.policy.proposals import Mark, Proposal
from apps.policy.types import HandedOver, Holder
from apps.policy.vocabulary import Category, MarkKind, Refusal
from apps.web.card_forms import ApproveForm, beside_sources, of_card
from apps.web.forms import carried
from apps.web.words import REFUSALS, noticed


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept, and what it says; None where its value is shown to nobody but the holder."""

    side: Side
    text: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A suggestion as it was shown. `reason`: what was typed as why not; `why_not`: why that can't be kept. `long`: its
    text is changed on a page of its own. `otherwise`: what waits too, says otherwise and stands in no row of the page.
    """

    beside: Beside
    text: str
    kept: tuple[Kept, ...]
    form: ApproveForm
    reason: str = ""
    why_not: str = ""
    long: bool = False
    otherwise: tuple[tuple[Proposal, str], ...] = ()

    @property
    def echoes(self) -> bool:
        """Does it say again what was corrected? Whoever keeps it then means it."""
        return bool(self.beside.proposal.marked(MarkKind.ECHO))


MOST_TOGETHER = 384 * 1024  # bytes of text that are changed on one page: what a form carries has an end


def rows_of(
    there: Sequence[Beside], values: Sequence[HandedOver], form: Callable[[Proposal, str, Category], ApproveForm]
) -> list[Row]:
    """The rows of what was shown; what is gone meanwhile is left out."""
    said = {(each.memory_id, each.version): each.value for each in values}
    on_page = {each.proposal.proposal_id for each in there}
    rows: list[Row] = []
    size = 0
    for each in there:
        proposal = each.proposal
        text = said.get((proposal.memory_id, 1)) or ""
        if proposal.says and not text:
            continue
        kept = [Kept(side, said[at]) for side in each.sides if (at := (side.memory.memory_id, side.version)) in said]
        target = next((side.memory for side in each.sides if side.memory.memory_id == proposal.target_id), None)
        sources = [side.memory for side in each.sides if side.memory.memory_id in proposal.sources]
        category = target.category if target is not None and target.category.special else inherited(sources)
        size += len(text.encode())
        long = bool(rows) and size > MOST_TOGETHER
        card = form(proposal, text, category)
        card = beside_sources(card, sources, category) if sources else card
        rivals = [(one, said.get((one.memory_id, 1)) or "") for one in each.rivals if one.proposal_id not in on_page]
        otherwise = tuple((one, words) for one, words in rivals if words)
        rows.append(Row(each, text, tuple(kept), card, long=long, otherwise=otherwise))
    return rows


def filled(proposal: Proposal, text: str, category: Category) -> ApproveForm:
    """A card's form as nobody has typed into it."""
    found = {
        "label": proposal.label,
        "subject": proposal.subject,
        "value": text,
        "category": category.value,
        "was": category.value,
        "as_of": proposal.as_of,
        "shown": carried(text),
    }
    return ApproveForm(card=proposal.proposal_id.hex, initial=found)


def sent(posted: QueryDict, proposal: Proposal) -> ApproveForm | None:
    """A card's form as it was sent; None where none came along in which it could be changed first."""
    card = proposal.proposal_id.hex
    return ApproveForm(posted, card=card) if proposal.says and of_card(card, "value") in posted else None


def reason_of(posted: QueryDict, proposal: Proposal) -> str:
    """What was typed as why not."""
    return posted.get(of_card(proposal.proposal_id.hex, "reason"), "")


def written_on(posted: QueryDict, holder: Holder, without: UUID | None = None) -> list[Proposal]:
    """The suggestions into whose cards something was typed, in the order of the page, but for one that is decided."""
    cards = [UUID(found[1]) for name in posted if (found := _CARD.fullmatch(name))]
    there = memories.proposals_of(holder, [each for each in cards if each != without])
    return [there[each] for each in cards if each in there and _written(posted, there[each])]


_CARD = re.compile(of_card("([0-9a-f]{32})", "revision"))  # every card says how it stood


def _written(posted: QueryDict, proposal: Proposal) -> bool:
    form = sent(posted, proposal)
    changed = form is not None and form.differs(proposal.label, proposal.subject)
    return changed or bool(reason_of(posted, proposal).strip())


def reviewed(holder: Holder, shown: Sequence[Proposal]) -> str:
    """For the form that keeps all of them: what was shown on this page, to this person, as it stood then; signed."""
    return signing.dumps([(each.proposal_id.hex, each.revision) for each in shown], salt=_salt(holder))


def was_reviewed(holder: Holder, sent: str) -> list[tuple[UUID, int]] | None:
    """The proposals, with their revisions, that `reviewed` signed for them; None for anything else."""
    try:
        return [(UUID(named), revision) for named, revision in signing.loads(sent, salt=_salt(holder))]
    except signing.BadSignature:
        return None


def _salt(holder: Holder) -> str:
    return f"web.reviewed:{holder.vault_id.hex}:{holder.user_id.hex}"


def left_out(found: Proposal | None, item: Item) -> str:
    """Why one of many was not kept, by its name."""
    name = f"“{found.label}”" if found is not None and found.label else "One of them"
    if item.done is Done.SKIPPED:
        return f"{name} was decided meanwhile."
    return f"{name} was left out and waits still: {_why(item.why, found)} Look at it again."


def _why(code: str, found: Proposal | None) -> str:
    if code == Refusal.STALE.value:
        return "it was changed meanwhile."
    if code in set(MarkKind):
        marks = found.marked(MarkKind(code)) if found is not None else ()
        sentence = noticed(next(iter(marks), Mark(MarkKind(code))), found.rivals if found is not None else 0)
    elif code in set(Refusal):
        sentence = REFUSALS[Refusal(code)].sentence
    else:
        sentence = "It is decided by itself."
    return sentence[0].lower() + sentence[1:]
