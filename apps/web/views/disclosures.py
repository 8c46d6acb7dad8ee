"""`/ledger/disclosures.csv`: who was told what, as a table for whoever is to be given an accounting."""

import csv
import io

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.policy.disclosure import COLUMNS
from apps.policy.text import inert
from apps.policy.types import Holder
from apps.turns import services as turns
from apps.web.doors import for_holder
from vault.clock import utc_now


@require_safe
@for_holder
def download(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """All of it, six years back; with `roll_up=1`, what differs in nothing but its time as one line."""
    found = turns.disclosures(holder, utc_now(), roll_up=http_request.GET.get("roll_up") == "1")
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(COLUMNS)
    for each in found:
        cells = each.cells()
        rows.writerow([inert(cells[name]) for name in COLUMNS])
    headers = {"Content-Disposition": 'attachment; filename="disclosures.csv"'}
    return HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)
