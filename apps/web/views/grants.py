"""`/grants`: the assistants, their keys, and what each may read until when."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST, require_safe

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.text import TextProblem
from apps.policy.types import ApiKey, Client, Grant, Holder, Refused
from apps.policy.vocabulary import ReceiptKind
from apps.web.doors import back, for_form, for_holder, page
from apps.web.forms import RegisterForm
from apps.web.words import MOST_COUNTED
from vault.clock import utc_now

NEW_KEY = "new_key"


@dataclass(frozen=True, slots=True)
class Standing:
    """A grant as its holder sees it: the labels it covers, how often it was used, whether it still holds."""

    grant: Grant
    labels: str
    handed: int
    holds: bool


@dataclass(frozen=True, slots=True)
class Assistant:
    """An assistant with its keys and grants, those that hold first."""

    client: Client
    keys: tuple[ApiKey, ...]
    holding: tuple[Standing, ...]
    ended: tuple[Standing, ...]
    handed: int


@require_safe
@for_holder
def grants(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Every assistant, live ones first."""
    labels = {each.memory_id: each.outer_label for each in memories.memories(holder)}
    standing, keys = access.grants(holder), access.keys(holder)
    found = [_assistant(holder, each, standing, keys, labels) for each in access.clients(holder)]
    live = [each for each in found if each.client.revoked_at is None]
    stopped = [each for each in found if each.client.revoked_at is not None]
    return page(http_request, "grants.html", live=live, stopped=stopped, form=RegisterForm())


@for_form
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
    said = "Paused. It reads nothing until you resume it." if paused else "Resumed. What you had allowed holds again."
    return back(http_request, moved, "/grants", said, anchor=typed("cli", client_id))


@require_POST
@for_holder
def stop_client(http_request: HttpRequest, holder: Holder, client_id: UUID) -> HttpResponse:
    """End an assistant with its keys and grants."""
    stopped = access.revoke(holder, client_id, utc_now())
    return back(http_request, stopped, "/grants", "Stopped. Its keys and all you had allowed it ended with it.")


@require_POST
@for_holder
def stop_grant(http_request: HttpRequest, holder: Holder, grant_id: UUID) -> HttpResponse:
    """End one grant: no further reads on it."""
    stopped = access.revoke_grant(holder, grant_id, utc_now())
    return back(http_request, stopped, "/grants", "Stopped. No further reads.")


def _to_key(http_request: HttpRequest, client_id: UUID, key: str) -> HttpResponse:
    """To the page that shows the key. Until then it waits in the session's row, never in a cookie or an address."""
    http_request.session[NEW_KEY] = {"client": client_id.hex, "key": key}
    return redirect("web:key")


def _assistant(
    holder: Holder, client: Client, grants: Iterable[Grant], keys: Iterable[ApiKey], labels: Mapping[UUID, str]
) -> Assistant:
    actor, now = typed("cli", client.client_id), utc_now()
    read = ledger.receipts(
        holder.vault_id, holder.actor, limit=MOST_COUNTED, actor=actor, kind=ReceiptKind.VALUE_READ.value
    )
    used = Counter(each.object for each in read)
    standing = [
        Standing(
            each,
            ", ".join(sorted(labels.get(memory_id, "an erased memory") for memory_id in each.memory_ids)),
            used[typed("gra", each.grant_id)],
            each.revoked_at is None and each.expires_at > now and each.reads_left != 0 and not client.revoked_at,
        )
        for each in grants
        if each.client_id == client.client_id
    ]
    return Assistant(
        client,
        tuple(each for each in keys if each.client_id == client.client_id),
        tuple(each for each in standing if each.holds),
        tuple(each for each in standing if not each.holds),
        len(read),
    )
