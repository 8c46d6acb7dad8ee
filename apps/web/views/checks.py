"""`/check`: where a pasted text says what was corrected or ended, and what is so instead. The text is kept nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from apps.memories import services as memories
from apps.policy.roles import Deed
from apps.policy.text import TextProblem, lines
from apps.policy.types import HandedOver, Holder
from apps.turns import services as turns
from apps.web.doors import for_form, page
from apps.web.forms import CheckForm

AROUND = 60  # characters of a line, before and after a find


@dataclass(frozen=True, slots=True)
class Place:
    """One find on the page: the text around it, and what is so now; None where it was ended."""

    find: memories.Find
    around: str
    instead: HandedOver | None


@for_form(Deed.KEEP)
def check(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """What is so instead is shown, and stamped as any look. The text stands in this answer alone."""
    form = CheckForm(http_request.POST or None)
    if not form.is_valid():
        return page(http_request, "check.html", 400 if form.errors else 200, form=form)
    try:
        checked = memories.check_texts(holder, [form.cleaned_data["text"]])
    except TextProblem as problem:
        form.add_error("text", problem.detail)
        return page(http_request, "check.html", 400, form=form)
    looked = turns.shown(holder, checked.shown)
    found = _places(form.cleaned_data["text"], checked.finds, looked.values)
    return page(http_request, "check.html", form=form, found=found, done=True, first=looked.first, last=looked.last)


def _places(text: str, finds: Sequence[memories.Find], values: Sequence[HandedOver]) -> list[Place]:
    said, now = lines(text), {each.memory_id: each for each in values}
    return [
        Place(each, _around(said[each.line - 1], each), now.get(each.instead) if each.instead is not None else None)
        for each in finds
    ]


def _around(line: str, find: memories.Find) -> str:
    """The part of its line in which a find stands."""
    start, end = max(0, find.column - 1 - AROUND), find.column - 1 + len(find.words) + AROUND
    return ("… " if start else "") + line[start:end].strip() + (" …" if end < len(line) else "")
