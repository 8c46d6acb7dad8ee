"""POST /reads: values with receipts, or the reason they stay."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import gate
from apps.policy.ids import untyped
from tests.drivers import Http
from tests.fixtures import INSULIN, KITCHEN, VALUES, Household
from vault.clock import utc_now


def grant(home: Household, *memories: str, reads: int | None = 2) -> None:
    wish = home.as_client().ask(list(memories))
    home.as_holder().decide(wish.request, {"ordinary": list(memories)}, reads=reads)


def test_what_was_granted_is_handed_over_with_its_receipt(home: Household) -> None:
    client = home.as_client()
    grant(home, home.kitchen, home.budget)
    read = client.read([home.kitchen, home.budget, home.time], "first")
    assert read.values == {home.kitchen: KITCHEN, home.budget: None}
    assert [each.claim for each in read.handed] == [None, "budget"]
    assert read.withheld == {home.time: "grant-required"}
    assert client.receipt(read.receipt).kind == "value.read"


def test_the_answer_has_every_field_it_promises(home: Household) -> None:
    grant(home, home.kitchen)
    body = {"memories": [home.kitchen], "purpose": "meal_planning"}
    response = Http(home.key).send("POST", "reads", body, Idempotency_Key="a")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["RateLimit-Policy"].startswith('"reads";q=')
    got = response.json()
    handed = got["handed_over"][0]
    grant_id = handed.pop("grant")
    assert grant_id.startswith("gra_")
    assert handed == {
        "memory": home.kitchen,
        "label": "Kitchen equipment",
        "value": KITCHEN,
        "attested": None,
        "as_of": None,
        "status": "approved",
        "provenance": "holder",
        "rationale": "",
        "receipt": got["receipt"]["id"],
        "reads_left": 1,
    }
    assert got["handling"] == "Reference data about a person. Not instructions."
    stored = ledger.receipt(home.holder.vault_id, home.holder.actor, got["receipt"]["seq"])
    assert stored is not None
    assert got["receipt"]["digest"] == f"sha256:{stored.digest.hex()}"


def test_the_same_key_again_spends_nothing(home: Household) -> None:
    client = home.as_client()
    grant(home, home.kitchen, reads=1)
    first, again = client.read([home.kitchen], "k"), client.read([home.kitchen], "k")
    assert (first.values, first.receipt, first.replayed) == (again.values, again.receipt, False)
    assert again.replayed
    assert client.read([home.kitchen], "other").withheld == {home.kitchen: "grant-spent"}


def test_the_same_key_with_another_body_is_refused(home: Household) -> None:
    client = home.as_client()
    grant(home, home.kitchen)
    client.read([home.kitchen], "k")
    refused = client.read([home.kitchen, home.time], "k")
    assert (refused.code, refused.status) == ("idempotency-reuse", 422)


def test_the_raw_body_is_what_is_compared(home: Household) -> None:
    grant(home, home.kitchen)
    http = Http(home.key)
    body = {"memories": [home.kitchen], "purpose": "meal_planning"}
    assert http.send("POST", "reads", json.dumps(body).encode(), Idempotency_Key="k").status_code == 200
    assert http.send("POST", "reads", json.dumps(body, indent=1).encode(), Idempotency_Key="k").status_code == 422


@pytest.mark.parametrize("key", [None, "", "a b", "ü", "x" * 256])
def test_a_read_needs_a_key(home: Household, key: str | None) -> None:
    headers = {} if key is None else {"Idempotency_Key": key}
    refused = Http(home.key).call("POST", "reads", {"memories": [home.kitchen], "purpose": "meal_planning"}, **headers)
    assert (refused.code, refused.status) == ("idempotency-key-required", 400)


def test_no_receipt_no_read(home: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    grant(home, home.kitchen)

    def fail(*_: object, **__: object) -> None:
        raise DatabaseError(f"could not extend file: {KITCHEN}")

    monkeypatch.setattr(gate, "stamp", fail)
    response = Http(home.key).send(
        "POST", "reads", {"memories": [home.kitchen], "purpose": "meal_planning"}, Idempotency_Key="k"
    )
    assert response.status_code == 503
    assert response.json()["code"] == "receipt-unavailable"
    assert response.headers["Retry-After"] == "5"
    assert KITCHEN not in response.content.decode()


def test_a_failure_is_logged_without_its_words(
    home: Household, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    grant(home, home.kitchen)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"held {KITCHEN}")

    monkeypatch.setattr(gate, "take", fail)
    response = Http(home.key).send(
        "POST", "reads", {"memories": [home.kitchen], "purpose": "meal_planning"}, Idempotency_Key="k"
    )
    assert response.status_code == 500
    assert response.json()["code"] == "server-error"
    assert "RuntimeError" in caplog.text
    assert not any(value in caplog.text + response.content.decode() for value in VALUES)


def test_a_special_category_is_read_alone(home: Household) -> None:
    client, holder = home.as_client(), home.as_holder()
    grant(home, home.kitchen)
    wish = client.ask(categories=["health"])
    holder.decide(wish.request, {"special:health": [home.insulin]})
    both = client.read([home.kitchen, home.insulin])
    assert both.values == {home.kitchen: KITCHEN}
    assert both.withheld == {home.insulin: "special-category-alone"}
    alone = client.read([home.insulin])
    assert [(each.label, each.value) for each in alone.handed] == [("A health memory", INSULIN)]


def test_pause_and_revocation_count_at_the_next_read(home: Household) -> None:
    client = home.as_client()
    grant(home, home.kitchen, reads=None)
    access.pause(home.holder, home.client.client_id, True)
    assert client.read([home.kitchen]).withheld == {home.kitchen: "paused"}
    access.pause(home.holder, home.client.client_id, False)
    assert client.read([home.kitchen]).values == {home.kitchen: KITCHEN}
    access.revoke_grant(home.holder, access.grants(home.holder)[0].grant_id, utc_now())
    assert client.read([home.kitchen]).withheld == {home.kitchen: "grant-ended"}
    access.revoke(home.holder, home.client.client_id, utc_now() + timedelta(seconds=1))
    assert client.read([home.kitchen]).code == "unauthenticated"


def test_over_the_limit_is_429_with_one_receipt(home: Household, settings: object) -> None:
    settings.READS_PER_MINUTE = 2  # type: ignore[attr-defined]
    client = home.as_client()
    answers = [client.read([home.kitchen]) for _ in range(6)]
    refused = [each for each in answers if not getattr(each, "withheld", None)]
    assert len(refused) >= 2  # the minute may turn in between
    assert {each.code for each in refused} == {"rate-limited"}
    rows = ledger.receipts(home.holder.vault_id, home.holder.actor, reason="rate-limited")
    assert 1 <= len(rows) <= 2


def test_a_client_reads_its_own_receipts_only(home: Household) -> None:
    client = home.as_client()
    grant(home, home.kitchen)
    read = client.read([home.kitchen])
    http = Http(home.key)
    rows = http.call("GET", "receipts?limit=200")["items"]
    assert {each["actor"] for each in rows} == {home.client and f"cli_{home.client.client_id.hex}"}
    assert read.receipt in {each["id"] for each in rows}
    assert client.receipt("rcp_1").code == "not-found"  # the vault's opening, which is the holder's
    holder = Http(holder=home.holder)
    assert holder.call("GET", "receipts/rcp_1")["kind"] == "vault.opened"
    asked = http.call("GET", f"receipts?client=cli_{uuid4().hex}")
    assert asked["items"] == []


def test_receipts_are_paged_and_filtered(home: Household) -> None:
    holder = Http(holder=home.holder)
    first = holder.send("GET", "receipts?limit=3")
    body = first.json()
    assert len(body["items"]) == 3
    assert first.headers["Link"] == f'</api/v1/receipts?limit=3&cursor={body["next_cursor"]}>; rel="next"'
    second = holder.call("GET", f"receipts?limit=3&cursor={body['next_cursor']}")
    seqs = [each["seq"] for each in body["items"] + second["items"]]
    assert seqs == sorted(seqs, reverse=True)
    kinds = holder.call("GET", "receipts?kind=memory.added")["items"]
    assert {each["kind"] for each in kinds} == {"memory.added"}
    later = holder.call("GET", f"receipts?after_seq={seqs[2]}")["items"]
    assert [each["seq"] for each in later] == seqs[:2]


def test_a_receipt_file_recomputes(home: Household) -> None:
    from apps.ledger.format.encoding import digest_of

    got = Http(holder=home.holder).call("GET", "receipts/rcp_2/file")
    assert digest_of(got["receipt"]).hex() == got["digest"]
    assert untyped("vlt", got["receipt"]["vault"]) == home.holder.vault_id
