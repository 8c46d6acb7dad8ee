"""A mail server as in life, and what it was given, read from the raw bytes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings as ours

from apps.mail.models import DigestRow, LetterRow
from tests.cast import alice, cook  # noqa: F401  (fixtures)
from tests.e2e.serving import free_port

LINK = re.compile(r"https?://\S+")


@dataclass
class Postman:
    """A mail server on a loopback port that keeps what it was given, as bytes; `answer` is what it says to a mail."""

    answer: str = "250 kept"
    kept: list[tuple[list[str], bytes]] = field(default_factory=list)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        if self.answer.startswith("2"):
            self.kept.append((list(envelope.rcpt_tos), envelope.content))
        return self.answer

    def to(self, address: str) -> list[EmailMessage]:
        """The mails to this address, oldest first, as they came over the wire."""
        return [parsed(content) for to, content in self.kept if to == [address]]

    def one_to(self, address: str) -> EmailMessage:
        """The only mail to this address."""
        (mail,) = self.to(address)
        return mail


def parsed(content: bytes) -> EmailMessage:
    mail = message_from_bytes(content, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.loads: list[str] = []
        self._href: str | None = None

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        found = dict(attrs)
        self._href = found.get("href") if tag == "a" else self._href
        self.loads += [tag for name in ("src", "background", "srcset") if name in found]

    def handle_endtag(self, tag: str) -> None:
        self._href = None if tag == "a" else self._href

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._href is not None:
            self.links.append((self._href, data))


@dataclass(frozen=True)
class Read:
    """A mail as its reader has it: subject, the text part, the words of the HTML part, the one link ("": none)."""

    subject: str
    text: str
    html: str
    link: str
    settings: bool  # does it lead to what its reader wishes of letters?


def read(mail: EmailMessage) -> Read:
    """Everything that holds for every letter, and what is in it."""
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    plain, rich = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None and rich is not None
    text, reader = str(plain.get_content()).replace("\r\n", "\n"), _Reader()
    markup = str(rich.get_content())
    reader.feed(markup)
    links = LINK.findall(text)
    assert not reader.loads and len(links) == len(set(links))
    assert reader.links == [(each, each) for each in links], "each address is seen, and equal to where it leads"
    assert LINK.findall(markup) == [f'{each}">{each}</a></p>' for each in links]
    link, settings = _told_apart(links)
    assert len(link) <= 76 and "=" not in link and "&" not in link
    marked = re.compile(r"^(?:- |  > )", re.MULTILINE)
    assert all(len(line) <= 78 or " " not in line for line in marked.sub("", text).splitlines())
    html = " ".join(" ".join(reader.words).split())
    for each in (str(mail["Subject"]), text, html):
        assert "&#" not in each and "&amp;" not in each and "!" not in each
    for each in links:
        text = re.sub(f"{re.escape(each)}$", "", text, flags=re.MULTILINE)
    plainly = marked.sub("", text.replace("\n--\n", "\n\n"))
    paragraphs = [" ".join(each.split()) for each in plainly.split("\n\n")]
    assert all(each in html for each in paragraphs), "both parts say the same"
    assert "We never ask for a code or password by email" in html
    assert mail["Auto-Submitted"] == "auto-generated"
    return Read(str(mail["Subject"]), " ".join(text.split()), html, link, settings)


def _told_apart(links: list[str]) -> tuple[str, bool]:
    """The one link of a letter, and whether the way to what its reader wishes of letters stands below it."""
    others = [each for each in links if each != f"{ours.PUBLIC_URL}/you/mail"]
    assert len(others) <= 1
    return others[0] if others else "", len(others) < len(links)


@pytest.fixture
def postman(settings: Any) -> Iterator[Postman]:
    """A mail server, and the settings that lead to it."""
    postman = Postman()
    port = free_port()
    controller = Controller(postman, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_SSL = settings.EMAIL_USE_TLS = False
    settings.EMAIL_TIMEOUT = 5
    yield postman
    controller.stop()


@pytest.fixture
def empty(live: None) -> None:
    """No letter waits and no digest is due: the worker looks at everybody, and each test has the post to itself."""
    LetterRow.objects.all().delete()
    DigestRow.objects.all().delete()
