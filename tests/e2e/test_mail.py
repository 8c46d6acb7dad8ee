"""Mails over a real SMTP conversation: what stands in them, where their links lead, and that the links work."""

import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from urllib.parse import urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from playwright.sync_api import Page, expect

from apps.turns.management.casa_m import MEMORIES
from tests.e2e.conftest import Ines
from tests.e2e.serving import free_port, web_process

pytestmark = pytest.mark.e2e

FROM = "Vault of Casa M <vault@casa-m.example>"
PATIENCE_SECONDS = 20
LINK = re.compile(r"https?://\S+")


@dataclass
class Postman:
    """A mail server that keeps what it was given, as bytes; `address` is where it listens."""

    address: str = ""
    kept: list[tuple[list[str], bytes]] = field(default_factory=list)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.kept.append((list(envelope.rcpt_tos), envelope.content))
        return "250 kept"

    def next_to(self, recipient: str) -> EmailMessage:
        """The oldest mail to this address that was not looked at yet, taken out."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            for number, (to, content) in enumerate(self.kept):
                if to == [recipient]:
                    del self.kept[number]
                    mail = message_from_bytes(content, policy=policy.default)
                    assert isinstance(mail, EmailMessage)
                    return mail
            time.sleep(0.05)
        raise AssertionError(f"no mail came for {recipient}")


@pytest.fixture(scope="module")
def postman() -> Iterator[Postman]:
    """A mail server on a free loopback port."""
    postman, port = Postman(), free_port()
    controller = Controller(postman, hostname="127.0.0.1", port=port)
    controller.start()
    postman.address = f"smtp://127.0.0.1:{port}"
    yield postman
    controller.stop()


@pytest.fixture(scope="module")
def site(django_db_setup: None, postman: Postman, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The web process, as elsewhere, but sending its mails there: its public address."""
    state = tmp_path_factory.mktemp("state")
    with web_process(state, MUNIMENT_SMTP_URL=postman.address, MUNIMENT_MAIL_FROM=FROM) as address:
        yield address


def checked(mail: EmailMessage, to: str, public: str) -> list[str]:
    """Everything that holds for every mail; the links in it."""
    assert mail["From"] == FROM
    assert mail["To"] == to
    assert re.fullmatch(r"<[^<>@\s]+@[^<>@\s]+>", mail["Message-ID"])
    assert mail["Date"].datetime is not None
    kinds = ["multipart/alternative", "text/plain", "text/html"]
    assert [part.get_content_type() for part in mail.walk()] == kinds
    plain, rich = (mail.get_body(preferencelist=(kind,)) for kind in ("plain", "html"))
    assert plain is not None and rich is not None
    text, markup = str(plain.get_content()), str(rich.get_content())
    read = " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())
    assert all(" ".join(each.split()) in read for each in text.splitlines() if each != "--"), "both parts say the same"
    assert re.findall(r'href="([^"]*)"', markup) == [each for each in LINK.findall(text) if each != public]
    for said in (str(mail["Subject"]), text):
        assert "!" not in said
        assert not re.search(r"\b(account|user|please)\b", said, re.IGNORECASE)
        assert "&#" not in said and "&amp;" not in said
        assert not [each.label for each in MEMORIES if each.label in said]
        assert not [each.value for each in MEMORIES if each.value in said]
    assert to not in str(mail["Subject"])
    links = LINK.findall(text)
    assert {urlsplit(each).netloc for each in links} == {urlsplit(public).netloc}
    assert "If it was not you" in text
    return links


def ask_for_a_new_password(page: Page, at: str, address: str) -> None:
    page.goto(f"{at}/accounts/password/reset/")
    page.get_by_label("Email").fill(address)
    page.locator("main button[type=submit]").click()
    page.wait_for_url("**/password/reset/done/")


def test_a_new_person_confirms_their_address(open_browser: Callable[..., Page], site: str, postman: Postman) -> None:
    address, page = f"o'{secrets.token_hex(6)}@mail.example", open_browser(signed_in=False)
    page.goto("/accounts/signup/")
    page.get_by_label("Email").fill(address)
    page.get_by_label("Password").fill(secrets.token_hex(8))
    page.get_by_role("button", name="Open my vault").click()
    expect(page.get_by_label("What would you like to ask?")).to_be_visible()
    mail = postman.next_to(address)
    assert mail["Subject"] == "Confirm your address"
    link = checked(mail, address, site)[0]
    assert address in str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    page.goto(link)
    page.locator("main button[type=submit]").click()
    page.goto("/accounts/email/")
    expect(page.locator("main")).to_contain_text(re.compile(f"{address}.*confirmed", re.DOTALL))


def test_a_lost_password_is_set_anew(
    open_browser: Callable[..., Page], ines: Ines, site: str, postman: Postman
) -> None:
    page, new = open_browser(signed_in=False), secrets.token_hex(8)
    ask_for_a_new_password(page, site, ines.email)
    mail = postman.next_to(ines.email)
    assert mail["Subject"] == "Set a new password"
    link = checked(mail, ines.email, site)[0]
    page.goto(link)
    assert urlsplit(link).path.split("-")[-1].strip("/") not in page.url  # the key is in no Referer
    for box in page.locator("main input[type=password]").all():
        box.fill(new)
    page.locator("main button[type=submit]").click()
    page.wait_for_url("**/key/done/")
    told = postman.next_to(ines.email)
    assert told["Subject"] == "Your password was changed"
    checked(told, ines.email, site)
    page.goto("/accounts/login/")
    for password, inside in ((ines.password, False), (new, True)):
        page.get_by_label("Email").fill(ines.email)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        if inside:
            expect(page.get_by_label("What would you like to ask?")).to_be_visible()
        else:
            expect(page.get_by_role("alert")).to_contain_text("password")
    again = open_browser(signed_in=False)
    again.goto(link)
    expect(again.get_by_role("heading", name="This link is used up")).to_be_visible()


def test_a_link_leads_to_the_public_address_whatever_host_asked(
    open_browser: Callable[..., Page], ines: Ines, site: str, postman: Postman
) -> None:
    other = site.replace("localhost", "127.0.0.1")
    ask_for_a_new_password(open_browser(signed_in=False), other, ines.email)
    checked(postman.next_to(ines.email), ines.email, site)


def test_an_unknown_address_gets_the_same_page_and_a_mail_that_says_so(
    open_browser: Callable[..., Page], ines: Ines, site: str, postman: Postman
) -> None:
    page, pages, nobody = open_browser(signed_in=False), [], f"{secrets.token_hex(6)}@mail.example"
    for address in (ines.email, nobody):
        ask_for_a_new_password(page, site, address)
        pages.append(page.locator("main").inner_text())
    assert pages[0] == pages[1]
    mail = postman.next_to(nobody)
    assert mail["Subject"] == "There is no vault with this address"
    checked(mail, nobody, site)
    checked(postman.next_to(ines.email), ines.email, site)
