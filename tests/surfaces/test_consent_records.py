"""The consent record from outside: what a person read above the button is what its digest is of, on every surface."""

import json
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from apps.access import services as access
from apps.ledger import services as ledger
from apps.policy.ids import typed
from tests.drivers import No
from tests.fixtures import VALUES, Household
from tests.surfaces.web import browser, text_of

SCHEMA = Draft202012Validator(json.loads(Path(__file__).with_name("consent_record.schema.json").read_text()))
LABELS = ("Kitchen equipment", "Cooking time", "Grocery budget", "Insulin at breakfast")
QUESTION = "Which kitchen equipment do I have?"


class Notice(HTMLParser):
    """The paragraphs of the element `notice`, as a browser shows their text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside, self.lines = False, list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside |= ("id", "notice") in attrs
        if self.inside and tag == "p":
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside &= tag != "div"

    def handle_data(self, data: str) -> None:
        if self.inside and self.lines:
            self.lines[-1] += data.strip("\n") if data.strip() else ""

    @property
    def digest(self) -> str:
        """As a stranger makes it: each paragraph a line."""
        text = "".join(f"{line}\n" for line in self.lines)
        assert text
        return f"sha256:{sha256(text.encode()).hexdigest()}"


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found
    return found[1]


def record_over_rest(home: Household, grant: str) -> Any:
    record = home.as_holder().http.call("GET", f"grants/{grant}/consent-record")
    SCHEMA.validate(record)
    return record


def newest(home: Household) -> str:
    return typed("gra", access.grants(home.holder)[0].grant_id)


def test_the_request_page_s_notice_is_the_one_of_the_record(home: Household) -> None:
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen]).request
    page = text_of(client.get(f"/requests/{wish}"))
    assert page.index('id="notice"') < page.index('value="allow"'), "it stands above the buttons"
    form = {"part": "ordinary", "do": "allow", "give": [home.kitchen], "notice": field(page, "notice")}
    client.post(f"/requests/{wish}/decide", form)
    record = record_over_rest(home, newest(home))
    assert record["ext"]["notice_digest"] == Notice(page).digest
    assert record["ext"]["surface"] == "web"
    assert record["ext"]["ui_version"] == field(page, "notice").partition(".")[2]
    address = record["pii_processing"]["privacy_notice"]
    sent = browser(home.holder).get("/" + address.split("/", 3)[3])
    assert f"sha256:{sha256(sent.content).hexdigest()}" == record["ext"]["notice_digest"]


def test_the_card_s_notice_is_the_one_of_the_record(home: Household) -> None:
    client = browser(home.holder)
    page = text_of(client.post("/chat", {"question": QUESTION}, follow=True))
    address = re.search(r'action="(/chat/trn_[0-9a-f]{32}/decide)"', page)
    assert address
    assert page.index('id="notice"') < page.index("Hand over what I chose")
    form = {"part": "ordinary", "do": "give", "give": [home.kitchen], "notice": field(page, "notice")}
    client.post(address[1], form)
    (made,) = ledger.receipts(home.holder.vault_id, home.holder.actor, kind="grant.made")
    record = record_over_rest(home, made.object)
    assert record["ext"]["notice_digest"] == Notice(page).digest
    assert record["ext"]["state"] == "spent"
    assert record["pii_processing"]["purposes"][0]["recipient_third_parties"] == ["mdl_stand-in"]


@pytest.mark.parametrize("sent", ["", "1", "7.0123456789abcdef", "1.<script>alert(1)</script>", "1.0123456789ABCDEF"])
def test_what_names_no_notice_of_ours_claims_none(home: Household, sent: str) -> None:
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen]).request
    form = {"part": "ordinary", "do": "allow", "give": [home.kitchen], "notice": sent}
    client.post(f"/requests/{wish}/decide", form)
    record = record_over_rest(home, newest(home))
    assert record["ext"]["notice_digest"] == record["pii_processing"]["privacy_notice"] == "-"


def test_a_form_says_what_stood_on_the_page_it_came_with(home: Household) -> None:
    """Also when the pages have another form by then."""
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen]).request
    form = {"part": "ordinary", "do": "allow", "give": [home.kitchen], "notice": "1.0123456789abcdef"}
    client.post(f"/requests/{wish}/decide", form)
    assert record_over_rest(home, newest(home))["ext"]["ui_version"] == "0123456789abcdef"


def test_over_rest_the_program_names_the_notice_it_showed(home: Household) -> None:
    http = home.as_holder().http

    def decided(**more: Any) -> Any:
        wish = home.as_client().ask([home.kitchen]).request
        body = {"parts": [{"part": "ordinary", "memories": [home.kitchen]}], **more}
        return http.call("POST", f"access-requests/{wish}/decision", body)

    decided()
    record = record_over_rest(home, newest(home))
    assert (record["ext"]["surface"], record["ext"]["notice_digest"]) == ("rest", "-")
    decided(notice=1)
    record = record_over_rest(home, newest(home))
    notice = access.notice(1)
    assert notice
    assert record["ext"]["notice_digest"] == f"sha256:{notice.digest.hex()}"
    before = newest(home)
    assert decided(notice=99) == No("validation", 422)
    assert newest(home) == before


def test_the_page_s_file_and_the_rest_answer_are_one_record(home: Household) -> None:
    home.as_holder().decide(home.as_client().ask([home.kitchen]).request, {"ordinary": [home.kitchen]})
    client = browser(home.holder)
    link = re.search(r'href="(/grants/gra_[0-9a-f]{32}\.consent\.json)"', text_of(client.get("/grants")))
    assert link
    answer = client.get(link[1])
    assert json.loads(answer.content) == record_over_rest(home, newest(home))
    assert answer["Content-Disposition"] == f'attachment; filename="{newest(home)}.consent.json"'


def test_a_special_category_is_told_by_its_name_alone(home: Household) -> None:
    wish = home.as_client().ask([], categories=["health"], purpose_note="for the doctor").request
    home.as_holder().decide(wish, {"special:health": [home.insulin]})
    text = json.dumps(record_over_rest(home, newest(home)), ensure_ascii=False)
    assert '"pii_type": "health"' in text
    for private in (*VALUES, *LABELS, "for the doctor", home.insulin):
        assert private not in text


def test_it_is_the_holder_s_and_another_s_is_not_there(home: Household, settle: Any) -> None:
    home.as_holder().decide(home.as_client().ask([home.kitchen]).request, {"ordinary": [home.kitchen]})
    grant, other = newest(home), settle()
    missing = other.as_holder().http.call("GET", f"grants/gra_{'0' * 32}/consent-record")
    foreign = other.as_holder().http.call("GET", f"grants/{grant}/consent-record")
    assert foreign == missing == No("not-found", 404)
    assert home.as_client().http.call("GET", f"grants/{grant}/consent-record") == No("holder-only", 403)
    assert browser(other.holder).get(f"/grants/{grant}.consent.json").status_code == 404


def test_a_notice_is_open_to_anybody_word_for_word_and_an_unknown_one_is_not_there(live: None) -> None:
    notice, answer = access.notice(1), Client().get("/notices/1")
    assert notice
    assert answer.content == notice.text.encode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert Client().get("/notices/99").status_code == 404
