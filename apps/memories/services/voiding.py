"""Proposals that no yes could carry out, or that would change nothing: nobody is asked about them.

Where the client cannot be told without being told what the file says, it learns nothing of it: to it, they wait.
"""

from dataclasses import replace
from uuid import UUID

from apps.memories import alike, linked, store, versions
from apps.memories.services.echoing import Within
from apps.memories.services.keeping import dated
from apps.memories.services.past import predecessor
from apps.policy.links import Edge, EdgeKind, What, check_edge
from apps.policy.proposals import Likeness, Proposal
from apps.policy.staging import Void
from apps.policy.text import TextProblem
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Directive, Refusal


def refused_at_once(within: Within, new: Proposal, target: Memory | None) -> Refused | None:
    """The no to what cannot be, as far as the client was shown why: it names something of another kind than its
    directive is about. Raises TextProblem for what is so already: the subject or the end that it was shown, and for an
    edge that would end before it began. That an edge has ended since it was told of it, it is not told.
    """
    if new.about_an_edge:
        edge = linked.edge(within.vault_id, new.target_id) if new.target_id is not None else None
        _check_edge_moves(new, edge)
        if edge is not None and new.directive is Directive.RETRACT_EDGE:
            dated(edge.valid_from, new.candidate.valid_to, "UTC")
        return None
    if new.directive is Directive.MERGE:
        return _merge_refused(within, new, target)
    if new.target_id is not None and target is None:
        return Refused(Refusal.NOT_FOUND, "/target")
    moves = new.directive is Directive.RESCOPE and target is not None and not target.category.special
    if moves and target is not None and target.subject == new.subject:
        raise TextProblem("subject", "It stands under this subject already. Name another one.")
    return None


def _check_edge_moves(new: Proposal, edge: Edge | None) -> None:
    if edge is None or edge.ended_at is not None or new.directive is not Directive.SUPERSEDE_EDGE:
        return
    if _already_so(new, edge):
        raise TextProblem("other", "The edge is so already. Say what is to be different, or leave it as it is.")


def _already_so(new: Proposal, edge: Edge) -> bool:
    given = new.candidate
    return (
        given.other == edge.to_id and given.edge in ("", edge.kind.value) and not (given.valid_from or given.valid_to)
    )


def _merge_refused(within: Within, new: Proposal, target: Memory | None) -> Refused | None:
    named = [each for each in (new.target_id, new.candidate.other) if each is not None]
    entities = {each.entity_id for each in linked.entities(within.vault_id, named)}
    kept_is = "mem" if target is not None else "ent" if new.target_id in entities else ""
    merged_is = new.candidate.other_is if new.candidate.other in entities or new.candidate.other_is == "mem" else ""
    for one, pointer in ((kept_is, "/target"), (merged_is, "/other")):
        if not one:
            return Refused(Refusal.NOT_FOUND, pointer)
    if kept_is != merged_is:
        raise TextProblem("other", "Name two memories, or two entities: one of each is never one.")
    return None


def would_change_nothing(within: Within, new: Proposal, target: Memory | None, bare: str = "") -> Void | None:
    """Why a yes to it would change nothing, or could not be carried out. `bare`: by what it is known without the dates
    and the label it gives, where these may be what holds already.
    """
    if new.says and _edited_away(within, new):
        return Void.TURNED_DOWN
    if new.directive is Directive.REVERT and target is not None:
        lines = versions.history(within.vault_id, target.memory_id)
        return Void.NOTHING_BEFORE if predecessor(lines, target.version) is None else None
    if new.directive is Directive.RESCOPE and target is not None:
        return Void.NO_CHANGE if target.subject == new.subject else None
    if new.about_an_edge and new.target_id is not None:
        edge = linked.edge(within.vault_id, new.target_id)
        if edge is None or edge.ended_at is not None:
            return Void.IMPOSSIBLE if new.directive is Directive.SUPERSEDE_EDGE else Void.NO_CHANGE
        return _edge_void(within, new, edge) if new.directive is Directive.SUPERSEDE_EDGE else None
    if new.directive is Directive.MERGE and new.target_id is not None and new.candidate.other is not None:
        kept, merged = _roots(within, new.target_id, new.candidate.other)
        return Void.NO_CHANGE if kept == merged else None
    if bare and target is not None and _says_what_holds(within, new, target):
        known = alike.look(within.vault_id, Likeness(bytes.fromhex(bare), bytes.fromhex(bare)))
        return Void.TURNED_DOWN if known.turned_down else None
    return None


def _edited_away(within: Within, new: Proposal) -> bool:
    """Was all that it says approved in words of the holder's own? Its client knows of the yes, and not of the words."""
    like = alike.like_of(within.vault_id, new)
    return like is not None and alike.look(within.vault_id, replace(like, target_id=new.target_id)).edited_away


def _edge_void(within: Within, new: Proposal, edge: Edge) -> Void | None:
    """An edge to what it leads to already, or one that cannot be."""
    other = new.candidate.other
    if other is None:
        return None
    kind = EdgeKind(new.candidate.edge) if new.candidate.edge else edge.kind
    start, was, end = _roots(within, edge.from_id, edge.to_id, other)
    if _already_so(replace(new, candidate=replace(new.candidate, other=end)), replace(edge, to_id=was)):
        return Void.NO_CHANGE
    above = linked.above(within.vault_id, end) if kind is EdgeKind.DERIVED_FROM else ()
    try:
        check_edge(kind, start, end, (_what(within, start), _what(within, end)), above)
    except TextProblem:
        return Void.IMPOSSIBLE
    return None


def _roots(within: Within, *things: UUID) -> list[UUID]:
    """Of each, the one that stays of all that are one with it."""
    found = linked.one_with(within.vault_id, things)
    return [found[each][0] for each in things]


def _what(within: Within, thing: UUID) -> What:
    return What.MEMORY if store.memory(within.vault_id, thing) is not None else What.ENTITY


def _says_what_holds(within: Within, new: Proposal, target: Memory) -> bool:
    """Are the dates and the label that it gives those of the version that it is about?"""
    line, given = versions.one(within.vault_id, target.memory_id, target.version), new.candidate
    dated = line is not None and given.valid_from in ("", line.valid_from) and given.valid_to in ("", line.valid_to)
    return dated and " ".join(new.label.split()) in ("", target.label, target.outer_label)
