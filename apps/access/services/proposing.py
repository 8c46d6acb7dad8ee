"""A client proposes: what it may name is what it was shown, and what it was handed goes with what it made from it.

The answer is the same whatever the file says: a client learns of nothing that it was not shown.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.access import store
from apps.access.services.asking import shown
from apps.access.services.relating import told
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.extracting import SYMBOLS
from apps.policy.routing import Intent, Routed, as_said, route
from apps.policy.staging import LINEAGE_ASKED
from apps.policy.text import TextProblem
from apps.policy.types import Caller, Label, Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal

BY_SUBJECT = (Directive.CORRECT, Directive.REVERT, Directive.ERASE)  # their target may be named by its subject
ABOUT_AN_EDGE = (Directive.SUPERSEDE_EDGE, Directive.RETRACT_EDGE)
MADE = (Directive.ADD, Directive.CORRECT)  # what may have been made from something that was handed over


def propose(
    caller: Caller,
    *,
    now: datetime,
    directive: Directive = Directive.ADD,
    target: UUID | None = None,
    other: UUID | None = None,
    subject: str = "",
    derived_from: Sequence[UUID] | None = None,
    turn: str = "",
    label: str = "",
    value: str = "",
    sent_fields: Collection[str] = (),
    **words: object,
) -> Proposal | Refused:
    """Suggest something, see memories' `Draft`. What it corrects, takes back or erases may be named by the subject that
    the client was shown, instead of by `target`.

    `derived_from`: the memories it was made from, which the client was handed; `turn` names an answer instead, and
    stands for all that was handed over for it. Refused as lineage-required where the client was handed something within
    the last hour and sends neither (an empty list says that none was used); as not-found for an id that it was not
    shown, or not handed, and for an answer for which it was handed nothing, whatever exists. Raises TextProblem.
    """
    names = set(sent_fields) - {"subject"} if directive in BY_SUBJECT else set(sent_fields)
    if directive in BY_SUBJECT and subject:
        named = next((each.memory_id for each in shown(caller, None) if each.subject == subject), None)
        if named is None:
            return Refused(Refusal.NOT_FOUND, "/subject")
        if target not in (None, named):
            raise TextProblem("subject", "Target and subject name two memories. Send the one that is meant.")
        target = named
    lineage = _lineage(caller, derived_from, turn, now) if directive in MADE else ()
    if isinstance(lineage, Refused):
        return lineage
    return memories.propose(
        caller,
        now=now,
        sent_fields=names,
        known=_known(caller, directive, target, other),
        directive=directive,
        target=target,
        other=other,
        subject="" if directive in BY_SUBJECT else subject,
        label=label,
        value=value,
        lineage=lineage,
        turn=turn,
        **words,
    )


def _known(caller: Caller, directive: Directive, target: UUID | None, other: UUID | None) -> frozenset[UUID]:
    """Those of these ids that this client may name so: memories that it is shown, and edges and entities that it was
    told of. What is there and was never told it is looked for in the same way as what is not there.
    """
    named = [each for each in (target, other) if each is not None]
    if not named:
        return frozenset()
    memory_ids = {each.memory_id for each in shown(caller, named)}
    edges, entities = told(caller, named)
    targets = edges if directive in ABOUT_AN_EDGE else memory_ids | entities
    return frozenset(each for each in named if each in (targets if each == target else memory_ids | entities))


def _lineage(caller: Caller, derived_from: Sequence[UUID] | None, turn: str, now: datetime) -> Sequence[UUID] | Refused:
    """The memories that it was made from."""
    if derived_from is not None:
        handed = ledger.handed_to(caller.vault_id, caller.actor, caller.actor, derived_from) if derived_from else ()
        unknown = [number for number, each in enumerate(derived_from) if each not in handed]
        return Refused(Refusal.NOT_FOUND, f"/derived_from/{unknown[0]}") if unknown else tuple(derived_from)
    if turn:
        found = ledger.receipts(caller.vault_id, caller.actor, limit=200, recipient=caller.actor, turn=turn)
        made_from = tuple(dict.fromkeys(each.memory_id for each in found if each.memory_id and each.form != "refused"))
        return made_from or Refused(Refusal.NOT_FOUND, "/turn")  # a name that somebody made up stands for nothing
    with reading(caller.vault_id, caller.actor):
        lately = store.used_since(caller.vault_id, caller.client.client_id, now - LINEAGE_ASKED)
    return Refused(Refusal.LINEAGE_REQUIRED, "/derived_from") if lately else ()


@dataclass(frozen=True, slots=True)
class RoutedProposal:
    """What a client's text was taken for, and the proposal that was made of it; None where it is not keyed."""

    routed: Routed
    proposal: Proposal | None


_INTENTS = {
    Intent.ASSERT: Directive.ADD,
    Intent.ECHO: Directive.ADD,
    Intent.CORRECT: Directive.CORRECT,
    Intent.REVERT: Directive.REVERT,
    Intent.ERASE: Directive.ERASE,
}


def route_text(
    caller: Caller, text: str, *, now: datetime, derived_from: Sequence[UUID] | None = None, turn: str = ""
) -> RoutedProposal | Refused:
    """Make the right proposal of what somebody said, by fixed rules, among the subjects that the client was shown;
    never a write. Where the rules are not sure there is no proposal, and `routed.why` says so. What was said is the
    proposal's evidence, but for its values, which stand nowhere but sealed. Raises TextProblem.
    """
    labels = {each.subject: each for each in shown(caller, None) if not each.category.special}
    routed = route(text, {subject: each.label for subject, each in labels.items()})
    if routed.subject is None:
        return RoutedProposal(routed, None)
    made = _propose_routed(caller, text, routed, labels.get(routed.subject), now, derived_from, turn)
    return made if isinstance(made, Refused) else RoutedProposal(routed, made)


def _propose_routed(
    caller: Caller,
    text: str,
    routed: Routed,
    known: Label | None,
    now: datetime,
    derived_from: Sequence[UUID] | None,
    turn: str,
) -> Proposal | Refused:
    directive = _INTENTS[routed.intent]
    if directive is Directive.CORRECT and known is None:
        directive = Directive.ADD  # a symbol that nothing is kept about yet
    replaces = routed.subject is not None and routed.subject.startswith(SYMBOLS) and directive in MADE
    said = as_said(text, routed)
    label = routed.label or (known.label if known is not None else routed.subject or "")
    return propose(
        caller,
        now=now,
        directive=directive,
        target=known.memory_id if known is not None and directive is not Directive.ADD else None,
        subject=routed.subject or "" if directive is Directive.ADD else "",
        derived_from=derived_from,
        turn=turn,
        label=label if directive is Directive.ADD else "",
        value=routed.value or "" if directive in MADE else "",
        old=routed.old or "" if replaces else "",
        evidence=[said] if said else [],
    )
