"""What a memory said before, and the ways back to it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import no_receipt_no_read
from apps.api.inputs import CancelIn, NoQuery, ReaffirmIn, RevertIn
from apps.api.kept import of_a_memory
from apps.api.outputs import HistoryOut, MemoryOut
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, id_of, queried, require_match, some, tagged, taken
from apps.memories import services as memories
from apps.policy.types import Memory, Refused


class MemoryHistory(Resource):
    """Every version, newest first. No values: what was replaced is shown to the holder alone, by `memories/show`."""

    allow = {"GET": HOLDER}

    @operation("A memory's versions", gives={200: HistoryOut, 304: None}, query=NoQuery)
    def get(self, request: Request, memory: str) -> Response:
        queried(request, NoQuery)
        holder, memory_id = holder_of(request), id_of("mem", memory)
        some(memories.memory(holder, memory_id))
        return tagged(HistoryOut.of({"versions": memories.history(holder, memory_id)}), request)


CHANGES = ("precondition-required", "precondition-failed", "receipt-unavailable")


class MemoryRevert(Resource):
    """Back to what it said before; again, and it goes further back."""

    allow = {"POST": HOLDER}

    @operation(
        "Take a memory back to what it said before, as a new version",
        takes=RevertIn,
        gives=MemoryOut,
        headers=[IF_MATCH],
        refuses=(*CHANGES, "nothing-before"),
    )
    def post(self, request: Request, memory: str) -> Response:
        return restored(request, id_of("mem", memory), self.now, taken(request, RevertIn), memories.revert)


class MemoryReaffirm(Resource):
    """A retired value, taken back on purpose."""

    allow = {"POST": HOLDER}

    @operation(
        "Take a retired version back on purpose, as a new one; or say that the current one still holds",
        takes=ReaffirmIn,
        gives=MemoryOut,
        headers=[IF_MATCH],
        refuses=(*CHANGES, "not-found"),
    )
    def post(self, request: Request, memory: str) -> Response:
        return restored(request, id_of("mem", memory), self.now, taken(request, ReaffirmIn), memories.reaffirm)


class MemoryCancel(Resource):
    """What was said from a day to come, taken back before that."""

    allow = {"POST": HOLDER}

    @operation(
        "Take back a version that waits for its day: what holds goes on",
        takes=CancelIn,
        gives=MemoryOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed", "not-found"),
    )
    def post(self, request: Request, memory: str) -> Response:
        return restored(request, id_of("mem", memory), self.now, taken(request, CancelIn), memories.cancel)


class MemoryResolve(Resource):
    """Two sources said otherwise, and the holder leaves it as it is."""

    allow = {"POST": HOLDER}

    @operation("Settle a memory that was opened again", gives=MemoryOut)
    def post(self, request: Request, memory: str) -> Response:
        return tagged(
            MemoryOut.of(agreed(memories.resolve(holder_of(request), id_of("mem", memory), self.now))), request
        )


def restored(
    request: Request, memory_id: UUID, now: datetime, sent: dict[str, Any], deed: Callable[..., Memory | Refused]
) -> Response:
    """A way back, taken on the current ETag: said twice by mistake, it does not go back twice."""
    holder = holder_of(request)
    current = some(memories.memory(holder, memory_id))
    require_match(request, MemoryOut.of(current))
    with no_receipt_no_read():
        done = deed(holder, memory_id, now=now, if_version=current.version, **sent)
    told = of_a_memory(current, by_version="version" in sent)
    return tagged(MemoryOut.of(agreed(done, told=told, STALE="precondition-failed")), request)
