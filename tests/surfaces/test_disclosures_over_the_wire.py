"""The disclosure report as it is taken away: JSON over REST and CSV on the page say the same."""

import csv
import io
from typing import Any

from apps.access import services as access
from apps.policy.disclosure import COLUMNS
from tests.drivers import No
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


def read_twice(home: Household) -> None:
    home.as_holder().decide(home.as_client().ask([home.kitchen]).request, {"ordinary": [home.kitchen]}, reads=None)
    for _ in range(2):
        home.as_client().read([home.kitchen])


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_table_and_the_json_are_one_report(home: Household) -> None:
    read_twice(home)
    client, http = browser(home.holder), home.as_holder().http
    page = text_of(client.get("/ledger"))
    assert 'href="/ledger/disclosures.csv"' in page
    assert 'href="/ledger/disclosures.csv?roll_up=1"' in page
    for web, rest, lines in (("", "", 2), ("?roll_up=1", "?roll_up=true", 1)):
        answer = client.get(f"/ledger/disclosures.csv{web}")
        told = table(text_of(answer))
        assert told == http.call("GET", f"ledger/disclosures{rest}")["items"]
        assert len(told) == lines
        assert tuple(told[0]) == COLUMNS
    assert answer["Content-Disposition"] == 'attachment; filename="disclosures.csv"'


def test_no_cell_is_run_by_a_spreadsheet(home: Household) -> None:
    client, key = access.register(home.holder, name="=cmd()|evil", now=utc_now())
    evil: Any = Household(home.holder, client, key, home.kitchen, home.time, home.budget, home.insulin)
    read_twice(evil)
    assert {each["recipient_name"] for each in table(text_of(browser(home.holder).get("/ledger/disclosures.csv")))} == {
        "'=cmd()|evil"
    }


def test_an_empty_one_has_its_columns_and_another_s_is_never_in_it(home: Household, settle: Any) -> None:
    read_twice(home)
    other = settle()
    text = text_of(browser(other.holder).get("/ledger/disclosures.csv"))
    assert text.strip().split(",") == list(COLUMNS)
    assert other.as_holder().http.call("GET", "ledger/disclosures") == {"items": []}
    assert home.as_client().http.call("GET", "ledger/disclosures") == No("holder-only", 403)


def test_a_span_that_is_no_time_is_said_to_be_none(home: Household) -> None:
    http = home.as_holder().http
    assert http.call("GET", "ledger/disclosures?from=yesterday") == No("validation", 422)
    assert http.call("GET", "ledger/disclosures?since=2026-01-01T00:00:00Z") == No("unknown-parameter", 400)
