"""Entities, edges, merges, and where a memory comes from. The holder's alone: names tell."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.errors import no_receipt_no_read
from apps.api.inputs import NoQuery, PageQuery
from apps.api.kept import STILL_TAKEN
from apps.api.linking import EdgeEndIn, EdgeIn, EdgesQuery, EntityChangeIn, EntityIn, MergeIn, Thing
from apps.api.outputs.links import (
    EdgeOut,
    EntityOut,
    KnownOut,
    LinksOut,
    MergeOut,
    edge_facts,
    link_facts,
    merge_facts,
)
from apps.api.outputs.provenance import ProvenanceOut, provenance_words
from apps.api.outputs.shape import page_of
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, id_of, page, queried, require_match, some, tagged, taken
from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.ids import typed
from apps.policy.links import What
from apps.policy.types import Holder
from apps.turns import services as turns


class Entities(Resource):
    """Whom and what the holder's memories are about; what was merged stands under the one that was kept."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("Entities by name", gives=page_of(KnownOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query = queried(request, PageQuery)
        found = naming.entities(holder_of(request))
        return page(request, found, lambda each: typed("ent", each.entity.entity_id), query, KnownOut.each)

    @operation("Note a person, place, organisation or thing", takes=EntityIn, gives=EntityOut, status=201)
    def post(self, request: Request) -> Response:
        sent = taken(request, EntityIn)
        made = naming.name(holder_of(request), sent["kind"], sent["name"], self.now)
        location = {"Location": f"/api/v1/entities/{typed('ent', made.entity_id)}"}
        return tagged(EntityOut.of(made), request, 201, location)


class OneEntity(Resource):
    """One entity, merged ones too."""

    allow = {"GET": HOLDER, "PATCH": HOLDER}

    @operation("One entity", gives={200: EntityOut, 304: None}, query=NoQuery)
    def get(self, request: Request, entity: str) -> Response:
        queried(request, NoQuery)
        return tagged(EntityOut.of(some(naming.entity(holder_of(request), id_of("ent", entity)))), request)

    @operation(
        "Call it otherwise, or say that it is of another kind",
        takes=EntityChangeIn,
        gives=EntityOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed"),
    )
    def patch(self, request: Request, entity: str) -> Response:
        holder, entity_id = holder_of(request), id_of("ent", entity)
        sent = taken(request, EntityChangeIn)
        require_match(request, EntityOut.of(some(naming.entity(holder, entity_id))))
        done = agreed(naming.rename(holder, entity_id, kind=sent.get("kind"), called=sent.get("name")))
        return tagged(EntityOut.of(done), request)


class Edges(Resource):
    """How one thing of the file stands to another. Ended edges are kept, and listed."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation(
        "The edges of a memory or an entity",
        gives={200: LinksOut, 304: None},
        query=EdgesQuery,
        refuses=("not-found",),
    )
    def get(self, request: Request) -> Response:
        holder, of = holder_of(request), queried(request, EdgesQuery)["of"]
        some(_there(holder, of))
        links = [link_facts(each, of.what) for each in linking.edges_of(holder, of.id)]
        return tagged(LinksOut.of({"edges": links}), request)

    @operation(
        "Draw an edge; one that stands is found, not doubled",
        takes=EdgeIn,
        gives={200: EdgeOut, 201: EdgeOut},
        refuses=("not-found",),
    )
    def post(self, request: Request) -> Response:
        holder, sent = holder_of(request), taken(request, EdgeIn)
        start, end = sent.pop("from"), sent.pop("to")
        done = agreed(linking.draw(holder, sent.pop("kind"), start.id, end.id, self.now, **sent))
        status = 201 if done.made_at == self.now else 200
        return tagged(EdgeOut.of(edge_facts(done, (start.what, end.what))), request, status)


class EdgeEnd(Resource):
    """End an edge. That it stood is kept."""

    allow = {"POST": HOLDER}

    @operation("End an edge, and say until when it was so", takes=EdgeEndIn, gives=EdgeOut)
    def post(self, request: Request, edge: str) -> Response:
        holder, sent = holder_of(request), taken(request, EdgeEndIn)
        done = agreed(linking.end(holder, id_of("edg", edge), self.now, **sent))
        return tagged(EdgeOut.of(edge_facts(done, linking.ends_of(holder, done))), request)


class Merges(Resource):
    """Two that are one. Undone ones are listed too."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("What was merged, newest first", gives=page_of(MergeOut), query=PageQuery)
    def get(self, request: Request) -> Response:
        query = queried(request, PageQuery)
        return page(
            request,
            merging.merges(holder_of(request)),
            lambda each: typed("mrg", each.merge_id),
            query,
            lambda chosen: MergeOut.each(map(merge_facts, chosen)),
        )

    @operation(
        "Make two memories, or two entities, one", takes=MergeIn, gives=MergeOut, status=201, refuses=("not-found",)
    )
    def post(self, request: Request) -> Response:
        sent = taken(request, MergeIn)
        kept, merged = sent["kept"], sent["merged"]
        done = agreed(merging.merge(holder_of(request), kept.what, kept.id, merged.id, self.now))
        return tagged(MergeOut.of(merge_facts(done)), request, 201)


class MergePart(Resource):
    """Make them two again."""

    allow = {"POST": HOLDER}

    @operation("Undo a merge", gives=MergeOut, refuses=("subject-taken",))
    def post(self, request: Request, merge: str) -> Response:
        parted = merging.part(holder_of(request), id_of("mrg", merge), self.now)
        done = agreed(parted, told=STILL_TAKEN)
        return tagged(MergeOut.of(merge_facts(done)), request)


class MemoryProvenance(Resource):
    """Where a memory comes from and went, in one answer. No value is in it."""

    allow = {"GET": HOLDER, "POST": HOLDER}

    @operation("A memory's provenance", gives={200: ProvenanceOut, 304: None}, query=NoQuery)
    def get(self, request: Request, memory: str) -> Response:
        queried(request, NoQuery)
        found = some(turns.provenance(holder_of(request), id_of("mem", memory)))
        return tagged(provenance_words(found), request)

    @operation(
        "The same, with the value compared with what its receipts are bound to: a look, and stamped as one",
        gives=ProvenanceOut,
        refuses=("receipt-unavailable",),
    )
    def post(self, request: Request, memory: str) -> Response:
        with no_receipt_no_read():
            found = turns.provenance_checked(holder_of(request), id_of("mem", memory))
        return Response(provenance_words(some(found)))


def _there(holder: Holder, thing: Thing) -> Any:
    found: UUID = thing.id
    return memories.memory(holder, found) if thing.what is What.MEMORY else naming.entity(holder, found)
