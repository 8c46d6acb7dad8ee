"""The holder's file."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import no_receipt_no_read
from apps.api.inputs import (
    MemoriesQuery,
    MemoryChangeIn,
    MemoryIn,
    NoQuery,
    ShowIn,
)
from apps.api.kept import of_a_memory
from apps.api.outputs import MemoryOut, ShownOut, page_of
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, id_of, page, queried, require_match, some, tagged, taken
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import State
from apps.turns import services as turns

FILTERS = ("state", "category", "subject")


class Memories(Resource):
    """Labels only; values are shown by `POST memories/show`."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("The holder's file, labels only", gives=page_of(MemoryOut), query=MemoriesQuery)
    def get(self, request: Request) -> Response:
        query = queried(request, MemoriesQuery)
        found = [
            each
            for each in self._listed(holder_of(request), query)
            if all(getattr(each, name) == query.get(name, getattr(each, name)) for name in FILTERS)
        ]
        return page(
            request,
            found,
            lambda each: typed("mem", each.memory_id),
            query,
            lambda chosen: MemoryOut.each(chosen),
        )

    def _listed(self, holder: Holder, query: dict[str, Any]) -> Sequence[Memory]:
        if query.keys() & {"as_of", "true_at"}:
            asked = {name: query.get(name, "") for name in ("as_of", "true_at")}
            return [each.as_said for each in memories.then(holder, **asked)]
        if query.get("list") == "reopened":
            return memories.reopened(holder)
        if "list" in query:
            return [memory for memory, _ in memories.worth_another_look(holder, self.now)]
        return memories.ranked(holder, self.now) if query["order"] == "rank" else memories.memories(holder)

    @operation(
        "Keep something; what is kept already in the same words is found, not doubled",
        takes=MemoryIn,
        gives={200: MemoryOut, 201: MemoryOut},
        refuses=("subject-taken", "echo"),
    )
    def post(self, request: Request) -> Response:
        kept = agreed(memories.add(holder_of(request), now=self.now, **taken(request, MemoryIn)))
        location = {"Location": f"/api/v1/memories/{typed('mem', kept.memory_id)}"}
        return tagged(MemoryOut.of(kept), request, 200 if kept.made_at else 201, location)


class OneMemory(Resource):
    """One memory's label side; changed on its current ETag."""

    allow = {"GET": HOLDER, "PATCH": HOLDER}

    @operation("One memory, its label side", gives={200: MemoryOut, 304: None}, query=NoQuery)
    def get(self, request: Request, memory: str) -> Response:
        queried(request, NoQuery)
        found = some(memories.memory(holder_of(request), id_of("mem", memory)))
        return tagged(MemoryOut.of(found), request)

    @operation(
        "Correct a memory, put it under another subject, mark it, put it away or back, or seal it from guardians",
        takes=MemoryChangeIn,
        gives=MemoryOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed", "echo", "subject-taken"),
    )
    def patch(self, request: Request, memory: str) -> Response:
        holder, memory_id = holder_of(request), id_of("mem", memory)
        sent = taken(request, MemoryChangeIn)
        current = some(memories.memory(holder, memory_id))
        looked_at = current.version if require_match(request, MemoryOut.of(current)) else None
        done = self._change(holder, memory_id, looked_at, sent)
        changed = agreed(done, told=of_a_memory(current), STALE="precondition-failed")
        return tagged(MemoryOut.of(changed), request)

    def _change(self, holder: Holder, memory_id: UUID, version: int | None, sent: dict[str, Any]) -> Memory | Refused:
        state = sent.get("state")
        if state is State.WITHDRAWN:
            return memories.put_away(holder, memory_id, self.now)
        if state is State.SEALED:
            return memories.seal_from_guardians(holder, memory_id, self.now)
        if state is State.APPROVED:
            return memories.put_back(holder, memory_id, self.now)
        if "subject" in sent:
            return memories.rescope(holder, memory_id, now=self.now, if_version=version, **sent)
        if sent.keys() & {"kind", "weight", "local_only"}:
            return memories.mark(holder, memory_id, self.now, if_version=version, **sent)
        return memories.correct(holder, memory_id, now=self.now, if_version=version, **sent)


class MemoriesShow(Resource):
    """The holder looks at values: stamped like any other hand-over."""

    allow = {"POST": HOLDER}

    @operation("Show values", takes=ShowIn, gives=ShownOut, refuses=("receipt-unavailable",))
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, ShowIn)
        with no_receipt_no_read():
            if "versions" in sent:
                looked = memories.show_past(holder, [(each["memory"], each["version"]) for each in sent["versions"]])
            else:
                looked = memories.show(holder, sent["memories"], openings=sent["openings"])
        return Response(ShownOut.of(turns.shown(holder, looked)))
