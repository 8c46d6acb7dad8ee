"""What a memory said before, and the ways back to it; and the whole file as it was on a day."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.roles import Deed, may
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Ended, Refusal
from apps.turns import services as turns
from apps.web.doors import back, for_holder, or_404, page
from apps.web.forms import BackForm, ThenForm
from apps.web.lines import Names
from vault.clock import utc_now


@dataclass(frozen=True, slots=True)
class PastLine:
    """One line of a memory's history as its page tells it. `source`: whose words it is, where not the holder's."""

    version: MemoryVersion
    who: str
    current: bool
    source: str

    @property
    def waits(self) -> bool:
        """Does it hold from a day to come?"""
        return self.version.ended_as is Ended.WAITING


def past_lines(holder: Holder, memory: Memory) -> list[PastLine]:
    """A memory's history, newest first, with who wrote each line."""
    follows = may(holder, Deed.FOLLOW) is None  # else people go by their roles
    clients = turns.names(holder) if follows else {}
    names = Names({}, {}, clients, holders.acted(holder) if follows else {}, holder)
    return [
        PastLine(each, names.party(each.made_by), each.version == memory.version, names.source(each.source))
        for each in memories.history(holder, memory.memory_id)
    ]


@require_POST
@for_holder
def before(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """What one version said: stamped like any look, and shown in this answer alone."""
    form = BackForm({**http_request.POST.dict(), "if_version": "0"})
    found = or_404(memories.memory(holder, memory_id))
    if not form.is_valid():
        return or_404(None)
    number = form.cleaned_data["version"]
    looked = turns.shown(holder, memories.show_past(holder, [(memory_id, number)]))
    (handed,) = looked.values or (or_404(None),)
    line = next(each for each in past_lines(holder, found) if each.version.version == number)
    taking = BackForm(initial={"version": number, "if_version": found.version})
    return page(http_request, "file_before.html", memory=found, line=line, handed=handed, form=taking)


@require_POST
@for_holder
def revert(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Back to what it said before."""
    form = BackForm({"version": "1", **http_request.POST.dict()})
    if not form.is_valid():
        return or_404(None)
    done = memories.revert(holder, memory_id, utc_now(), if_version=form.cleaned_data["if_version"])
    return back(http_request, done, f"/file/mem_{memory_id.hex}", "It says again what it said before.")


@require_POST
@for_holder
def reaffirm(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """A retired value, on purpose; or, of what is kept now, that it still holds."""
    form = BackForm(http_request.POST)
    if not form.is_valid():
        return or_404(None)
    given = form.cleaned_data
    here = f"/file/mem_{memory_id.hex}"
    try:
        done = memories.reaffirm(
            holder,
            memory_id,
            given["version"],
            utc_now(),
            if_version=given["if_version"],
            changed=given["changed"] == "changed",
            why=given["why"],
        )
    except TextProblem as problem:
        return back(http_request, Refused(Refusal.STALE), here, problem.detail)
    said = "It still holds." if given["version"] == given["if_version"] else "Taken back, on purpose."
    return back(http_request, done, here, said)


@require_POST
@for_holder
def cancel(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """What waits for its day, taken back before that."""
    form = BackForm(http_request.POST)
    if not form.is_valid():
        return or_404(None)
    given = form.cleaned_data
    done = memories.cancel(holder, memory_id, given["version"], utc_now(), if_version=given["if_version"])
    return back(http_request, done, f"/file/mem_{memory_id.hex}", "Taken back. What is kept now goes on.")


@require_POST
@for_holder
def resolve(http_request: HttpRequest, holder: Holder, memory_id: UUID) -> HttpResponse:
    """Two sources say otherwise, and it stays as it is."""
    done = memories.resolve(holder, memory_id, utc_now())
    return back(http_request, done, f"/file/mem_{memory_id.hex}", "Settled. It stays as it is.")


@require_safe
@for_holder
def then(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The file as it stood on a day, or as it was true on one. Labels and version numbers; no values."""
    form = ThenForm(http_request.GET or None)
    found: tuple[memories.Then, ...] = ()
    asked = form.is_valid() and any(form.cleaned_data.values())
    if asked:
        try:
            found = memories.then(holder, **form.cleaned_data)
        except TextProblem as problem:
            form.blame(problem)
            asked = False
    return page(http_request, "file_then.html", 400 if form.errors else 200, form=form, found=found, asked=asked)
