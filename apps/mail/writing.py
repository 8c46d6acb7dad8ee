"""How a letter reads: its words stand once, in `templates/mail/<letter>.txt`, and make both parts of the mail.

A template's first paragraph is the subject, the others are the letter. There is at most one link to follow, and it
reads as what it leads to; times are told in the reader's zone, with its name.
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from email.utils import format_datetime, parseaddr, quote
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateformat import format as written

from apps.mail.leaving import leaving_token
from apps.mail.store import Envelope
from apps.policy.ids import untyped
from apps.policy.letters import FACTS, OUTSIDE, Days, Fact, Given, Kind, Letter, inert, quoted, unpack
from apps.policy.wishes import BY_SCHEDULE, SWITCHES
from vault.tokens import share_address, share_code, share_token
from vault.zones import zone_named

WIDTH = 72
# Which page a letter leads to. Who sits at several vaults has the one to choose first, and so goes who is led to none
# of these.
PAGES: Mapping[Letter, str] = {
    Letter.REQUEST: "web:request",
    Letter.RETURNED: "web:request",
    Letter.STOPPED: "web:grants",
    Letter.ENDED: "web:grants",
    Letter.DIGEST: "web:inbox",
    Letter.RECEIPTS: "web:ledger",
    Letter.GOING: "web:going",
    Letter.KEY: "web:grants",
    Letter.SIGNED_IN: "usersessions_list",
    Letter.FACTOR: "mfa_index",
}
ELSEWHERE = "web:people"
# What a line of a template begins with that is no running text. Both are control characters: no name and nobody's words
# bring one along (`policy.text.visible`), so nothing that a stranger writes looks like ours.
ROW, QUOTE = "\x1e", "\x1f"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: running text, or `rows`, or what somebody wrote (`quote`), line by line."""

    lines: tuple[str, ...]
    rows: bool = False
    quote: bool = False

    @property
    def text(self) -> str:
        """As it stands in the text part."""
        mark = "  > " if self.quote else "- " if self.rows else ""
        rest = mark if self.quote else " " * len(mark)
        return "\n".join(
            textwrap.fill(
                each,
                WIDTH,
                initial_indent=mark,
                subsequent_indent=rest,
                break_long_words=False,
                break_on_hyphens=False,
            )
            for each in self.lines
        )


class Mail(EmailMultiAlternatives):
    """A mail of two parts, and what a provider that takes it is to say with all that it tells of it (`hearing`)."""

    metadata: Mapping[str, str]  # read by django-anymail; over SMTP by nobody


class OneLine(Mail):
    """A mail whose header fields stand on one line each, as RFC 5322, 2.1.1 lets them: some mail servers sign a
    `List-Unsubscribe` over two as it is not sent.
    """

    def message(self, **options: Any) -> Any:
        made = super().message(**options)
        made.policy = made.policy.clone(max_line_length=998)
        return made


def write(envelope: Envelope) -> Mail:
    """The mail. Its Message-ID and Date are the letter's own, however often it is sent (RFC 5322, 3.6.4)."""
    letter, facts = envelope.letter, unpack(envelope.letter, envelope.facts)
    zone = zone_named(envelope.time_zone)
    words = {name: _told(FACTS[letter][name], fact, zone) for name, fact in facts.items()}
    around: dict[str, Any] = words | {"outside": letter in OUTSIDE, "gone": facts.get("account")}
    if envelope.reader is not None:
        around |= {"phrase": inert(envelope.wishes.phrase), "settings": settings.PUBLIC_URL + reverse("web:mail")}
    if letter is Letter.SHARE_CODE:
        around["digits"] = share_code(_uuid(facts["challenge"]))
    headers = {
        "Message-ID": f"<{envelope.letter_id.hex}@{urlsplit(settings.PUBLIC_URL).hostname}>",
        "Date": format_datetime(envelope.made_at.astimezone(zone)),
        **_unsubscribe(envelope),
    }
    sender = _sender(str(words.get("home", "")))
    mail = compose(letter.value, around, envelope.to, link=_link(letter, facts), sender=sender, headers=headers)
    mail.metadata = {"letter": envelope.letter_id.hex}
    return mail


def compose(
    template: str,
    around: Mapping[str, Any],
    to: str,
    *,
    link: str = "",
    sender: str = "",
    headers: Mapping[str, str] | None = None,
) -> Mail:
    """A mail of two parts that say the same, made of `templates/mail/<template>.txt` and what is `around` its words."""
    around = {"host": urlsplit(settings.PUBLIC_URL).netloc, "row": ROW, "replies": settings.MAIL_REPLY_TO, **around}
    subject, *paragraphs = _paragraphs(render_to_string(f"mail/{template}.txt", around))
    parts = {
        "subject": subject.text,
        "paragraphs": paragraphs,
        "link": link,
        "foot": _paragraphs(render_to_string("mail/_foot.txt", around)),
        "settings": around.get("settings"),
    }
    kind = OneLine if "List-Unsubscribe" in (headers or {}) else Mail
    mail = kind(
        " ".join(subject.lines),
        render_to_string("mail/_letter.txt", parts),
        sender or settings.MAIL_FROM,
        [to],
        reply_to=[settings.MAIL_REPLY_TO] if settings.MAIL_REPLY_TO else None,
        headers={**(headers or {}), "Auto-Submitted": "auto-generated"},  # RFC 3834: no machine answers it
    )
    mail.attach_alternative(render_to_string("mail/_letter.html", parts), "text/html")
    return mail


def html_of(subject: str, text: str) -> str:
    """The second part of a mail that is no letter, and says at once what somebody asked for: the words of its first."""
    paragraphs = [each.splitlines() for each in text.split("\n\n") if each.strip()]
    return render_to_string("mail/_plain.html", {"subject": subject, "paragraphs": paragraphs})


def _sender(home: str) -> str:
    """The instance's address, by the name of the household that the letter comes from, where it may be said."""
    return f'"{quote(home)}" <{parseaddr(settings.MAIL_FROM)[1]}>' if home else settings.MAIL_FROM


def _unsubscribe(envelope: Envelope) -> dict[str, str]:
    """How a mail program is rid of what comes by schedule, at one press and without a question (RFC 8058)."""
    switch = SWITCHES[envelope.letter]
    if envelope.reader is None or switch is None or envelope.letter not in BY_SCHEDULE:
        return {}
    address = settings.PUBLIC_URL + reverse("web:unsubscribe", args=[leaving_token(envelope.reader, switch)])
    return {"List-Unsubscribe": f"<{address}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def _link(letter: Letter, facts: Mapping[str, Given]) -> str:
    """Where it leads to: a whole address; "" where there is nothing to follow."""
    if letter is Letter.SHARE:
        return share_address(share_token(_uuid(facts["link"]), bytes.fromhex(str(facts["salt"]))))
    page = _page(letter, facts)
    return settings.PUBLIC_URL + page if page else ""


def _page(letter: Letter, facts: Mapping[str, Given]) -> str:
    if letter is Letter.SHARE_CODE or (facts.get("whole") and letter is Letter.ERASED):
        return ""  # whoever waits for a code has the page open; of a vault that is gone there is no page
    if facts.get("due"):
        return reverse("web:emergency-reviews")
    if facts.get("about") or facts.get("place"):
        return reverse(ELSEWHERE)
    if "share" in facts:
        return reverse("web:share", args=[_uuid(facts["share"])])
    if "order" in facts:
        return reverse("web:erasure", args=[_uuid(facts["order"])])
    return reverse(PAGES.get(letter, ELSEWHERE), args=[untyped("req", facts["request"])] if "request" in facts else [])


def _uuid(given: Given) -> UUID:
    return UUID(str(given)[4:])


def _told(fact: Fact, given: Given, zone: ZoneInfo) -> Given:
    """A fact as it reads: a time with its zone; a name or somebody's words without hidden characters or anything that
    reads as a link.
    """
    if isinstance(given, datetime):
        return f"{written(given.astimezone(zone), 'D j M Y, H:i')} ({zone.key})"
    if isinstance(given, date):
        return written(given, "j F Y")
    if isinstance(given, Days):
        return _days(given.first, given.last)
    if isinstance(given, tuple):
        return tuple(replace(each, name=inert(each.name)) for each in given)
    if fact.kind is Kind.WORDS:
        return "\n".join(QUOTE + each for each in quoted(str(given)))
    return inert(given) if isinstance(given, str) else given


def _days(first: date, last: date) -> str:
    """A span of days, as briefly as it can be told: 23–29 Nov."""
    if first == last:
        return written(last, "j M")
    if first.year != last.year:
        return f"{written(first, 'j M Y')} – {written(last, 'j M Y')}"
    if first.month != last.month:
        return f"{written(first, 'j M')} – {written(last, 'j M')}"
    return f"{first.day}–{written(last, 'j M')}"


def _paragraphs(text: str) -> list[Paragraph]:
    """What a template has become, paragraph by paragraph."""
    return [_paragraph(each.strip(" \n")) for each in text.split("\n\n") if each.strip(" \n")]


def _paragraph(text: str) -> Paragraph:
    mark = text[0]
    if mark not in (ROW, QUOTE):
        return Paragraph((" ".join(text.split()),))
    found = tuple(" ".join(each.replace(mark, "").split()) for each in text.split("\n"))
    return Paragraph(found, rows=mark == ROW, quote=mark == QUOTE)
