"""`/file/about`: whom and what memories are about. `/file/<mem_…>/provenance`: where one comes from and went."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.memories.services import linking, merging, naming
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, What
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder
from apps.turns import services as turns
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.lines import Names, names_of
from apps.web.link_forms import AboutForm, EntityForm, MergeForm
from apps.web.merges import merges_told
from vault.clock import utc_now


@for_form(Deed.LOOK)
def entities(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Everybody and everything that is known by name; one more; and two that are one."""
    form = EntityForm(http_request.POST or None)
    if form.is_valid():
        try:
            made = naming.name(holder, form.kind, form.cleaned_data["name"], utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, made, "/file/about", "Noted.")
    return _entities(http_request, holder, form)


@for_form(Deed.LOOK)
def entity(http_request: HttpRequest, holder: Holder, entity_id: UUID) -> HttpResponse:
    """One of them: what is said of them, and what they are called."""
    found = or_404(naming.entity(holder, entity_id))
    form = EntityForm(http_request.POST or None, initial={"name": found.name, "sort": found.kind.value})
    if form.is_valid():
        try:
            done = naming.rename(holder, entity_id, kind=form.kind, called=form.cleaned_data["name"])
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, done, f"/file/about/{typed('ent', entity_id)}", "Noted.")
    links = linking.edges_of(holder, entity_id)
    return page(http_request, "entity.html", 400 if form.errors else 200, entity=found, links=links, form=form)


@require_POST
@for_holder
def merge(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Two of them are one."""
    form = MergeForm(naming.entities(holder), data=http_request.POST, auto_id="merge_%s")
    if form.is_valid():
        kept, merged = (untyped("ent", form.cleaned_data[name]) for name in ("kept", "merged"))
        try:
            done = merging.merge(holder, What.ENTITY, or_404(kept), or_404(merged), utc_now())
        except TextProblem as problem:
            form.blame(problem)
        else:
            return back(http_request, done, "/file/about", "They are one from now on. It can be undone below.")
    return _entities(http_request, holder, EntityForm(), form)


@require_safe
@for_holder
def provenance(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Where a memory comes from and went. Its value is not looked at."""
    return _provenance(http_request, holder, or_404(turns.provenance(holder, memory_id)))


@require_POST
@for_holder
def check(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """The same, with the value compared with what its receipts are bound to: stamped like any look."""
    return _provenance(http_request, holder, or_404(turns.provenance_checked(holder, memory_id)))


@require_POST
@for_holder
def about(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Say whom or what a memory is about."""
    entity_id = or_404(untyped("ent", http_request.POST.get("entity", "")))
    drawn = linking.draw(holder, EdgeKind.ABOUT, memory_id, entity_id, utc_now())
    return back(http_request, drawn, _page_of(memory_id), "Noted.")


@require_POST
@for_holder
def end(http_request: HttpRequest, holder: Holder, edge_id: UUID) -> HttpResponse:
    """A link stands no more; that it did is kept."""
    memory_id = or_404(untyped("mem", http_request.POST.get("memory", "")))
    return back(
        http_request, linking.end(holder, edge_id, utc_now()), _page_of(memory_id), "Ended. That it stood is kept."
    )


def _page_of(memory_id: UUID) -> str:
    return f"/file/{typed('mem', memory_id)}/provenance"


def _links(found: access.Provenance, names: Names) -> list[tuple[linking.Link, str, int | None]]:
    """What it is linked to, each with who left it as a note, and which version a suggestion made from the other."""
    versions = {each.line.proposal_id: each.line.version for each in found.history if each.kept and each.proposal}
    return [
        (
            each,
            names.party(typed("lnk", each.left_by)) if each.left_by else "",
            versions.get(each.edge.proposal_id) if each in found.made_from else None,
        )
        for each in found.links
    ]


def _provenance(http_request: HttpRequest, holder: Holder, found: access.Provenance) -> HttpResponse:
    names = names_of(holder)
    history = [
        (each, names.party(each.line.made_by), names.party(each.proposal.source) if each.proposal is not None else "")
        for each in found.history
    ]
    handed = [(each, names.party(each.recipient)) for each in found.recipients]
    known = naming.entities(holder)
    return page(
        http_request,
        "provenance.html",
        found=found,
        memory=found.memory,
        said_by=names.party(found.said_by),
        kept_by=names.party(found.kept_by),
        attested_by=names.party(found.attested_by) if found.attested_by else "",
        told=history,
        links=_links(found, names),
        handed=handed,
        merges=merges_told(found.merges, names, known),
        form=AboutForm(known) if known else None,
    )


def _entities(
    http_request: HttpRequest, holder: Holder, form: EntityForm, merging_form: MergeForm | None = None
) -> HttpResponse:
    known = naming.entities(holder)
    standing = [each for each in merging.merges(holder) if each.undone_at is None]
    wrong = form.errors or (merging_form is not None and merging_form.errors)
    return page(
        http_request,
        "entities.html",
        400 if wrong else 200,
        known=known,
        form=form,
        merging=merging_form or MergeForm(known, auto_id="merge_%s", initial={"kept": http_request.GET.get("kept")}),
        merges=merges_told(standing, names_of(holder), known),
    )
