"""`/file/<mem_…>`: one memory's label side and history; correct it, put it away, put it back."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Ended, Refusal
from apps.shares import services as shares
from apps.web.doors import back, for_holder, or_404, page
from apps.web.endings import JOINED
from apps.web.forms import CorrectForm, MarkForm, SubjectForm, untouched
from apps.web.merges import became
from apps.web.views.past import past_lines
from vault.clock import utc_now


@require_safe
@for_holder
def memory(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """The label side and every version. The value is shown by a press, never by looking at an address."""
    found = or_404(memories.memory(holder, memory_id))
    return _page(http_request, holder, found)


@require_POST
@for_holder
def opening(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """What opens the commitments of this value, as a file for whom the holder chooses: stamped like any look."""
    (found,) = memories.show(holder, [memory_id], openings=True).openings or (or_404(None),)
    headers = {"Content-Disposition": f'attachment; filename="{found["memory"]}.opening.json"'}
    return JsonResponse(found, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@require_POST
@for_holder
def correct(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Replace the value: a new version, the old one is never served again."""
    found = or_404(memories.memory(holder, memory_id))
    form = CorrectForm(http_request.POST)
    if not form.is_valid():
        return _page(http_request, holder, found, form, 400)
    given = form.cleaned_data
    try:
        corrected = memories.correct(
            holder,
            memory_id,
            value=given["shown"] if untouched(given["value"], given["shown"]) else given["value"],
            category=form.kind,
            now=utc_now(),
            changed=given["changed"] == "changed",
            **{name: given[name] for name in _AS_GIVEN},
        )
    except TextProblem as problem:
        form.blame(problem)
        return _page(http_request, holder, found, form, 400)
    if isinstance(corrected, Refused) and corrected.reason is not Refusal.NOT_FOUND:
        form.refuse(corrected)
        return _page(http_request, holder, found, form, 409)
    return back(http_request, corrected, f"/file/mem_{memory_id.hex}", _done(holder, found, corrected))


_AS_GIVEN = ("label", "neutral_label", "as_of", "if_version", "valid_from", "valid_to", "why", "on_purpose")


def _done(holder: Holder, before: Memory, after: Memory | Refused) -> str:
    if isinstance(after, Refused) or after.version != before.version:
        return "Corrected."
    joined = after.updated_at != before.updated_at
    if not joined:
        return "It says so already. Nothing has changed."
    newest = memories.history(holder, before.memory_id)[0]
    return JOINED[Ended.WAITING if newest.ended_as is Ended.WAITING else Ended.LATE]


@require_POST
@for_holder
def mark(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Of what sort it is, what it weighs, whether it stays at home."""
    found = or_404(memories.memory(holder, memory_id))
    form = MarkForm(http_request.POST)
    if not form.is_valid():
        return _page(http_request, holder, found, status=400, marking=form)
    marked = memories.mark(holder, memory_id, utc_now(), **form.marks())
    return back(http_request, marked, f"/file/mem_{memory_id.hex}", "Noted.")


@require_POST
@for_holder
def rescope(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Under another subject."""
    found = or_404(memories.memory(holder, memory_id))
    form = SubjectForm(http_request.POST)
    if not form.is_valid():
        return _page(http_request, holder, found, status=400, moving=form)
    try:
        moved = memories.rescope(holder, memory_id, now=utc_now(), **form.cleaned_data)
    except TextProblem as problem:
        form.blame(problem)
        return _page(http_request, holder, found, status=400, moving=form)
    if isinstance(moved, Refused) and moved.reason is Refusal.ECHO:
        form.refuse(moved)
        return _page(http_request, holder, found, status=409, moving=form)
    return back(http_request, moved, f"/file/mem_{memory_id.hex}", "It stands there now.")


@require_POST
@for_holder
def put_away(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Kept, offered to nobody."""
    moved = memories.put_away(holder, memory_id, utc_now())
    return back(http_request, moved, f"/file/mem_{memory_id.hex}", "Put away. It is offered to nobody.")


@require_POST
@for_holder
def put_back(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Offered again."""
    moved = memories.put_back(holder, memory_id, utc_now())
    return back(http_request, moved, f"/file/mem_{memory_id.hex}", "Put back. It can be asked for again.")


@require_POST
@for_holder
def seal(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Out of the sight of guardians, and of whoever else acts for the holder."""
    moved = memories.seal_from_guardians(holder, memory_id, utc_now())
    return back(http_request, moved, f"/file/mem_{memory_id.hex}", "Sealed. You alone can see that this exists.")


def _page(
    http_request: HttpRequest,
    holder: Holder,
    found: Memory,
    form: CorrectForm | None = None,
    status: int = 200,
    marking: MarkForm | None = None,
    moving: SubjectForm | None = None,
) -> HttpResponse:
    history = past_lines(holder, found)
    before = memories.predecessor([each.version for each in history], found.version) if history else None
    marks = {"sort": found.kind.value, "weight": found.weight, "local_only": found.local_only}
    forms = {
        "form": form or _correcting(found),
        "marking": marking or MarkForm(initial=marks, auto_id="mark_%s"),
        "moving": moving or SubjectForm(initial={"subject": found.subject}, auto_id="move_%s"),
    }
    told = {
        "history": history,
        "came_from": next((each.source for each in history if each.current), ""),
        "back": before.version if before is not None else None,
        "part_of": became(holder, found.memory_id) if found.merged_into is not None else [],
        "sharable": _sharable(holder, found),
    }
    return page(http_request, "memory.html", status, memory=found, **told, **forms)


def _sharable(holder: Holder, found: Memory) -> bool:
    """May whoever sits here put it into a share?"""
    may = holders.may(holder, Deed.SHARE)
    return may and not isinstance(shares.preview(holder, [found.memory_id]), Refused)


def _correcting(found: Memory) -> CorrectForm:
    return CorrectForm(
        initial={
            "label": found.label,
            "category": found.category.value,
            "neutral_label": found.neutral_label,
            "as_of": found.as_of,
            "if_version": found.version,
        }
    )
