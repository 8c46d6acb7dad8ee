"""A share from end to end: made on the pages, mailed over SMTP, opened by a person, looked at again, stopped, dead.

And by what is no person: scanners that fetch a link, that run its scripts, and one that presses.
"""

import re
import secrets
import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from apps.mail import tasks
from apps.memories import services as memories
from apps.policy.types import Refused
from apps.shares import services as shares
from tests.e2e.conftest import Ines
from tests.e2e.serving import web_process
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.e2e.test_mail import FROM, LINK, Postman
from tests.e2e.test_mail import postman as postman
from vault.clock import utc_now

pytestmark = pytest.mark.e2e

KITCHEN = "Kitchen equipment"
DIGITS = re.compile(r"(?<!\d)\d{6}(?!\d)")


@pytest.fixture(scope="module")
def site(django_db_setup: None, postman: Postman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The web process, as elsewhere, but sending its mails there: its public address."""
    state = tmp_path_factory.mktemp("state")
    with web_process(state, MUNIMENT_SMTP_URL=postman.address, MUNIMENT_MAIL_FROM=FROM) as address:
        yield address


def value(ines: Ines) -> str:
    found = next(each for each in memories.memories(ines.holder) if each.label == KITCHEN)
    (shown,) = memories.show(ines.holder, [found.memory_id]).values
    assert shown.value
    return shown.value


def shared(ines: Ines, **terms: object) -> shares.Made:
    found = next(each for each in memories.memories(ines.holder) if each.label == KITCHEN)
    made = shares.make(ines.holder, [found.memory_id], utc_now(), **terms)  # type: ignore[arg-type]
    assert not isinstance(made, Refused)
    return made


def opens(ines: Ines, made: shares.Made) -> tuple[int, list[int]]:
    found = shares.share(ines.holder, made.share.share_id, utc_now())
    assert found is not None
    return found.share.opens, [each.views for each in shares.openings(ines.holder, made.share.share_id)]


@pytest.fixture
def sends(postman: Postman, site: str, settings: object) -> Callable[[], object]:
    """The post's work, as the worker does it, with the mail server and the public address of the web process."""
    url = urlsplit(postman.address)
    for name, its in {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port,
        "MAIL_FROM": FROM,
        "PUBLIC_URL": site,
    }.items():
        setattr(settings, name, its)
    return tasks.sweep


def link_in(postman: Postman, address: str) -> str:
    """The share's link in the next mail to this address, out of the raw bytes."""
    body = postman.next_to(address).get_body(preferencelist=("plain",))
    assert body is not None
    return next(each for each in LINK.findall(str(body.get_content())) if "/s/" in each)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_it_is_made_mailed_opened_looked_at_again_and_stopped(
    open_browser: Callable[..., Page],
    ines: Ines,
    site: str,
    postman: Postman,
    sends: Callable[[], object],
    script: bool,
) -> None:
    rosa, said = f"{secrets.token_hex(6)}@mail.example", value(ines)
    mine = open_browser(script=script)
    mine.goto("/shares")
    mine.get_by_role("link", name="Share a few memories").click()
    mine.get_by_role("checkbox", name=KITCHEN).check()
    mine.get_by_label("Their name").first.fill("Rosa")
    mine.get_by_label("Their e-mail address").first.fill(rosa)
    mine.get_by_label("Your words to them").fill("For the dinner on Friday")
    mine.get_by_label("A code besides the link").select_option("none")
    mine.get_by_role("button", name="See what they would see").click()
    expect(mine.get_by_role("main")).not_to_contain_text(said)
    mine.get_by_role("button", name="Share it").click()
    expect(mine.get_by_role("heading", name="The link", exact=True)).to_be_visible()
    mine.get_by_role("link", name="Done").click()
    expect(mine.get_by_text("Nobody opened it yet.")).to_be_visible()

    sends()
    link = link_in(postman, rosa)
    assert link.startswith(f"{site}/s/")
    hers = open_browser(width=360, script=script, signed_in=False)
    hers.goto(link)
    expect(hers.get_by_text("Were you expecting this?")).to_be_visible()
    assert hers.url == (f"{site}/s" if script else link)
    hers.get_by_role("button", name="Open").click()
    expect(hers.get_by_text(said)).to_be_visible()
    expect(hers.get_by_text("For the dinner on Friday")).to_be_visible()
    hers.reload()
    expect(hers.get_by_text(said)).to_be_visible()
    hers.get_by_label("Your note").fill("We have an oven here.")
    hers.get_by_role("button", name="Leave the note").click()
    expect(hers.get_by_role("heading", name="Your note is left")).to_be_visible()

    mine.reload()
    row = mine.locator("li", has_text="Rosa · Chrome")
    expect(row).to_contain_text("looked again 1 time")
    expect(mine.get_by_text("1 time, 2 left")).to_be_visible()
    mine.get_by_text("Stop it…").click()
    mine.get_by_role("button", name="Stop sharing").click()
    expect(mine.get_by_text("Stopped. What was seen cannot be unseen.")).to_be_visible()

    hers.get_by_role("button", name="Look again").click()
    expect(hers.get_by_role("heading", name="There is nothing to open here")).to_be_visible()
    hers.goto(link)
    hers.get_by_role("button", name="Open").click()
    expect(hers.get_by_role("heading", name="There is nothing to open here")).to_be_visible()
    expect(hers.get_by_role("main")).not_to_contain_text(said)


def test_a_code_that_comes_by_mail_opens_it(
    open_browser: Callable[..., Page], ines: Ines, postman: Postman, sends: Callable[[], object]
) -> None:
    rosa = f"{secrets.token_hex(6)}@mail.example"
    made, said = shared(ines, recipients=[shares.Recipient("Rosa", rosa)]), value(ines)
    sends()
    hers = open_browser(width=360, signed_in=False)
    hers.goto(link_in(postman, rosa))
    hers.get_by_role("button", name="Open").click()
    expect(hers.get_by_role("heading", name="A code is needed")).to_be_visible()
    assert opens(ines, made) == (0, [])
    sends()
    mail = postman.next_to(rosa).get_body(preferencelist=("plain",))
    assert mail is not None
    (digits,) = DIGITS.findall(str(mail.get_content()))
    hers.get_by_label("The six digits").fill("000000" if digits != "000000" else "000001")
    hers.get_by_role("button", name="Open").click()
    expect(hers.get_by_text("This is not the code")).to_be_visible()
    hers.get_by_label("The six digits").fill(digits)
    hers.get_by_role("button", name="Open").click()
    expect(hers.get_by_text(said)).to_be_visible()
    assert opens(ines, made) == (1, [0])


def test_a_scanner_that_fetches_the_link_opens_nothing(ines: Ines, site: str) -> None:
    """As mail filters do: HEAD, then GET, then what the page refers to."""
    made = shared(ines)
    for method in ("HEAD", "GET", "GET"):
        asked = urllib.request.Request(f"{site}/s/{made.links[0].token}", method=method)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            assert answer.status == 200 and answer.headers["Set-Cookie"] is None
    assert opens(ines, made) == (0, [])


def test_a_scanner_that_runs_scripts_and_submits_no_form_opens_nothing(
    open_browser: Callable[..., Page], ines: Ines
) -> None:
    made = shared(ines)
    page = open_browser(signed_in=False)
    for _ in range(2):
        page.goto(f"/s/{made.links[0].token}", wait_until="networkidle")
        page.mouse.move(100, 100)
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(500)
    assert page.context.cookies() == []
    assert opens(ines, made) == (0, [])


def test_one_that_presses_opens_once_and_is_seen(open_browser: Callable[..., Page], ines: Ines) -> None:
    """It is an opening like any other, and the owner sees it: what stops a machine that presses is the code."""
    made, coded = shared(ines), shared(ines, code=shares.Code.PIN, pin="731946")
    page = open_browser(signed_in=False)
    for each in (made, coded):
        page.goto(f"/s/{each.links[0].token}", wait_until="networkidle")
        with page.expect_navigation(wait_until="load"):
            page.evaluate("document.forms[0].submit()")
    assert opens(ines, made) == (1, [0])
    assert opens(ines, coded) == (0, [])


def test_no_page_of_a_visitor_leaks_the_link(open_browser: Callable[..., Page], ines: Ines, site: str) -> None:
    """Not by what it loads, nor by where it leads, nor in what the browser remembers."""
    token = shared(ines).links[0].token
    page, sent = open_browser(signed_in=False), []
    page.on("request", lambda request: sent.append((request.url, request.all_headers().get("referer", ""))))
    page.goto(f"/s/{token}")
    page.get_by_role("button", name="Open").click()
    assert page.url == f"{site}/s"
    page.goto("/help/what-we-cannot-do")
    assert len(sent) > 4, "the control: styles and scripts are among them"
    assert [url for url, _ in sent if token in url] == [f"{site}/s/{token}"]
    assert not [referer for _, referer in sent if token in referer]


def test_each_of_a_visitors_pages_is_fit_to_use(open_browser: Callable[..., Page], ines: Ines) -> None:
    wrong: list[str] = []
    for width, dark in WIDTHS_AND_THEMES:
        plain, coded = shared(ines, note="For Friday"), shared(ines, code=shares.Code.PIN, pin="731946")
        page = open_browser(width=width, dark=dark, signed_in=False)

        def look(what: str, page: Page = page, width: int = width) -> None:
            wrong.extend(check(page, f"{what} at {width}"))
            page.set_viewport_size({"width": width, "height": 800})

        page.goto(f"/s/{plain.links[0].token}")
        look("the landing page")
        page.get_by_role("button", name="Open").click()
        look("what was opened")
        page.get_by_label("Your note").fill("Hello")
        page.get_by_role("button", name="Leave the note").click()
        look("the note")
        page.goto("/s")
        look("no link")
        page.goto(f"/s/{coded.links[0].token}")
        page.get_by_role("button", name="Open").click()
        look("the code")
    assert not wrong, "\n".join(wrong)


def test_each_of_the_owners_pages_is_fit_to_use(open_browser: Callable[..., Page], ines: Ines) -> None:
    wrong: list[str] = []
    made = shared(ines, recipients=[shares.Recipient("Rosa", "rosa@mail.example"), shares.Recipient("Otto")])
    for width, dark in WIDTHS_AND_THEMES:
        page = open_browser(width=width, dark=dark)
        for address in ("/shares", f"/shares/shr_{made.share.share_id.hex}", "/shares/new"):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address)
            wrong += check(page, f"{address[:11]} at {width}")
        page.set_viewport_size({"width": width, "height": 800})
        page.get_by_role("checkbox", name=KITCHEN).check()
        page.get_by_role("button", name="See what they would see").click()
        wrong += check(page, f"the preview at {width}")
        page.set_viewport_size({"width": width, "height": 800})
        page.get_by_role("button", name="Share it").click()
        wrong += check(page, f"the link at {width}")
    assert not wrong, "\n".join(wrong)
