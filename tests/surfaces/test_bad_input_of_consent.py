"""What cannot be meant is refused by its name, on each surface, and decides nothing: terms, ids, keys, second presses,
old versions, and moments written in other zones.
"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
import pytest

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.types import Grant
from apps.web.ledger_forms import LedgerFilter
from tests.drivers import Http
from tests.fixtures import Household
from tests.holders.people import newcomer
from tests.surfaces.web import browser, text_of
from tests.threads import at_once
from vault.clock import utc_now

NOBODY = "0" * 32


def given(home: Household, **terms: Any) -> Grant:
    wish = home.as_client().ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]}, **terms)
    return access.grants(home.holder)[0]


# ---------------------------------------------------------------- terms
@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("ttl_seconds", 0),
        ("ttl_seconds", -1),
        ("ttl_seconds", 59),
        ("ttl_seconds", 366 * 86_400 + 1),
        ("ttl_seconds", "soon"),
        ("ttl_seconds", 10**30),
        ("max_reads", 0),
        ("max_reads", -5),
        ("max_reads", 100_001),
        ("max_reads", "many"),
    ],
)
def test_a_wish_for_impossible_terms_is_named_and_not_filed(home: Household, field: str, sent: Any) -> None:
    body = {"items": [{"memory": home.kitchen}], "purpose": "care", field: sent}
    answer = Http(home.key).send("POST", "access-requests", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation")
    assert [each["pointer"] for each in answer.json()["errors"]] == [f"/{field}"]
    assert access.waiting(home.holder, utc_now()) == ()


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"ttl_seconds": 0}, "ttl_seconds"),
        ({"ttl_seconds": -60}, "ttl_seconds"),
        ({"max_reads": 0}, "max_reads"),
        ({"max_reads": -1}, "max_reads"),
    ],
    ids=str,
)
def test_over_mcp_too(home: Household, server: str, terms: dict[str, int], field: str) -> None:
    said = home.as_mcp(server).call("request_access", memories=[home.kitchen], purpose="care", **terms)
    assert said.code == "validation"
    assert access.waiting(home.holder, utc_now()) == ()


@pytest.mark.parametrize(
    "sent",
    [
        {"until": "2020-01-01T00:00:00Z"},
        {"until": "2020-01-01T00:00:00+05:30"},
        {"until": "2999-01-01T00:00:00Z"},
        {"until": "tomorrow"},
        {"reads": 0},
        {"reads": -1},
        {"reads": 100_001},
    ],
    ids=str,
)
def test_a_decision_for_impossible_terms_decides_nothing(home: Household, sent: dict[str, Any]) -> None:
    wish = home.as_client().ask([home.kitchen])
    body = {"parts": [{"part": "ordinary", "memories": [home.kitchen], **sent}]}
    answer = Http(holder=home.holder).send("POST", f"access-requests/{wish.request}/decision", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation")
    assert access.grants(home.holder) == ()
    assert len(access.waiting(home.holder, utc_now())) == 1


# ---------------------------------------------------------------- ids and keys
def test_an_unknown_client_and_a_foreign_one_are_not_there(home: Household, settle: Any) -> None:
    other = settle()
    for client in (f"cli_{NOBODY}", typed("cli", other.client.client_id), "cli_x", "nonsense"):
        for deed in ("revoke", "pause", "resume"):
            assert Http(holder=home.holder).send("POST", f"clients/{client}/{deed}").status_code == 404, (client, deed)
        for deed in ("pause", "stop", "key"):
            assert browser(home.holder).post(f"/grants/{client}/{deed}").status_code == 404, (client, deed)
    assert other.as_client().subjects()


def test_a_foreign_vault_is_no_seat_whoever_asks(home: Household) -> None:
    otto = newcomer("Otto")
    there = {"Muniment-Seat": typed("vlt", home.holder.vault_id)}
    never = {"Muniment-Seat": f"vlt_{NOBODY}"}
    for path in ("me", "memories", "grants", "access-requests", "receipts"):
        foreign, unknown = (Http(holder=otto).send("GET", path, **headers) for headers in (there, never))
        assert (foreign.status_code, foreign.content) == (404, unknown.content), path


def test_a_revoked_key_is_out_at_the_very_next_request_on_rest_and_mcp(home: Household, server: str) -> None:
    given(home, reads=9)
    rest, over_mcp = home.as_client(), home.as_mcp(server)
    assert rest.read([home.kitchen]).values and over_mcp.read([home.kitchen]).values
    (key,) = access.keys(home.holder)
    assert Http(holder=home.holder).send("POST", f"keys/{typed('key', key.key_id)}/revoke").status_code == 200
    for path, method in (("subjects", "GET"), ("grants", "GET"), ("access-requests", "POST"), ("reads", "POST")):
        answer = Http(home.key).send(method, path, {}, Idempotency_Key="x")
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), path
    bearer = {"Authorization": f"Bearer {home.key}"}
    door = f"{server}/mcp/{typed('vlt', home.holder.vault_id)}"
    assert httpx2.post(door, headers=bearer, json={}).status_code == 401
    assert access.grants(home.holder)[0].reads_done == 2


# ---------------------------------------------------------------- twice, at once, and late
def test_the_second_decision_is_409_on_rest_and_said_on_the_page(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    body = {"parts": [{"part": "ordinary", "memories": [home.kitchen]}]}
    path = f"access-requests/{wish.request}/decision"
    assert Http(holder=home.holder).send("POST", path, body).status_code == 200
    for again in (body, {"parts": [{"part": "ordinary", "allow": False}]}):
        answer = Http(holder=home.holder).send("POST", path, again)
        assert (answer.status_code, answer.json()["code"]) == (409, "already-decided")
    page = text_of(
        browser(home.holder).post(f"/requests/{wish.request}/decide", {"part": "ordinary", "do": "deny"}, follow=True)
    )
    assert "This was decided before, so nothing has changed." in page
    assert len(access.grants(home.holder)) == 1


def test_a_tab_and_a_program_decide_at_once_and_exactly_one_wins(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    body = {"parts": [{"part": "ordinary", "memories": [home.kitchen]}]}
    tabs = [browser(home.holder) for _ in range(2)]
    form = {"part": "ordinary", "do": "allow", "give": [home.kitchen]}
    done = at_once(
        [
            *(
                lambda tab=tab: (
                    "decided before" not in text_of(tab.post(f"/requests/{wish.request}/decide", form, follow=True))
                )
                for tab in tabs
            ),
            lambda: (
                Http(holder=home.holder).send("POST", f"access-requests/{wish.request}/decision", body).status_code
                == 200
            ),
        ]
    )
    assert sorted(map(bool, done)) == [False, False, True]
    assert len(access.grants(home.holder)) == 1


def test_a_stale_etag_is_412_and_none_is_428(home: Household) -> None:
    path = f"grants/{typed('gra', given(home, reads=5).grant_id)}"
    holder = Http(holder=home.holder)
    etag = holder.send("GET", path).headers["ETag"]
    assert holder.send("PATCH", path, {"reads": 3}, If_Match=etag).status_code == 200
    stale = holder.send("PATCH", path, {"reads": 2}, If_Match=etag)
    assert (stale.status_code, stale.json()["code"]) == (412, "precondition-failed")
    assert holder.send("PATCH", path, {"reads": 2}).status_code == 428
    assert access.grants(home.holder)[0].reads_left == 3


# ---------------------------------------------------------------- clocks
@pytest.mark.parametrize("hours", [5.5, 14, -11, 0])
def test_a_moment_is_the_same_in_whichever_zone_it_is_written(home: Household, hours: float) -> None:
    path = f"grants/{typed('gra', given(home, reads=5).grant_id)}"
    holder = Http(holder=home.holder)
    until = (utc_now() + timedelta(hours=3)).replace(microsecond=0)
    written = until.astimezone(timezone(timedelta(hours=hours))).isoformat()
    done = holder.send("PATCH", path, {"until": written}, If_Match=holder.send("GET", path).headers["ETag"])
    assert done.status_code == 200
    assert access.grants(home.holder)[0].expires_at == until


@pytest.mark.parametrize(
    ("zone", "day", "begins", "hours"),
    [
        ("Europe/Lisbon", "2026-03-29", datetime(2026, 3, 29, 0, tzinfo=UTC), 23),  # the clock goes forward
        ("Europe/Lisbon", "2026-10-25", datetime(2026, 10, 24, 23, tzinfo=UTC), 25),  # and back
        ("America/Santiago", "2026-09-06", datetime(2026, 9, 6, 4, tzinfo=UTC), 23),  # there is no midnight that day
        ("Asia/Kolkata", "2026-03-29", datetime(2026, 3, 28, 18, 30, tzinfo=UTC), 24),
        ("Pacific/Kiritimati", "2026-03-29", datetime(2026, 3, 28, 10, tzinfo=UTC), 24),
    ],
)
def test_a_day_of_the_ledger_is_a_day_where_its_reader_lives(zone: str, day: str, begins: datetime, hours: int) -> None:
    form = LedgerFilter({"start": day, "end": day}, assistants={})
    assert form.is_valid()
    query = form.query(ZoneInfo(zone))
    start, end = (query[name].astimezone(UTC) for name in ("start", "end"))
    assert (start, end - start) == (begins, timedelta(hours=hours))


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Pacific/Kiritimati", "Europe/Lisbon"])
def test_a_day_from_now_is_twenty_four_hours_wherever_one_lives(home: Household, zone: str) -> None:
    client = browser(home.holder)
    client.post("/you", {"name": "Ines", "time_zone": zone})
    wish = home.as_client().ask([home.kitchen])
    form = {"part": "ordinary", "do": "allow", "give": [home.kitchen], "until": "day"}
    before = utc_now()
    client.post(f"/requests/{wish.request}/decide", form)
    (grant,) = access.grants(home.holder)
    assert timedelta(0) <= grant.expires_at - timedelta(days=1) - before < timedelta(seconds=30)
    shown = grant.expires_at.astimezone(ZoneInfo(zone))
    assert f"{shown:%H:%M} {shown:%Z}" in text_of(client.get("/grants"))
