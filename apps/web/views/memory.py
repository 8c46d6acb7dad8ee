"""`/file/<mem_…>`: one memory's label side and history; correct it, put it away, put it back."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Refusal
from apps.web.doors import back, for_holder, or_404, page
from apps.web.forms import CorrectForm, untouched
from apps.web.words import REFUSALS
from vault.clock import utc_now


@require_safe
@for_holder
def memory(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """The label side and every version. The value is shown by a press, never by looking at an address."""
    found = or_404(memories.memory(holder, memory_id))
    form = CorrectForm(
        initial={
            "label": found.label,
            "category": found.category.value,
            "neutral_label": found.neutral_label,
            "as_of": found.as_of,
            "if_version": found.version,
        }
    )
    return _page(http_request, holder, found, form)


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
            label=given["label"],
            category=form.kind,
            neutral_label=given["neutral_label"],
            as_of=given["as_of"],
            if_version=given["if_version"],
            now=utc_now(),
        )
    except TextProblem as problem:
        form.blame(problem)
        return _page(http_request, holder, found, form, 400)
    if isinstance(corrected, Refused) and corrected.reason is Refusal.STALE:
        messages.warning(http_request, REFUSALS[Refusal.STALE].sentence)
        return _page(http_request, holder, found, form, 409)
    return back(http_request, corrected, f"/file/mem_{memory_id.hex}", "Corrected.")


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
    http_request: HttpRequest, holder: Holder, found: Memory, form: CorrectForm, status: int = 200
) -> HttpResponse:
    history = memories.history(holder, found.memory_id)
    return page(http_request, "memory.html", status, memory=found, history=history, form=form)
