"""`/grants`: the assistants, their keys, and what each may read until when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import ApiKey, Client, Grant, Holder, Refused
from apps.policy.vocabulary import GrantState
from apps.web.doors import back, for_form, for_holder, json_file, or_404, page
from apps.web.forms import RegisterForm, how_many
from apps.web.templatetags.muniment import left_already
from apps.web.words import HOW_LONG
from vault.clock import utc_now

NEW_KEY = "new_key"
HOLDS = (GrantState.LIVE, GrantState.PAUSED)
MOST_ENDED = 20


@dataclass(frozen=True, slots=True)
class Standing:
    """A grant as its holder sees it: the memories it covers by their labels, how it stands, how it may be shortened."""

    grant: Grant
    memories: tuple[tuple[UUID, str], ...]
    state: GrantState
    sooner: tuple[tuple[str, str], ...]

    @property
    def labels(self) -> str:
        return ", ".join(label for _, label in self.memories)

    @property
    def ended_at(self) -> datetime | None:
        """When it ended; None where its last read was the end of it."""
        grant = self.grant
        at = {
            GrantState.REVOKED: grant.revoked_at,
            GrantState.LAPSED: grant.lapsed_at,
            GrantState.EXPIRED: grant.expires_at,
        }
        return at.get(self.state)


@dataclass(frozen=True, slots=True)
class Assistant:
    """An assistant with its keys and grants, those that hold first."""

    client: Client
    keys: tuple[ApiKey, ...]
    holding: tuple[Standing, ...]
    ended: tuple[Standing, ...]
    handed: int
    last: datetime | None


@require_safe
@for_holder
def grants(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Every assistant, live ones first."""
    labels = {each.memory_id: each.outer_label for each in memories.memories(holder)}
    now, keys = utc_now(), access.keys(holder)
    standing = {each.grant_id: each for each in (*access.standing(holder, now), *access.grants(holder))}
    found = [_assistant(each, standing.values(), keys, labels, now) for each in access.clients(holder)]
    live = [each for each in found if each.client.revoked_at is None]
    stopped = [each for each in found if each.client.revoked_at is not None]
    return page(http_request, "grants.html", live=live, stopped=stopped, form=RegisterForm())


@for_form(Deed.CONNECT)
def register(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Register an assistant. Its key stands on the next page, once."""
    form = RegisterForm(http_request.POST or None)
    if form.is_valid():
        try:
            client, key = access.register(holder, now=utc_now(), **form.cleaned_data)
        except TextProblem as problem:
            form.blame(problem)
        else:
            return _to_key(http_request, client.client_id, key)
    return page(http_request, "register.html", 400 if form.errors else 200, form=form)


@require_POST
@for_holder
def make_key(http_request: HttpRequest, holder: Holder, client_id: UUID) -> HttpResponse:
    """Another key, shown once, to change keys without a gap."""
    made = access.make_key(holder, client_id, utc_now())
    if isinstance(made, Refused):
        return back(http_request, made, "/grants")
    return _to_key(http_request, client_id, made[1])


@require_GET
@for_holder
def key(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The key just made. Looking takes it out of the session, so loading the page anew neither shows nor makes one."""
    new: dict[str, str] = http_request.session.pop(NEW_KEY, {})
    client = next((each for each in access.clients(holder) if each.client_id.hex == new.get("client")), None)
    if client is None:
        messages.warning(http_request, "A key is shown once. If it is lost, make another and end the first.")
        return redirect("web:grants")
    return page(http_request, "key.html", client=client, key=new["key"], vault=typed("vlt", holder.vault_id))


@require_POST
@for_holder
def end_key(http_request: HttpRequest, holder: Holder, key_id: UUID) -> HttpResponse:
    """End one key; the assistant's others go on."""
    ended = access.revoke_key(holder, key_id, utc_now())
    return back(http_request, ended, "/grants", "Key ended. It opens nothing from now on.")


@require_POST
@for_holder
def pause(http_request: HttpRequest, holder: Holder, client_id: UUID) -> HttpResponse:
    """Make an assistant's grants inert, or let them hold again."""
    paused = http_request.POST.get("do") == "pause"
    moved = access.pause(holder, client_id, paused)
    said = "Paused. It reads nothing until you resume it." if paused else "Resumed. What it was allowed holds again."
    return back(http_request, moved, "/grants", said, anchor=typed("cli", client_id))


@require_POST
@for_holder
def local(http_request: HttpRequest, holder: Holder, client_id: UUID) -> HttpResponse:
    """Say that an assistant runs at home, or that it does not any more."""
    at_home = http_request.POST.get("do") == "local"
    marked = access.mark_local(holder, client_id, at_home)
    done = "Marked as running at home. What stays at home may go to it, if it is allowed."
    undone = "No longer marked as running at home. What stays at home does not go to it."
    return back(http_request, marked, "/grants", done if at_home else undone, anchor=typed("cli", client_id))


@require_POST
@for_holder
def stop_client(http_request: HttpRequest, holder: Holder, client_id: UUID) -> HttpResponse:
    """End an assistant with its keys and grants."""
    before = access.grants(holder, client_id=client_id)
    stopped = access.revoke(holder, client_id, utc_now())
    last = max((each.last_used_at for each in before if each.last_used_at), default=None)
    left = left_already(sum(each.reads_done for each in before), "to it", last, holder.time_zone)
    return back(http_request, stopped, "/grants", f"Stopped. Its keys and all it was allowed ended with it. {left}")


@require_POST
@for_holder
def stop_grant(http_request: HttpRequest, holder: Holder, grant_id: UUID) -> HttpResponse:
    """End one grant: no further reads on it, and what left already is not pulled back."""
    stopped = access.revoke_grant(holder, grant_id, utc_now())
    done = "Stopped. No further reads."
    if isinstance(stopped, Grant):
        done += f" {left_already(stopped.reads_done, 'on it', stopped.last_used_at, holder.time_zone)}"
    return back(http_request, stopped, "/grants", done)


@require_safe
@for_holder
def consent(http_request: HttpRequest, holder: Holder, grant_id: UUID) -> HttpResponse:
    """The consent record of one grant, as a file to keep."""
    record = or_404(access.consent_record(holder, grant_id, utc_now()))
    return json_file(record, f"{typed('gra', grant_id)}.consent.json")


@require_POST
@for_holder
def narrow(http_request: HttpRequest, holder: Holder, grant_id: UUID) -> HttpResponse:
    """Make one grant less, on the terms that the page showed."""
    found, sent, now = or_404(access.grant(holder, grant_id)), http_request.POST, utc_now()
    try:
        wish = _narrower(found, sent.get("until", ""), sent.get("reads", ""), sent.getlist("keep"), now)
        terms = how_many(sent.get("terms", ""), "terms", most=99_999_999)
    except TextProblem as problem:
        messages.warning(http_request, problem.detail)
        return redirect(f"/grants#{typed('gra', grant_id)}")
    narrowed = access.narrow(holder, grant_id, wish, now, terms_version=terms)
    said = "Less from now on." if narrowed != found else "Nothing was changed."
    return back(http_request, narrowed, "/grants", said, anchor=typed("gra", grant_id))


def _narrower(found: Grant, until: str, reads: str, keep: Iterable[str], now: datetime) -> access.Narrower:
    """What was chosen. Of a grant over one memory nothing can be taken off; of another, not everything."""
    if until and until not in HOW_LONG:
        raise TextProblem("until", "Choose one of the lengths that are offered.")
    kept = frozenset(each for text in keep if (each := untyped("mem", text)))
    if len(found.memory_ids) > 1 and not kept:
        raise TextProblem("keep", "Nothing was changed. To take off everything, stop it.")
    return access.Narrower(
        until=now + HOW_LONG[until][1] if until else None,
        reads=how_many(reads, "reads"),
        memory_ids=kept or None,
    )


def _to_key(http_request: HttpRequest, client_id: UUID, key: str) -> HttpResponse:
    """To the page that shows the key. Until then it waits in the session's row, never in a cookie or an address."""
    http_request.session[NEW_KEY] = {"client": client_id.hex, "key": key}
    return redirect("web:key")


def _assistant(
    client: Client, grants: Iterable[Grant], keys: Iterable[ApiKey], labels: Mapping[UUID, str], now: datetime
) -> Assistant:
    standing = [_standing(each, labels, now) for each in grants if each.client_id == client.client_id]
    ended = [each for each in standing if each.state not in HOLDS]
    return Assistant(
        client,
        tuple(each for each in keys if each.client_id == client.client_id),
        tuple(each for each in standing if each.state in HOLDS),
        tuple(ended[:MOST_ENDED]),
        sum(each.grant.reads_done for each in standing),
        max((each.grant.last_used_at for each in standing if each.grant.last_used_at), default=None),
    )


def _standing(grant: Grant, labels: Mapping[UUID, str], now: datetime) -> Standing:
    named = [(memory_id, labels.get(memory_id, "an erased memory")) for memory_id in grant.memory_ids]
    return Standing(
        grant,
        tuple(sorted(named, key=lambda each: (each[1], each[0]))),
        access.state_of(grant, now),
        tuple((key, said) for key, (said, length) in HOW_LONG.items() if now + length < grant.expires_at),
    )
