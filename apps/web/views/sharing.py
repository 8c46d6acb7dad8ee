"""`/shares`: links over a few memories; making one, what it was opened by, and stopping it."""

import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.shares import services as shares
from apps.turns import services as turns
from apps.web.doors import back, for_form, for_holder, or_404, page
from apps.web.lines import Names
from apps.web.share_forms import ShareForm
from apps.web.words import REFUSALS
from vault.clock import utc_now
from vault.tokens import share_address

NEW_LINKS = "new_links"


@require_safe
@for_holder
def listing(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Every share that is not forgotten yet, live ones first."""
    found = [(each, _labels(each), _people(each)) for each in shares.shares(holder, utc_now())]
    live = [each for each in found if each[0].state is shares.ShareState.LIVE]
    ended = [each for each in found if each[0].state is not shares.ShareState.LIVE]
    return page(http_request, "shares/list.html", live=live, ended=ended, bounds=shares.bounds(holder))


def _labels(found: shares.Shared) -> str:
    """What it carries, by its labels."""
    return ", ".join(each.memory.label if each.memory else "an erased memory" for each in found.lines)


def _people(found: shares.Shared) -> str:
    """Whom it is for, where anybody is named."""
    return ", ".join(each.name for each in found.share.links if each.name)


@for_form(Deed.SHARE)
def new(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Choose what goes out, see it as they would, and share it: one address for the three."""
    bounds = shares.bounds(holder)
    if bounds.hours_most == 0:
        return back(http_request, None, "/shares")
    chosen = {"memories": http_request.GET.getlist("memory")}  # of what is offered alone
    form = ShareForm(http_request.POST or None, initial=chosen, offered=shares.offered(holder), bounds=bounds)
    doing = http_request.POST.get("do", "preview")
    if doing == "edit" or not form.is_valid():
        return page(http_request, "shares/new.html", 400 if form.errors and doing != "edit" else 200, form=form)
    try:
        return _made(http_request, holder, form) if doing == "make" else _preview(http_request, holder, form, doing)
    except TextProblem as problem:
        form.blame(problem)
    return page(http_request, "shares/new.html", 400, form=form)


def _preview(http_request: HttpRequest, holder: Holder, form: ShareForm, doing: str) -> HttpResponse:
    """What they would see; what the memories say only after a press of its own, which is stamped. What
    would not be made is not looked at either.
    """
    terms = form.terms()
    shares.check(holder, **terms)
    found = shares.preview(holder, form.ids)
    if isinstance(found, Refused):
        return _refused(http_request, form, found)
    looked = turns.shown(holder, memories.show(holder, form.ids)) if doing == "show" else None
    values = {each.memory_id: each.value for each in looked.values} if looked else {}
    return page(
        http_request,
        "shares/preview.html",
        form=form,
        key=secrets.token_urlsafe(),
        terms=terms,
        values=[_as_opened(each, values.get(each.memory.memory_id)) for each in found.lines],
        shown=looked is not None,
        first=looked.first if looked else None,
        last=looked.last if looked else None,
    )


def _as_opened(line: shares.Line, value: str | None) -> shares.SharedValue:
    """A memory of a preview as it is handed over. `value` None: it was not looked at."""
    return shares.SharedValue(line.memory.label, line.form, value, line.memory.claim, line.memory.as_of)


def _made(http_request: HttpRequest, holder: Holder, form: ShareForm) -> HttpResponse:
    """Shared. Its links stand on the next page, once: until then they wait in the session's row. A second press of the
    same page is the first one sent again: it makes nothing more, and leads to the same links.
    """
    sent = form.sent(http_request.POST.get("key", ""))
    made = shares.make(holder, form.ids, utc_now(), **form.terms(), sent=sent)
    if isinstance(made, Refused):
        return _refused(http_request, form, made)
    http_request.session[NEW_LINKS] = {
        "share": made.share.share_id.hex,
        "links": [(each.link.name, each.link.address, share_address(each.token)) for each in made.links],
        "mailed": list(made.mailed),
    }
    return redirect("web:share-links")


def _refused(http_request: HttpRequest, form: ShareForm, refused: Refused) -> HttpResponse:
    form.add_error(None, REFUSALS[refused.reason].sentence)
    return page(http_request, "shares/new.html", 409, form=form)


@require_GET
@for_holder
def links(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The links just made. Looking takes them out of the session, so loading the page anew does not show them."""
    new_links: dict[str, Any] = http_request.session.pop(NEW_LINKS, {})
    found = shares.share(holder, UUID(new_links["share"]), utc_now()) if new_links else None
    if found is None:
        messages.warning(http_request, "A link is shown once. If it is lost, stop the share and make another.")
        return redirect("web:shares")
    return page(http_request, "shares/links.html", **new_links, share_id=found.share.share_id)


@require_safe
@for_holder
def share(http_request: HttpRequest, holder: Holder, share_id: UUID) -> HttpResponse:
    """One share: what it carries, for whom, and each opening."""
    now = utc_now()
    found = or_404(shares.share(holder, share_id, now))
    links = {each.link_id: each for each in found.share.links}
    openings = shares.openings(holder, share_id)
    mailed = shares.courses(holder, share_id)
    return page(
        http_request,
        "shares/share.html",
        found=found,
        share=found.share,
        live=found.state is shares.ShareState.LIVE,
        stops=shares.may_be_seen(found.share, openings, now),
        ended_at=_ended_at(found.share, now),
        made_by="" if found.share.made_by == holder.actor else _made_by(holder, found.share.made_by),
        people=[(each, mailed.get(each.recipient)) for each in found.share.links if each.name],
        openings=[(each, links[each.link_id].name) for each in openings],
        wrong=sum(each.wrong for each in found.share.links),
    )


@require_POST
@for_holder
def stop(http_request: HttpRequest, holder: Holder, share_id: UUID) -> HttpResponse:
    """Nobody opens it any more."""
    done = shares.stop(holder, share_id, utc_now())
    return back(http_request, done, f"/shares/{typed('shr', share_id)}", "Stopped. What was seen cannot be unseen.")


@require_POST
@for_holder
def stop_link(http_request: HttpRequest, holder: Holder, share_id: UUID, link_id: UUID) -> HttpResponse:
    """One of the people it is for opens it no more."""
    done = shares.stop_link(holder, share_id, link_id, utc_now())
    return back(http_request, done, f"/shares/{typed('shr', share_id)}", "Stopped for them. The others’ links hold.")


def _made_by(holder: Holder, actor: str) -> str:
    return Names({}, {}, {}, holders.acted(holder), holder).party(actor)


def _ended_at(found: shares.Share, now: datetime) -> datetime:
    """When it ended: by a press, because of wrong codes, when it was used up, or by its time."""
    return found.stopped_at or found.locked_at or found.ended_at or min(found.expires_at, now)
