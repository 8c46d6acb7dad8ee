"""A consent record leads to the very notice that was read: a space may settle another, never change one afterwards.

Protects the person from a gentler text, or a harder one, in the place of what stood above the button.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import pytest
from django.db import connections
from django.db.utils import DatabaseError
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.access import services as access
from apps.holders import services as holders
from apps.policy.ids import typed
from tests.cast import Vault, register
from tests.clinics import Clinic
from tests.drivers import Http
from tests.holders.people import settle
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now

NOTICES = st.sampled_from(["", "Ask at the desk.", "We sell nothing.\nWe keep nothing.", "Größe: 100 €."])
STEPS = st.lists(st.tuples(NOTICES, st.booleans()), min_size=1, max_size=5)  # settle this; decide before or after


@dataclass(frozen=True)
class Page:
    """A request's page as a person read it: where it is decided, and what its form carries."""

    client: Client
    wish: str
    form: dict[str, str]
    text: bytes


def opened(leo: Vault) -> Page:
    """The page of a new assistant's request, with the words above its buttons as a browser shows them."""
    by, client = register(leo, "Carebot"), browser(leo.holder)
    wish = typed("req", by.ask("kitchen").request_id)
    page = text_of(client.get(f"/requests/{wish}"))
    above = re.search(r'id="notice">(.*?)</div>', page, re.S)
    named = re.search(r'name="notice" value="([^"]+)"', page)
    assert above and named
    lines = re.findall(r"<p>(.*?)</p>", above[1].replace("&#x27;", "'"))
    form = {"part": "ordinary", "do": "allow", "give": leo.mem("kitchen"), "notice": named[1]}
    return Page(client, wish, form, "".join(f"{line}\n" for line in lines).encode())


def decided(leo: Vault, page: Page) -> dict[str, Any]:
    """The record of the grant that the page's button made."""
    page.client.post(f"/requests/{page.wish}/decide", page.form)
    (part,) = Http(holder=leo.holder).call("GET", f"access-requests/{page.wish}")["parts"]
    return record(leo, part["grant"])


def record(leo: Vault, grant: str) -> dict[str, Any]:
    found = Http(holder=leo.holder).call("GET", f"grants/{grant}/consent-record")
    assert isinstance(found, dict)
    return found


def led_to(found: dict[str, Any]) -> bytes | None:
    """The text at the record's address, for anybody; None where it gives none."""
    address = found["pii_processing"]["privacy_notice"]
    if address == "-":
        return None
    text: bytes = Client().get("/" + address.split("/", 3)[3]).content
    assert found["ext"]["notice_digest"] == f"sha256:{sha256(text).hexdigest()}"
    return text


def test_every_record_leads_to_what_stood_above_its_button(casa: Clinic, leo: Vault) -> None:
    kept: dict[str, bytes] = {}

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(STEPS)
    def holds(steps: list[tuple[str, bool]]) -> None:
        for notice, late in steps:
            before = opened(leo)
            settle(casa.admin, casa.space_id, notice=notice)
            page = before if late else opened(leo)
            assert page.text.endswith(f"{notice}\n".encode()) or late or not notice
            kept[decided(leo, page)["record"]["record_id"]] = page.text

    holds()
    for grant, text in kept.items():
        assert led_to(record(leo, grant)) == text
    assert len(set(kept.values())) > 1, "there was more than one to be led to"


def test_it_still_does_when_the_vault_has_left_the_space(casa: Clinic, leo: Vault) -> None:
    settle(casa.admin, casa.space_id, notice="Ask at the desk.")
    page = opened(leo)
    grant = decided(leo, page)["record"]["record_id"]
    holders.leave(leo.holder.user_id, casa.space_id, utc_now())
    settle(casa.admin, casa.space_id, notice="")
    assert led_to(record(leo, grant)) == page.text
    assert page.text.endswith(b"Ask at the desk.\n")
    own = access.notice_above(leo.holder, access.REQUEST_NOTICE)
    assert own.below is None, "where it stands now, nothing stands below ours"


def test_a_text_that_was_changed_afterwards_is_led_to_by_nothing(casa: Clinic, leo: Vault, admin: Any) -> None:
    settle(casa.admin, casa.space_id, notice="Ask at the desk.")
    made = decided(leo, opened(leo))
    assert led_to(made) is not None, "the control"
    admin.execute("UPDATE space_settled SET notice = 'Nothing to ask.' WHERE space_id = %s", [casa.space_id])
    now = record(leo, made["record"]["record_id"])
    assert led_to(now) is None
    assert now["ext"]["notice_digest"] == made["ext"]["notice_digest"]


@pytest.mark.parametrize(
    "statement", ["UPDATE space_settled SET notice = 'x'", "DELETE FROM space_settled", "TRUNCATE space_settled"]
)
def test_the_product_s_own_account_has_no_way_to_change_one(casa: Clinic, statement: str) -> None:
    settle(casa.admin, casa.space_id, notice="Ask at the desk.")
    with pytest.raises(DatabaseError, match="permission denied"), connections["default"].cursor() as cursor:
        cursor.execute(statement)
    assert len(holders.policies(casa.admin.user_id, casa.space_id)) == 1
