"""Pages: who may open them, that looking changes nothing, and that a stranger's text stays text."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.template.loader import get_template, render_to_string
from django.test import Client
from django.urls import reverse

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed
from tests.fixtures import VALUES, Household
from tests.surfaces.web import HOSTILE, Scene, browser, furnish, last_seq, text_of, without_tokens
from vault.clock import utc_now

OPEN = ("/help/what-we-cannot-do", "/healthz", "/readyz", "/accounts/login/", "/accounts/signup/")
POST_ONLY = ("/chat", "/inbox/show", "/file/show")


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def test_every_page_opens_for_its_holder_and_is_kept_by_no_cache(scene: Scene) -> None:
    client = browser(scene.holder)
    for path in scene.pages():
        response = client.get(path)
        assert (path, response.status_code) == (path, 200)
        assert response.headers["Cache-Control"] == "no-store"


def test_a_stranger_is_sent_to_sign_in(scene: Scene) -> None:
    for path in scene.pages():
        response = Client().get(path)
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/accounts/login/?next=/")
    for path in (*POST_ONLY, f"/chat/{scene.offered}/decide", f"/file/{scene.home.kitchen}/put-away"):
        assert Client().post(path).headers["Location"].startswith("/accounts/login/")


def test_who_was_signed_out_while_writing_comes_back_to_the_form(live: None) -> None:
    typed_in = {"label": "Secret label", "value": "Secret value", "name": "Secret name", "category": "ordinary"}
    for path in ("/file/add", "/grants/register", "/you"):
        answer = Client().post(path, typed_in)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (403, "no-store")
        assert f'href="/accounts/login/?next={path}"' in text_of(answer)
        assert all(each in text_of(answer) for each in ("Secret label", "Secret value", "Secret name"))
        assert Client().post(path, {"category": "ordinary"}).headers["Location"] == f"/accounts/login/?next={path}"


def test_who_was_signed_out_while_deciding_comes_back_to_the_page_of_the_form(scene: Scene) -> None:
    kitchen, client = scene.home.kitchen, browser(scene.holder)
    for path, above in (
        (f"/file/{kitchen}/correct", f"/file/{kitchen}"),
        (f"/file/{kitchen}/rescope", f"/file/{kitchen}"),
        (f"/inbox/{scene.proposal}/approve", "/inbox"),
        (f"/inbox/{scene.proposal}/reject", "/inbox"),
        ("/inbox/approve", "/inbox"),
        (f"/requests/{scene.wish}/decide", f"/requests/{scene.wish}"),
        ("/file/show", "/file"),
        ("/chat", "/"),
    ):
        assert client.get(above).status_code == 200, above
        assert Client().post(path).headers["Location"] == f"/accounts/login/?next={above}", path
        answer = Client().post(path, {"value": "What I typed", f"{scene.proposal[4:]}_reason": "And why"})
        page = text_of(answer)
        assert "What I typed" in page and "And why" in page and f'href="/accounts/login/?next={above}"' in page


def test_some_pages_are_for_everybody(live: None) -> None:
    for path in OPEN:
        assert Client().get(path).status_code == 200


def test_looking_changes_nothing(scene: Scene) -> None:
    client, before = browser(scene.holder), last_seq(scene.holder)
    for path in scene.pages():
        page = text_of(client.get(path))
        assert not [value for value in VALUES if value in page and not path.startswith("/chat/")]
    for path in (*POST_ONLY, f"/chat/{scene.offered}/answer", f"/inbox/{scene.proposal}/approve"):
        assert client.get(path).status_code == 405
    assert last_seq(scene.holder) == before


def test_foreign_unknown_and_malformed_things_answer_alike(scene: Scene, settle: Callable[[], Household]) -> None:
    stranger = browser(settle().holder)
    unknown = [f"/{kind}/{typed(prefix, uuid4())}" for kind, prefix in (("chat", "trn"), ("requests", "req"))]
    malformed = ["/chat/trn_1", "/chat/mem_" + "0" * 32, "/file/mem_", "/receipts/rcp_0", "/receipts/rcp_99999", "/x"]
    bodies: dict[str, set[str]] = {}
    for path in (*scene.ids(), f"/file/{typed('mem', uuid4())}", *unknown, *malformed):
        response = stranger.get(path)
        assert (path, response.status_code) == (path, 404)
        bodies.setdefault(path.split("/")[1], set()).add(without_tokens(text_of(response)))
    assert {section: len(found) for section, found in bodies.items()} == dict.fromkeys(bodies, 1)


def test_foreign_things_cannot_be_acted_on(scene: Scene, settle: Callable[[], Household]) -> None:
    stranger, before = browser(settle().holder), last_seq(scene.holder)
    for path, sent in (
        (f"/chat/{scene.offered}/decide", {"part": "ordinary", "do": "none"}),
        (f"/chat/{scene.offered}/answer", {}),
        (f"/chat/{scene.answered}/without", {"memory": scene.home.kitchen}),
        (f"/requests/{scene.wish}/decide", {"part": "ordinary", "do": "deny"}),
        (f"/inbox/{scene.proposal}/reject", {}),
        (f"/file/{scene.home.kitchen}/put-away", {}),
        (f"/grants/{typed('cli', scene.home.client.client_id)}/stop", {}),
        (f"/grants/{typed('cli', scene.home.client.client_id)}/pause", {"do": "pause"}),
        (f"/grants/keys/{typed('key', access.keys(scene.holder)[0].key_id)}/end", {}),
    ):
        assert (path, stranger.post(path, sent).status_code) == (path, 404)
    assert last_seq(scene.holder) == before


def test_a_strangers_text_stays_text(scene: Scene) -> None:
    client = browser(scene.holder)
    memories.add(scene.holder, label=HOSTILE, value=HOSTILE, now=utc_now())
    access.register(scene.holder, name=HOSTILE, domain=HOSTILE, now=utc_now())
    kept = client.post("/file/add", {"label": f"Tea {HOSTILE}", "value": "Green", "category": "ordinary"}, follow=True)
    client.post("/chat", {"question": HOSTILE})
    asked = client.post("/chat", {"question": HOSTILE}, follow=True)
    pages = [text_of(client.get(path)) for path in scene.pages() if not path.endswith((".csv", ".json"))]
    shown = client.post("/inbox/show", {"proposal": scene.proposal})
    mine = [typed("mem", each.memory_id) for each in memories.memories(scene.holder)]
    for page in (
        *pages,
        text_of(kept),
        text_of(asked),
        text_of(shown),
        text_of(client.post("/file/show", {"memory": mine})),
    ):
        assert "<script>alert" not in page
        named = re.findall(r"<title>.*?</title>|<h[12].*?</h[12]>|<p class=.note .*?</p>", page, re.DOTALL)
        assert named and not [each for each in named if "\u202e" in each]
    assert '<span class="chip" title="a hidden character">U+202E</span>' in text_of(shown)
    (said,) = re.findall(r'<p class="note success".*?</p>', text_of(kept), re.DOTALL)
    assert "Kept: Tea" in said
    assert '<span class="chip" title="a hidden character">U+202E</span>' in said
    assert "\u202e" not in said
    assert "\u202e" not in text_of(client.get(f"/requests/{scene.wish}"))
    assert "\u202e" not in text_of(client.get("/inbox")).replace("&lt;", "")


def test_a_letter_that_poses_as_another_stands_in_a_chip_and_is_the_letter_that_was_sent(scene: Scene) -> None:
    client = browser(scene.holder)
    memories.add(scene.holder, label="L\u0435eds, Лидс, TGFβ & Linuxサーバー", value="x", now=utc_now())
    title = "not the letter that it looks like, but cyrillic small letter ie"
    chip = f'L<span class="chip" title="{title}">\u0435</span>eds, Лидс, TGFβ &amp; Linuxサーバー'
    assert chip in text_of(client.get("/file"))


def test_the_headers_that_guard_a_page(scene: Scene) -> None:
    response = browser(scene.holder).get("/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"


def test_a_form_from_elsewhere_is_refused(scene: Scene) -> None:
    client = browser(scene.holder, enforce_csrf_checks=True)
    response = client.post(f"/chat/{scene.offered}/decide", {"part": "ordinary", "do": "none"})
    assert response.status_code == 403
    assert "came from elsewhere" in text_of(response)


def test_no_page_holds_script_or_style_of_its_own(scene: Scene) -> None:
    client = browser(scene.holder)
    for path in ("/", "/ledger", f"/chat/{scene.answered}", f"/requests/{scene.wish}", "/accounts/login/"):
        page = text_of(client.get(path, follow=True))
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick" not in page
        assert "<script>" not in page


def test_errors_have_our_words(live: None) -> None:
    for name, words in (("400", "make sense"), ("403", "for you to open"), ("404", "nothing here"), ("500", "broke")):
        page = render_to_string(f"{name}.html")
        assert words in page
        assert "Muniment" in page


def test_the_sign_in_pages_have_our_look(live: None) -> None:
    for name in ("allauth/layouts/base.html", "account/login.html", "usersessions/usersession_list.html"):
        assert "/apps/web/" in str(get_template(name).origin.name)
    page = text_of(Client().get(reverse("account_login")))
    assert "web/base.css" in page
    assert 'autocomplete="current-password"' in page


def test_parts_that_answer_are_ready(live: None) -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
    assert Client().get("/readyz").json() == {"status": "ok", "database": "ok", "broker": "ok"}


@pytest.mark.parametrize("query", ["kind=nosuch", "start=yesterday", f"assistant=cli_{'0' * 32}"])
def test_a_filter_that_cannot_be_used_says_that_it_was_not(scene: Scene, query: str) -> None:
    client = browser(scene.holder)
    page = text_of(client.get(f"/ledger?{query}"))
    assert "This filter can’t be used, so every line is shown." in page and "Nothing was kept" not in page
    assert f'href="/receipts/rcp_{last_seq(scene.holder)}"' in page
    refused = client.get(f"/ledger.csv?{query}")
    assert (refused.status_code, refused.headers["Location"]) == (302, f"/ledger?{query}"), "no file of every line"
    assert "Nothing was kept yet." in text_of(client.post("/file/add", {"label": ""}))
