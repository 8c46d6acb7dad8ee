"""Two that are one: choose the other memory, look at both side by side, say which stays; and part them again."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from apps.memories import services as memories
from apps.memories.services import merging
from apps.policy.ids import typed, untyped
from apps.policy.links import What
from apps.policy.roles import Deed
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import State
from apps.turns import services as turns
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.forms import number_of
from apps.web.link_forms import SameForm
from vault.clock import utc_now


@for_form(Deed.KEEP)
def same(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Which other memory says the same; and, once it is chosen, both side by side: stamped like every look."""
    living = [each for each in memories.memories(holder) if each.state is State.APPROVED]
    found = or_404(next((each for each in living if each.memory_id == memory_id), None))
    form = SameForm(_nearest(found, living), data=http_request.POST or None)
    if not form.is_valid():
        return page(http_request, "merge.html", 400 if form.errors else 200, memory=found, form=form)
    other = or_404(next((each for each in living if typed("mem", each.memory_id) == form.cleaned_data["other"]), None))
    looked = turns.shown(holder, memories.show(holder, [memory_id, other.memory_id]))
    said = {each.memory_id: each for each in looked.values}
    pairs = [(found, said.get(memory_id), other), (other, said.get(other.memory_id), found)]
    return page(http_request, "merge_shown.html", memory=found, pairs=pairs, first=looked.first, last=looked.last)


def _nearest(found: Memory, living: list[Memory]) -> list[Memory]:
    """The others, those under the same word of a subject first."""
    top = found.subject.partition(".")[0]
    others = (each for each in living if each.memory_id != found.memory_id)
    return sorted(others, key=lambda each: (each.subject.partition(".")[0] != top, each.subject))


@require_POST
@for_holder
def merge(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Two memories are one, as they were shown: the one that is kept stays as it is, the other is offered to nobody."""
    sent = http_request.POST
    kept, merged = (or_404(untyped("mem", sent.get(name, ""))) for name in ("kept", "merged"))
    if kept == merged:
        return or_404(None)
    looked_at = ((kept, "kept_version"), (merged, "merged_version"))
    seen = {one: number_of(sent.get(name, ""), 8) or 0 for one, name in looked_at}  # 0, which no version is
    done = merging.merge(holder, What.MEMORY, kept, merged, utc_now(), versions=seen)
    here = f"/file/{typed('mem', kept)}/provenance"
    return back(http_request, done, here, "They are one from now on. Part them below, if that was wrong.", "merged")


@require_POST
@for_holder
def part(http_request: HttpRequest, holder: Holder, merge_id: UUID) -> HttpResponse:
    """They are two again: back to where they were made one, a memory's page or that of all names."""
    done = merging.part(holder, merge_id, utc_now())
    memory_id = untyped("mem", http_request.POST.get("memory", ""))
    to = f"/file/{typed('mem', memory_id)}" if memory_id is not None else "/file/about"
    return back(http_request, done, to, "They are two again.")
