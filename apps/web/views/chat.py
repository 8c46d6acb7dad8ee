"""The chat: a question, the ask card, the answer with its stamps, and the answer again without one memory."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.html import escape
from django.views.decorators.http import require_POST, require_safe

from apps.ledger import services as ledger
from apps.policy.ids import untyped
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused, Turn
from apps.policy.vocabulary import Category, Refusal, TurnStatus
from apps.turns import services as turns
from apps.web import sse
from apps.web.conversation import conversation
from apps.web.doors import back, for_holder, or_404, page
from apps.web.lines import newest
from apps.web.notices import shown
from vault.clock import utc_now
from vault.streaming import pulled, streamed

TAPE_LINES = 8


@require_POST
@for_holder
def ask(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Take a question. Nothing is read yet: what it needs is worked out and offered on its own page."""
    question = http_request.POST.get("question", "")
    try:
        asked = turns.ask(holder, question, utc_now())
    except TextProblem as problem:
        return page(http_request, "ask.html", 400, question=question, problem=problem.detail)
    if asked.status is TurnStatus.DECIDED and not _scripted(http_request):
        _exhaust(holder, asked.turn_id)
    return redirect("web:turn", asked.turn_id)


@require_safe
@for_holder
def turn(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> HttpResponse:
    """A question as it stands: offered, decided, answered or abandoned."""
    asked = or_404(turns.turn(holder, turn_id))
    lines = newest(holder, TAPE_LINES)
    return page(http_request, "turn.html", lines=lines, **conversation(holder, asked))


@require_safe
@for_holder
def file(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> HttpResponseBase:
    """This turn as a file to keep, which anybody who is given it can read and check."""
    made = or_404(turns.conversation_file(holder, turn_id))
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return StreamingHttpResponse(pulled(made.parts), content_type="application/jsonl", headers=headers)


@require_POST
@for_holder
def decide(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> HttpResponse:
    """The press on a card. Without script an ordinary decision is answered before the page comes back."""
    asked, below = or_404(turns.turn(holder, turn_id)), shown(http_request, holder)
    try:
        decided = turns.decide(holder, turn_id, now=utc_now(), shown=below, **_pressed(http_request))
    except TextProblem as problem:
        return _unfit(http_request, holder, asked, problem.detail)
    if isinstance(decided, Turn) and decided.status is TurnStatus.DECIDED and not _scripted(http_request):
        _exhaust(holder, turn_id)
    return back(http_request, decided, _address(turn_id))


def _pressed(http_request: HttpRequest) -> dict[str, Any]:
    """What was decided of which part, as the service takes it. Raises TextProblem for a yes to nothing."""
    sent, chosen = http_request.POST, frozenset(_ids(http_request))
    category = or_404(Category(sent["part"]) if sent.get("part") in set(Category) else None)
    if sent.get("do") not in ("give", "none", "leave"):
        raise TextProblem("do", "Press one of the buttons: nothing was decided yet.")
    if sent["do"] == "give" and not chosen:
        raise TextProblem("give", "Choose at least one, or answer without.")
    said = chosen if sent["do"] == "give" else frozenset()
    return {"special": {category: said}} if category.special else {"ordinary": said}


def _unfit(http_request: HttpRequest, holder: Holder, asked: Turn, problem: str) -> HttpResponse:
    """The card as it was sent, with what is wrong with it; nothing was decided."""
    if asked.status is not TurnStatus.OFFERED:
        return back(http_request, Refused(Refusal.ALREADY_DECIDED), _address(asked.turn_id))
    told = {"problem": problem, "sent_part": http_request.POST.get("part"), "given": _ids(http_request)}
    return page(http_request, "turn.html", 400, lines=newest(holder, TAPE_LINES), **told, **conversation(holder, asked))


@require_POST
@for_holder
def answer(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> HttpResponseBase:
    """Answer a decided turn: streamed to a reader of events, else written to its end before the page comes back."""
    or_404(turns.turn(holder, turn_id))
    if "text/event-stream" not in http_request.headers.get("Accept", ""):
        _exhaust(holder, turn_id)
        return redirect("web:turn", turn_id)
    if ledger.on_hold():  # before the stream begins, which could not say it
        raise ledger.OnHold
    get_token(http_request)  # before the headers leave: the finished page has forms
    return sse.response(streamed(lambda: _events(http_request, holder, turn_id)))


@require_POST
@for_holder
def without(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> HttpResponse:
    """*Leave out*: a new turn without this memory. The earlier answer stays in the ledger."""
    memory_id = or_404(untyped("mem", http_request.POST.get("memory")))
    again = turns.without(holder, turn_id, memory_id, utc_now(), shown(http_request, holder))
    if isinstance(again, Refused):
        return back(http_request, again, _address(turn_id))
    if not _scripted(http_request):
        _exhaust(holder, again.turn_id)
    return redirect("web:turn", again.turn_id)


def _events(http_request: HttpRequest, holder: Holder, turn_id: UUID) -> Iterator[str]:
    """The answer's pieces as text, then the finished page in place of them."""
    for event in turns.answer(holder, turn_id, utc_now()):
        if isinstance(event, turns.Delta):
            yield sse.message(f"<span>{escape(event.text)}</span>")
        else:
            context = {"lines": newest(holder, TAPE_LINES), **conversation(holder, event.turn)}
            yield sse.message(render_to_string("web/turn/_finished.html", context, http_request))


def _exhaust(holder: Holder, turn_id: UUID) -> None:
    for _ in turns.answer(holder, turn_id, utc_now()):
        pass


def _scripted(http_request: HttpRequest) -> bool:
    """Did the page's script send this? Then it will ask for the answer itself, and show it as it comes."""
    return http_request.POST.get("script") == "1"


def _ids(http_request: HttpRequest) -> list[UUID]:
    """The memories chosen on a card: those ticked, and those whose choice says *give*."""
    ticked = [untyped("mem", each) for each in http_request.POST.getlist("give")]
    chosen = [untyped("mem", name) for name, value in http_request.POST.items() if value == "give"]
    return [each for each in (*ticked, *chosen) if each]


def _address(turn_id: UUID) -> str:
    return f"/chat/trn_{turn_id.hex}"
