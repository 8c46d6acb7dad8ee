"""`/ledger` and `/receipts/…`: who was told what, line by line, to read, to filter and to take away."""

import csv
import io
import json
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger_services
from apps.policy.ids import typed
from apps.policy.roles import Deed
from apps.policy.text import inert, visible
from apps.policy.types import Holder, Receipt
from apps.turns import services as turns
from apps.web.doors import for_holder, json_file, or_404, page
from apps.web.forms import number_of
from apps.web.ledger_forms import LedgerFilter
from apps.web.lines import lines, names_of
from apps.web.templatetags.muniment import zone_named
from vault.clock import utc_now

PAGE = 50
MOST_DOWNLOADED = 20_000
MOST_DIGESTS = 16  # of the lines between a receipt and its leaf, as the page shows them; its file has all
COLUMNS = ("no", "time_utc", "kind", "what", "who", "how", "why", "category", "form", "purpose", "memory", "digest")


def filtered(http_request: HttpRequest, holder: Holder) -> tuple[LedgerFilter, dict[str, Any], str]:
    """The page's filter form, the query it stands for (none while it has an error), and the zone of its times."""
    # The chat is not among them for who acts for the holder: it is there once it was used, for whatever question.
    known = access.names(holder.vault_id, holder.actor)
    others = {typed("cli", each.client_id) for each in access.clients(holder)}
    assistants = {tid: visible(name) for tid, name in known.items() if not holder.acting or tid in others}
    form = LedgerFilter(http_request.GET, assistants=assistants)
    valid = form.is_valid()
    zone = form.zone(holder.time_zone)
    return form, form.query(zone_named(zone)) if valid else {}, zone


@require_safe
@for_holder
def ledger(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The ledger, newest first, fifty lines a page."""
    holders.ask(holder, Deed.FOLLOW)
    form, query, zone = filtered(http_request, holder)
    before = number_of(http_request.GET.get("before", ""))
    found = turns.receipts(holder, limit=PAGE + 1, before=before, **query)
    shown = lines(found[:PAGE], names_of(holder))
    chosen = {name: value for name, value in http_request.GET.items() if value and name in form.fields}
    return page(
        http_request,
        "ledger.html",
        form=form,
        lines=shown,
        zone=zone,
        now=utc_now(),
        newest=turns.last_number(holder),
        before=before,
        older=shown[-1].seq if len(found) > PAGE else None,
        query=urlencode(chosen),
        filters=bool(query),
        most=MOST_DOWNLOADED,
    )


@require_safe
@for_holder
def download(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """The filtered lines as CSV: times in UTC, and no cell that a spreadsheet would run."""
    holders.ask(holder, Deed.TAKE)
    form, query, _ = filtered(http_request, holder)
    if form.errors:  # the page says which filter can't be used: no file of every line in its stead
        return redirect(f"{reverse('web:ledger')}?{http_request.GET.urlencode()}")
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(COLUMNS)
    for line in lines(_all(holder, query), names_of(holder)):
        r = line.receipt
        body = ledger_services.body_of(r)
        cells = (r.seq, body["time"], r.kind, line.what, line.who, line.how, line.why, r.category, r.form, r.purpose)
        rows.writerow([inert(cell) for cell in (*cells, body["memory"], r.digest.hex())])
    headers = {"Content-Disposition": 'attachment; filename="ledger.csv"'}
    return HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


def _all(holder: Holder, query: dict[str, Any]) -> list[Receipt]:
    """The receipts that a query finds, newest first: as many as a file may have, and a batch more at most."""
    found: list[Receipt] = []
    while len(found) < MOST_DOWNLOADED:
        batch = turns.receipts(holder, limit=1000, before=found[-1].seq if found else None, **query)
        found += batch
        if len(batch) < 1000:
            break
    return found


@require_safe
@for_holder
def receipt(http_request: HttpRequest, holder: Holder, seq: int) -> HttpResponse:
    """One receipt, printable: what its file says, and where it stands in the log. Whoever acts for the holder sees the
    line alone: the chain's numbers and digests would tell what is sealed from them.
    """
    holders.ask(holder, Deed.FOLLOW)
    found = or_404(turns.receipt(holder, seq))
    if not holders.may(holder, Deed.TAKE):
        return page(http_request, "receipt_line.html", line=lines([found], names_of(holder))[0])
    file = or_404(ledger_services.proof(holder.vault_id, holder.actor, seq))
    return page(
        http_request,
        "receipt.html",
        line=lines([found], names_of(holder))[0],
        file=file,
        most_digests=MOST_DIGESTS,
        logged=ledger_services.logged(file),
        body=sorted(file["receipt"].items()),
        canonical=json.dumps(file["receipt"], sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        newest=turns.last_number(holder),
    )


@require_safe
@for_holder
def receipt_file(http_request: HttpRequest, holder: Holder, seq: int) -> HttpResponse:
    """The receipt as a file that can be checked elsewhere, with its proof once it is in the log."""
    holders.ask(holder, Deed.TAKE)
    parts = or_404(ledger_services.proof(holder.vault_id, holder.actor, seq))
    return json_file(parts, f"rcp_{seq}.receipt.json")
