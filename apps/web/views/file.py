"""`/file`: the holder's memories by subject, adding one, and showing values, which is stamped like any hand-over."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import State
from apps.turns import services as turns
from apps.web.doors import back, for_form, for_holder, page
from apps.web.forms import CorrectForm, KeepForm, carried
from vault.clock import utc_now


@require_safe
@for_holder
def file(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Labels by subject (or all by rank), what was put away apart. No values."""
    by_rank = http_request.GET.get("order") == "rank"
    kept = memories.ranked(holder, utc_now()) if by_rank else memories.memories(holder)
    living = [each for each in kept if each.state is State.APPROVED]
    return page(
        http_request,
        "file.html",
        groups=[("By rank", living)] if by_rank and living else _by_subject(living),
        by_rank=by_rank,
        looks=memories.worth_another_look(holder, utc_now()),
        away=[each for each in kept if each.state is State.WITHDRAWN],
        sealed=[each for each in kept if each.state is State.SEALED],
        going=len(erasure.going_soon(holder, utc_now())),
        raised=holders.raised(holder) if holder.acting else None,
        most=memories.MOST_SHOWN,
    )


@require_safe
@for_holder
def going(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What goes soon, by what the space settled, unless somebody says that it holds."""
    return page(http_request, "file_going.html", going=erasure.going_soon(holder, utc_now()))


@for_form(Deed.KEEP)
def add(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Keep something."""
    form = KeepForm(http_request.POST or None)
    if form.is_valid():
        try:
            kept = _keep(holder, form)
        except TextProblem as problem:
            form.blame(problem)
        else:
            if isinstance(kept, Refused):
                form.refuse(kept)
                return page(http_request, "file_add.html", 409, form=form)
            said = f"This is kept already: {kept.label}." if kept.made_at else f"Kept: {kept.label}."
            return back(http_request, kept, "/file", said)
    return page(http_request, "file_add.html", 400 if form.errors else 200, form=form)


_AS_GIVEN = ("label", "value", "subject", "neutral_label", "as_of", "sealed", "valid_from", "valid_to", "on_purpose")


def _keep(holder: Holder, form: KeepForm) -> Memory | Refused:
    given = {name: form.cleaned_data[name] for name in _AS_GIVEN}
    return memories.add(holder, category=form.kind, claim=form.attested, now=utc_now(), **given, **form.marks())


@require_POST
@for_holder
def show(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Up to fifty values in one stamp. They stand in this answer alone: nothing leads back to it."""
    chosen = [found for each in http_request.POST.getlist("memory") if (found := untyped("mem", each))]
    if not chosen:
        return redirect("web:file")
    looked = turns.shown(holder, memories.show(holder, chosen))
    by_id = {each.memory_id: each for each in memories.memories(holder)}
    rows = [(by_id[each.memory_id], each, _correcting(by_id[each.memory_id], each.value)) for each in looked.values]
    return page(http_request, "file_shown.html", rows=rows, first=looked.first, last=looked.last)


def _correcting(memory: Memory, value: str | None) -> CorrectForm:
    found = {
        "label": memory.label,
        "value": value,
        "category": memory.category.value,
        "neutral_label": memory.neutral_label,
        "as_of": memory.as_of,
        "if_version": memory.version,
        "shown": carried(value or ""),
    }
    return CorrectForm(initial=found, auto_id=f"{memory.memory_id.hex}_%s")


def _by_subject(kept: Iterable[Memory]) -> list[tuple[str, list[Memory]]]:
    """Memories under the first word of their subject, both in alphabetical order. Those that share it with none stand
    together at the end: a heading over each would say no more than its own line.
    """
    groups: dict[str, list[Memory]] = {}
    for each in sorted(kept, key=lambda memory: memory.subject):
        groups.setdefault(each.subject.partition(".")[0], []).append(each)
    shared = [(word, found) for word, found in sorted(groups.items()) if len(found) > 1]
    alone = [found[0] for _, found in sorted(groups.items()) if len(found) == 1]
    return [*shared, ("Others" if shared else "By subject", alone)] if alone else shared
