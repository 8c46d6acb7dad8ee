"""A space's settings, places and ledger on its pages and over REST: for its admins, and not there for anybody else."""

import json
import re
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from apps.api.outputs import MemberOut
from apps.holders import services as holders
from apps.policy.ids import typed
from apps.policy.people import Membership
from apps.policy.retention import Keeping, Kept
from apps.policy.tiers import tiers_until
from apps.policy.vocabulary import Category, Role
from tests.clinics import Clinic, casa  # noqa: F401  (fixture)
from tests.drivers import Http
from tests.fixtures import Household
from tests.holders.people import newcomer, settle, space_of
from tests.surfaces.web import browser, last_seq, text_of
from vault.clock import utc_now

FORM = {
    "review_categories": ["health", "belief"],
    "break_glass": "",
    "privacy_lead": "",
    "lasts": "30",
    "lasts_unit": "days",
    "most_reads": "",
    "lapse_days": "60",
    "share_hours_most": "24",
    "share_opens_most": "5",
    "cool_down_hours": "12",
    "turns_days": "90",
    "proposals_days": "365",
    "notes_days": "400",
    "kept-health": "730",
    "preselect": "",
    "decides_until": "12",
    "looks_until": "16",
    "notice": "Ask at the desk.\r\n\r\nOr write.",
}


def page_of(casa: Clinic, more: str = "") -> str:  # noqa: F811
    return f"/people/spaces/{typed('spc', casa.space_id)}{more}"


def rest_of(casa: Clinic, more: str) -> str:  # noqa: F811
    return f"spaces/{typed('spc', casa.space_id)}/{more}"


def sent(client: Client, casa: Clinic, version: int = 1, **more: Any) -> Any:  # noqa: F811
    """The settings form, as it was shown with that version."""
    fields = {name: value for name, value in {**FORM, "version": str(version), **more}.items() if value != ""}
    return client.post(page_of(casa, "/settings"), fields)


# ---------------------------------------------------------------- the pages
def test_what_the_form_says_is_settled_and_what_it_does_not_ask_for_stays(casa: Clinic) -> None:  # noqa: F811
    client = browser(casa.admin)
    assert sent(client, casa).headers["Location"] == page_of(casa, "/settings")
    held = holders.space_policy(casa.space_id)
    assert (held.version, held.most_ttl_seconds, held.most_reads) == (2, 30 * 86_400, None)
    assert (held.lapse_days, held.cool_down_hours, held.preselect) == (60, 12, False)
    assert (held.share_hours_most, held.share_opens_most) == (24, 5)
    assert held.review_categories == {Category.HEALTH, Category.BELIEF}
    assert (held.notice, held.tiers) == ("Ask at the desk.\nOr write.", tiers_until(12, 16))
    assert held.keeping == Keeping(90, 365, 400, (Kept(Category.HEALTH, 730),))
    page = text_of(client.get(page_of(casa, "/settings")))
    assert "Settled. It holds from the next decision on." in page
    (stood,) = holders.policies(casa.admin.user_id, casa.space_id)
    assert stood.digest.hex() in page
    settle(casa.admin, casa.space_id, most_ttl_seconds=86_400 * 3 // 2)
    shown = text_of(client.get(page_of(casa, "/settings")))
    assert 'value="36"' in shown and '<option value="hours" selected' in shown, "a day and a half is said as it is"
    sent(client, casa, 3, lasts="36", lasts_unit="hours")
    assert holders.space_policy(casa.space_id).most_ttl_seconds == 86_400 * 3 // 2


def test_a_household_is_asked_for_no_reviewers_and_no_emergencies(home: Household) -> None:
    space = typed("spc", space_of(home.holder))
    client = browser(home.holder)
    page = text_of(client.get(f"/people/spaces/{space}/settings"))
    assert not [each for each in ("review_categories", "break_glass", "privacy_lead") if each in page]
    fields = {**{name: each for name, each in FORM.items() if each}, "version": "1", "break_glass": "on"}
    assert client.post(f"/people/spaces/{space}/settings", fields).status_code == 302
    held = holders.policy(home.holder.vault_id)
    assert (held.lapse_days, held.break_glass, held.review_categories) == (60, False, frozenset())


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("lapse_days", "soon", "Enter a whole number."),
        ("lapse_days", "6", "greater than or equal to 7"),
        ("lasts", "367", "A grant lasts from a minute to 366 days."),
        ("looks_until", "10", "Who may decide may look: write 12 or more."),
        ("looks_until", "22", "less than or equal to 21"),
        ("break_glass", "on", "Choose who is told of each emergency"),
        ("privacy_lead", "usr_" + "0" * 32, "Choose from what is offered"),
        ("notice", "turned \u202e round", "hidden or a control character"),
        ("notice", "x" * 1001, "at most 1000 are kept"),
    ],
)
def test_what_may_not_be_is_said_beside_its_field_and_nothing_typed_is_lost(
    casa: Clinic,  # noqa: F811
    field: str,
    value: str,
    said: str,
) -> None:
    more = {"notice": "My own words.", "cool_down_hours": "77", field: value}
    answer = sent(browser(casa.admin), casa, **more)
    page = text_of(answer)
    assert answer.status_code == 400
    assert said in page
    assert f'value="{more["cool_down_hours"]}"' in page
    assert "My own words." in page or field == "notice"
    assert holders.space_policy(casa.space_id).version == 1


def test_a_stale_form_settles_nothing_shows_what_holds_and_keeps_what_was_typed(casa: Clinic) -> None:  # noqa: F811
    client = browser(casa.admin)
    settle(casa.admin, casa.space_id, lapse_days=99, review_categories=frozenset({Category.GENETIC}))
    answer = sent(client, casa)
    page = text_of(answer)
    assert answer.status_code == 412
    assert "Nothing was settled: somebody settled it anew" in page
    assert "Unused, a grant ends by itself after days: 99" in page
    assert "A yes waits for a reviewer, for: Genetic" in page
    assert "Ask at the desk." in page
    assert re.search(r'<input[^>]*value="health"[^>]*checked', page)
    assert not re.search(r'<input[^>]*value="genetic"[^>]*checked', page)
    assert holders.space_policy(casa.space_id).lapse_days == 99
    shown = re.search(r'name="version" value="(\d+)"', page)
    assert shown
    assert sent(client, casa, int(shown[1])).status_code == 302, "who presses again has seen what held"
    assert holders.space_policy(casa.space_id).lapse_days == 60


def test_a_clinic_that_reviews_without_a_reviewer_is_told_so(casa: Clinic) -> None:  # noqa: F811
    client = browser(casa.admin)
    assert "Nobody here is a reviewer yet" not in text_of(client.get(page_of(casa, "/settings")))
    for each in (casa.rita, casa.rolf):
        holders.end_place(casa.admin.user_id, casa.space_id, each.user_id, utc_now())
    assert "Nobody here is a reviewer yet" in text_of(client.get(page_of(casa, "/settings")))


def test_a_place_is_ended_by_a_press_and_the_ledger_names_both(casa: Clinic) -> None:  # noqa: F811
    client, rita = browser(casa.admin), browser(casa.rita)
    page = text_of(client.get(page_of(casa)))
    assert "Rita" in page and "No longer" not in page
    answer = client.post(page_of(casa, f"/members/{typed('usr', casa.rita.user_id)}/end"), {"role": "reviewer"})
    assert answer.headers["Location"] == page_of(casa)
    assert "Rita" not in text_of(client.get(page_of(casa)))
    assert rita.get("/file").status_code == 302, "she is signed out"
    page = text_of(client.get(page_of(casa, "/ledger")))
    assert "Rita, reviewer" in page and "by Olga" in page
    assert (
        client.post(page_of(casa, f"/members/{typed('usr', casa.rolf.user_id)}/end"), {"role": "king"}).status_code
        == 404
    )


# ---------------------------------------------------------------- over REST
def test_the_policy_is_read_and_changed_on_its_current_version(casa: Clinic) -> None:  # noqa: F811
    http, path = Http(holder=casa.admin), rest_of(casa, "policy")
    first = http.send("GET", path)
    assert first.json()["review_categories"] == [each.value for each in Category if each.special]
    assert first.json()["tiers"][-1] == {"from_years": 18, "guardian": None}
    sent = {"lapse_days": 30, "notice": "Ask at the desk.", "tiers": [{"from_years": 0, "guardian": None}]}
    changed = http.send("PATCH", path, sent, If_Match=first.headers["ETag"])
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    assert {name: changed.json()[name] for name in sent} == sent
    assert changed.json() == http.send("GET", path).json()
    for tag, status, code in (
        (first.headers["ETag"], 412, "precondition-failed"),
        (None, 428, "precondition-required"),
    ):
        more = {} if tag is None else {"If_Match": tag}
        refused = http.send("PATCH", path, {"lapse_days": 40}, **more)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
    same = http.send("PATCH", path, {"lapse_days": 30}, If_Match=changed.headers["ETag"])
    assert (same.status_code, same.json()["version"]) == (200, 2)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"lapse_days": 6}, "/lapse_days"),
        ({"lapse_days": "30"}, "/lapse_days"),
        ({"cool_down_hours": 721}, "/cool_down_hours"),
        ({"most_ttl_seconds": 59}, "/most_ttl_seconds"),
        ({"most_reads": 0}, "/most_reads"),
        ({"most_reads": 2**31}, "/most_reads"),
        ({"review_categories": ["nonsense"]}, "/review_categories/0"),
        ({"tiers": []}, "/tiers"),
        ({"tiers": [{"from_years": 0, "guardian": "rule"}]}, "/tiers/0/guardian"),
        ({"tiers": [{"from_years": 0, "guardian": "decide"}]}, "/tiers"),
        ({"break_glass": True}, "/privacy_lead"),
        ({"privacy_lead": "usr_" + "0" * 32}, "/privacy_lead"),
        ({"notice": "a\u202eb"}, "/notice"),
        ({"version": 9}, ""),
        ({}, ""),
    ],
)
def test_what_may_not_be_settled_is_said_by_its_pointer(casa: Clinic, body: dict[str, Any], pointer: str) -> None:  # noqa: F811
    answer = Http(holder=casa.admin).send("PATCH", rest_of(casa, "policy"), body, If_Match="*")
    assert (answer.status_code, answer.json()["code"]) == (422, "validation")
    assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]
    assert holders.space_policy(casa.space_id).version == 1


def test_a_wider_decision_than_the_space_allows_is_refused_by_its_pointer(home: Household) -> None:
    settle(home.holder, most_reads=3, most_ttl_seconds=86_400)
    http, wish = home.as_holder().http, home.as_client().ask([home.kitchen]).request
    for more, pointer in (
        ({"reads": 4}, "/parts/0/reads"),
        ({"reads": None}, "/parts/0/reads"),
        ({"until": "2099-01-01T00:00:00Z"}, "/parts/0/until"),
    ):
        body = {"parts": [{"part": "ordinary", "memories": [home.kitchen], **more}]}
        answer = http.send("POST", f"access-requests/{wish}/decision", body)
        assert (answer.status_code, [each["pointer"] for each in answer.json()["errors"]]) == (422, [pointer])


def test_the_roles_of_a_member_stand_in_one_order_each_time() -> None:
    member = Membership(uuid4(), "Casa", "clinic", uuid4(), "Olga", "", frozenset(Role), utc_now())
    assert MemberOut.of(member)["roles"] == sorted(Role)


def test_its_ledger_and_its_members_over_rest(casa: Clinic) -> None:  # noqa: F811
    http = Http(holder=casa.admin)
    (clinic,) = [each for each in http.call("GET", "spaces")["items"] if each["kind"] == "clinic"]
    names = {each["name"]: each["id"] for each in clinic["members"]}
    ended = http.call("POST", rest_of(casa, f"members/{names['Rita']}/end"), {"role": "reviewer"})
    assert (ended["name"], ended["id"]) == ("Rita", names["Rita"])
    first = http.call("GET", rest_of(casa, "receipts?limit=1"))
    (line,) = first["items"]
    assert (line["kind"], line["actor_name"], line["object_name"], line["reason"]) == (
        *("member.left", "Olga", "Rita"),
        "reviewer",
    )
    rest = http.call("GET", rest_of(casa, f"receipts?cursor={first['next_cursor']}"))
    seqs = [each["seq"] for each in rest["items"]]
    assert seqs == list(range(line["seq"] - 1, 0, -1))
    assert http.call("POST", rest_of(casa, f"members/{typed('usr', casa.admin.user_id)}/end"), {}).code == "last-admin"


def test_a_request_s_page_offers_no_more_than_the_space_allows(home: Household) -> None:
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen], ttl_seconds=86_400 * 8).request
    page = text_of(client.get(f"/requests/{wish}"))
    assert "for 30 days" in page and "as asked: 8 days" in page
    settle(home.holder, most_ttl_seconds=86_400 * 7, most_reads=5)
    page = text_of(client.get(f"/requests/{wish}"))
    assert "for 7 days" in page and "at most 5 here" in page
    assert "for 30 days" not in page and "as asked" not in page
    form = {"part": "ordinary", "do": "allow", "give": home.kitchen, "until": "month", "reads": "5"}
    assert "A grant lasts 7 days at most" in text_of(client.post(f"/requests/{wish}/decide", form))


# ---------------------------------------------------------------- for nobody else
def test_to_anybody_else_a_space_s_pages_are_as_those_of_none(casa: Clinic) -> None:  # noqa: F811
    rosa = newcomer("Rosa")
    casa.joined(rosa, Role.HOLDER)
    unknown, member = f"spc_{uuid4().hex}", typed("usr", casa.rolf.user_id)
    known = typed("spc", casa.space_id)
    form = {**{name: each for name, each in FORM.items() if each}, "version": "1"}
    before = last_seq(rosa), holders.members(casa.admin.user_id, casa.space_id)
    for person in (rosa, casa.rita, newcomer("Otto")):
        client, http = browser(person), Http(holder=person)
        for method, page, fields in (
            ("get", "/people/spaces/ID", {}),
            ("get", "/people/spaces/ID/settings", {}),
            ("post", "/people/spaces/ID/settings", form),
            ("get", "/people/spaces/ID/ledger", {}),
            ("post", f"/people/spaces/ID/members/{member}/end", {"role": ""}),
            ("get", "/people/spaces/ID/invite", {}),
        ):
            told = [getattr(client, method)(page.replace("ID", each), fields) for each in (known, unknown)]
            assert [each.status_code for each in told] == [404, 404], page
            seen = [re.sub(r'value="[A-Za-z0-9]{64}"', "", text_of(each)).replace(known, "ID") for each in told]
            assert seen[0] == seen[1].replace(unknown, "ID"), page
        for method, path, body in (
            ("GET", "spaces/ID/policy", None),
            ("PATCH", "spaces/ID/policy", {"lapse_days": 30}),
            ("GET", "spaces/ID/receipts", None),
            ("POST", f"spaces/ID/members/{member}/end", {}),
        ):
            more = {"If_Match": "*", "Request_Id": "one"}
            told = [http.send(method, path.replace("ID", each), body, **more) for each in (known, unknown)]
            assert [each.status_code for each in told] == [404, 404], path
            seen = [json.dumps(each.json()).replace(known, "ID").replace(unknown, "ID") for each in told]
            assert seen[0] == seen[1]
            assert told[0].headers == told[1].headers
    assert before == (last_seq(rosa), holders.members(casa.admin.user_id, casa.space_id))
    assert holders.space_policy(casa.space_id).version == 1


# ---------------------------------------------------------------- the notice
def test_the_space_s_own_notice_stands_below_ours_on_the_page_and_on_the_card(home: Household) -> None:
    version = settle(home.holder, notice="Dinner is at six.\nNobody sells this.").version
    client, wish = browser(home.holder), home.as_client().ask([home.kitchen]).request
    where = f"{typed('spc', space_of(home.holder))}/{version}"
    for number, page in (
        (1, text_of(client.get(f"/requests/{wish}"))),
        (2, text_of(client.post("/chat", {"question": "Which kitchen equipment do I have?"}, follow=True))),
    ):
        above = re.search(r'id="notice">(.*?)</div>', page, re.S)
        assert above
        lines = re.findall(r"<p>(.*?)</p>", above[1])
        own = ["Your household or clinic adds:", "Dinner is at six.", "Nobody sells this."]
        assert lines[-3:] == own and len(lines) == 5
        named = re.search(r'name="notice" value="([^".]+)\.[0-9a-f]{16}"', page)
        assert named and named[1] == f"{number}/{where}"
        text = Client().get(f"/notices/{named[1]}")
        assert text["Content-Type"] == "text/plain; charset=utf-8"
        assert text_of(text).endswith("Dinner is at six.\nNobody sells this.\n")
    for nowhere in (f"1/{typed('spc', uuid4())}/{version}", where.replace(f"/{version}", "/1"), f"99/{where}"):
        assert Client().get(f"/notices/{nowhere}").status_code == 404


def test_over_rest_a_program_is_told_what_is_to_be_read_and_names_it_back(home: Household) -> None:
    settle(home.holder, notice="Dinner is at six.")
    http, wish = home.as_holder().http, home.as_client().ask([home.kitchen]).request
    told = http.call("GET", f"access-requests/{wish}")["notice"]
    named = {name: told[name] for name in ("notice", "notice_below")}
    part = {"parts": [{"part": "ordinary", "memories": [home.kitchen]}]}
    wrong = {**named, "notice_below": {**told["notice_below"], "version": 99}}
    assert http.call("POST", f"access-requests/{wish}/decision", {**part, **wrong}).status == 422
    done = http.call("POST", f"access-requests/{wish}/decision", {**part, **named})
    record = http.call("GET", f"grants/{done['parts'][0]['grant']}/consent-record")
    text = Client().get(told["href"]).content
    assert record["ext"]["notice_digest"] == f"sha256:{sha256(text).hexdigest()}"
    assert record["pii_processing"]["privacy_notice"].endswith(told["href"])
    assert text.endswith(b"Dinner is at six.\n")
