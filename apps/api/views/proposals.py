"""What clients propose, and what the holder makes of it. No key reaches a decision."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import services as access
from apps.api.authentication import CLIENT, EITHER, HOLDER, caller_of, holder_of, party_of
from apps.api.erasing import unbarred
from apps.api.errors import Problem, no_receipt_no_read, only
from apps.api.inputs import NoQuery, ProposalsQuery
from apps.api.outputs import (
    DecisionsOut,
    HeldProposalOut,
    ProposalDecidedOut,
    ProposalOut,
    ProposalsShownOut,
    ProposedOut,
    RoutedOut,
    page_of,
)
from apps.api.proposing import (
    ProposalDecisionIn,
    ProposalDecisionsIn,
    ProposalIn,
    ProposalsShowIn,
    RouteIn,
    UndoIn,
)
from apps.api.schema import IF_MATCH_IF_SENT, operation
from apps.api.suggested import NOTHING_TO_LIFT, NOTHING_TO_REBASE, of_a_decision, of_an_undo
from apps.api.views.base import LEADS_NOWHERE, Resource, agreed, etag, id_of, listed, page, queried, some, taken
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Holder, Proposal
from apps.policy.vocabulary import ProposalStatus
from apps.turns import services as turns

TOO_MANY = "too-many-proposals"


class Proposals(Resource):
    """A client suggests; nothing is so until the holder approves it."""

    allow = {"GET": EITHER, "POST": CLIENT}

    @operation("Proposals: the holder's inbox, or a client's own", gives=page_of(ProposalOut), query=ProposalsQuery)
    def get(self, request: Request) -> Response:
        query, party = queried(request, ProposalsQuery), party_of(request)
        status = query.get("status")
        if isinstance(party, Holder):
            after = untyped("prp", query.get("cursor"))
            if query.get("cursor") and (after is None or memories.proposal(party, after) is None):
                raise Problem("validation", [("/cursor", LEADS_NOWHERE)])
            held = memories.proposals(party, status or ProposalStatus.PENDING, limit=query["limit"] + 1, after=after)
            chosen = held[: query["limit"]]
            memories.tell(party, chosen)
            more = typed("prp", chosen[-1].proposal_id) if len(held) > len(chosen) else None
            return listed(request, HeldProposalOut.each(chosen), more)
        own = memories.own_proposals(caller_of(request))
        found = tuple(each for each in own if each.status is (status or each.status))
        return page(request, found, lambda each: typed("prp", each.proposal_id), query, ProposalOut.each)

    @operation(
        "Propose: add, correct, revert, merge, move, erase a memory, or replace or end an edge",
        takes=ProposalIn,
        gives={200: ProposedOut, 201: ProposedOut},
        refuses=("field-not-allowed", "already-rejected", "lineage-required", "not-found", TOO_MANY),
    )
    def post(self, request: Request) -> Response:
        sent = taken(request, ProposalIn, also=memories.APPROVER_ONLY)
        made = access.propose(caller_of(request), now=self.now, sent_fields=tuple(request.data), **_turned(sent))
        proposal = agreed(made, self.now, RATE_LIMITED=TOO_MANY)
        return _tagged(ProposedOut, proposal, 200 if proposal.again else 201)


class ProposalRoute(Resource):
    """What somebody said, by fixed rules into the right proposal; never into a write."""

    allow = {"POST": CLIENT}

    @operation(
        "Make a proposal of what somebody said",
        takes=RouteIn,
        gives=RoutedOut,
        refuses=("already-rejected", "lineage-required", "not-found", TOO_MANY),
    )
    def post(self, request: Request) -> Response:
        sent = _turned(taken(request, RouteIn))
        found = access.route_text(caller_of(request), sent.pop("text"), now=self.now, **sent)
        done = agreed(found, self.now, RATE_LIMITED=TOO_MANY)
        told = {"intent": done.routed.intent, "keyed": done.proposal is not None, "why": done.routed.why}
        return Response(RoutedOut.of({**told, "proposal": done.proposal}))


class OneProposal(Resource):
    """One proposal. To the holder its ETag is its revision; to its client it is of what the client sees, and moves with
    nothing else.
    """

    allow = {"GET": EITHER}

    @operation("One proposal", gives={200: ProposalOut, 304: None}, query=NoQuery)
    def get(self, request: Request, proposal: str) -> Response:
        queried(request, NoQuery)
        party, proposal_id = party_of(request), id_of("prp", proposal)
        shape: type[ProposalOut] = HeldProposalOut if isinstance(party, Holder) else ProposalOut
        if isinstance(party, Holder):
            found = some(memories.proposal(party, proposal_id))
            memories.tell(party, [found])
        else:
            found = some(memories.own_proposal(caller_of(request), proposal_id))
        asked = [each.strip() for each in request.headers.get("If-None-Match", "").split(",")]
        if _tag(shape, found) in asked:
            return Response(status=304, headers={"ETag": _tag(shape, found)})
        return _tagged(shape, found)


class ProposalDecision(Resource):
    """The holder approves or rejects. The same decision again gives the same answer."""

    allow = {"POST": HOLDER}

    @operation(
        "Approve or reject a proposal",
        takes=ProposalDecisionIn,
        gives=ProposalDecidedOut,
        headers=[IF_MATCH_IF_SENT],
        refuses=(
            "already-decided",
            "precondition-failed",
            "stale",
            "target-gone",
            "legal-hold",
            "lineage-choice",
            "echo",
            "subject-taken",
            "say-category",
            "say-claim",
            "noticed-since",
            "nothing-before",
            "receipt-unavailable",
        ),
    )
    def post(self, request: Request, proposal: str) -> Response:
        holder, sent = holder_of(request), taken(request, ProposalDecisionIn)
        proposal_id = id_of("prp", proposal)
        found = memories.proposal(holder, proposal_id)
        # What was decided stays so whichever revision is named (RFC 9110, 13.1.1): the same decision is answered again.
        waits = found is not None and found.status is ProposalStatus.PENDING
        revision, told = _revision(request, found) if waits else None, of_a_decision(found)
        if sent.pop("decision") == "reject":
            rejected = memories.reject(holder, proposal_id, self.now, revision=revision, **sent)
            return _decided(agreed(rejected, told=told))
        with no_receipt_no_read(), only(ProposalDecisionIn().fields):
            done = memories.approve(holder, proposal_id, now=self.now, revision=revision, **sent)
        approved = agreed(unbarred(done, holder, self.now), told=told)
        return _decided(approved.proposal, approved.memory)


class ProposalDecisions(Resource):
    """One decision on exactly what was reviewed; what cannot be decided so is said, one by one."""

    allow = {"POST": HOLDER}

    @operation("Decide on many proposals", takes=ProposalDecisionsIn, gives=DecisionsOut)
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, ProposalDecisionsIn)
        reviewed = [(each["proposal"], each["revision"]) for each in sent["items"]]
        if sent["decision"] == "reject":
            done = memories.reject_many(holder, reviewed, self.now, reason=sent["reason"])
        else:
            done = memories.approve_many(holder, reviewed, self.now)
        return Response(DecisionsOut.of(done))


class ProposalsUndo(Resource):
    """Takes approvals back, for seven days: an added memory is put away, a correction reverted."""

    allow = {"POST": HOLDER}

    @operation(
        "Undo an approval, or all of one go",
        takes=UndoIn,
        gives=DecisionsOut,
        refuses=("not-found", "undo-over", "undo-later-first", "stale", "already-decided", "subject-taken"),
    )
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, UndoIn)
        if "batch" in sent:
            done = agreed(memories.undo_batch(holder, sent["batch"], self.now))
        else:
            told = of_an_undo(memories.proposal(holder, sent["proposal"]))
            item = agreed(memories.undo(holder, sent["proposal"], self.now), told=told)
            done = memories.Batch(item.proposal_id, (item,))
        return Response(DecisionsOut.of(done))


class ProposalsShow(Resource):
    """What proposals say beside what is kept: stamped like every look."""

    allow = {"POST": HOLDER}

    @operation(
        "Show what proposals say", takes=ProposalsShowIn, gives=ProposalsShownOut, refuses=("receipt-unavailable",)
    )
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, ProposalsShowIn)
        found = [memories.proposal(holder, each) for each in sent["proposals"]]
        chosen = memories.beside(holder, [each for each in found if each is not None])
        with no_receipt_no_read():
            looked = turns.shown(holder, memories.show_beside(holder, chosen))
        said = {each.memory_id: each.value for each in looked.values}
        waiting = [one for each in chosen for one in (each.proposal, *each.rivals)]
        candidates = {each.memory_id: each.proposal_id for each in waiting}
        return Response(
            ProposalsShownOut.of(
                {
                    "proposals": chosen,
                    "candidates": {typed("prp", each): said[one] for one, each in candidates.items() if one in said},
                    "values": [each for each in looked.values if each.memory_id not in candidates],
                    "first_seq": looked.first,
                    "last_seq": looked.last,
                }
            )
        )


class ProposalWithdraw(Resource):
    """A client takes back its own."""

    allow = {"POST": CLIENT}

    @operation("Take a proposal back", gives=ProposalOut, refuses=("already-decided",))
    def post(self, request: Request, proposal: str) -> Response:
        taken_back = agreed(memories.withdraw(caller_of(request), id_of("prp", proposal), self.now))
        return _tagged(ProposalOut, taken_back)


class ProposalLift(Resource):
    """What was rejected may be proposed again."""

    allow = {"POST": HOLDER}

    @operation("Let the same be proposed again", gives=HeldProposalOut)
    def post(self, request: Request, proposal: str) -> Response:
        lifted = memories.lift(holder_of(request), id_of("prp", proposal), self.now)
        return _tagged(HeldProposalOut, agreed(lifted, told=NOTHING_TO_LIFT))


class ProposalRebase(Resource):
    """A stale proposal is about its target as it stands by now."""

    allow = {"POST": HOLDER}

    @operation(
        "Let a stale proposal be about what is kept by now",
        gives=HeldProposalOut,
        headers=[IF_MATCH_IF_SENT],
        refuses=("already-decided", "target-gone", "precondition-failed"),
    )
    def post(self, request: Request, proposal: str) -> Response:
        holder, proposal_id = holder_of(request), id_of("prp", proposal)
        revision = _revision(request, memories.proposal(holder, proposal_id))
        rebased = memories.rebase(holder, proposal_id, self.now, revision=revision)
        return _tagged(HeldProposalOut, agreed(rebased, told=NOTHING_TO_REBASE))


def _turned(sent: dict[str, Any]) -> dict[str, Any]:
    """The name of an answer as it stands in receipts."""
    return {**sent, "turn": typed("trn", sent["turn"])} if sent.get("turn") else sent


def _revision(request: Request, found: Proposal | None) -> int | None:
    """The revision that was looked at. Raises Problem where it is not the current one."""
    match = request.headers.get("If-Match")
    if match is None or found is None or match.strip() == "*":
        return None
    if _etag(found) not in [each.strip() for each in match.split(",")]:
        raise Problem("precondition-failed")
    return found.revision


def _etag(proposal: Proposal) -> str:
    return f'"{proposal.revision}"'


def _tag(shape: type[ProposalOut], proposal: Proposal) -> str:
    return _etag(proposal) if issubclass(shape, HeldProposalOut) else etag(ProposalOut.of(proposal))


def _tagged(shape: type[ProposalOut], proposal: Proposal, status: int = 200) -> Response:
    return Response(shape.of(proposal), status=status, headers={"ETag": _tag(shape, proposal)})


def _decided(proposal: Proposal, memory: Any = None) -> Response:
    body = ProposalDecidedOut.of({"proposal": proposal, "memory": memory})
    return Response(body, headers={"ETag": _etag(proposal)})
