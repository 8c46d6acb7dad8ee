"""How a letter reads: its words stand once, in `templates/mail/<letter>.txt`, and make both parts of the mail.

A template's first paragraph is the subject, the others are the letter. There is one link, and it reads as what it leads
to; times are told in the reader's zone, with its name.
"""

import textwrap
from collections.abc import Mapping
from datetime import date, datetime
from email.utils import format_datetime
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateformat import format as written

from apps.mail.store import Envelope
from apps.policy.ids import untyped
from apps.policy.letters import Given, Letter, inert, unpack

WIDTH = 72
# Which page a letter leads to. Who sits at several vaults has the one to choose first, and so goes who is led to none
# of these.
PAGES: Mapping[Letter, str] = {
    Letter.REQUEST: "web:request",
    Letter.RETURNED: "web:request",
    Letter.STOPPED: "web:grants",
    Letter.ENDED: "web:grants",
    Letter.DIGEST: "web:inbox",
    Letter.GOING: "web:going",
}
ELSEWHERE = "web:people"


def write(envelope: Envelope) -> EmailMultiAlternatives:
    """The mail. Its Message-ID and Date are the letter's own, however often it is sent (RFC 5322, 3.6.4)."""
    facts = unpack(envelope.letter, envelope.facts)
    zone = zone_of(envelope.time_zone)
    link = settings.PUBLIC_URL + _page(envelope.letter, facts)
    words = {name: _told(fact, zone) for name, fact in facts.items()}
    text = render_to_string(f"mail/{envelope.letter.value}.txt", words)
    subject, *paragraphs = [" ".join(each.split()) for each in text.split("\n\n") if each.strip()]
    host = urlsplit(settings.PUBLIC_URL).netloc
    around = {"subject": subject, "paragraphs": paragraphs, "link": link, "host": host}
    mail = EmailMultiAlternatives(
        subject,
        render_to_string("mail/_letter.txt", around | {"paragraphs": [_folded(each) for each in paragraphs]}),
        settings.MAIL_FROM,
        [envelope.to],
        headers={
            "Message-ID": f"<{envelope.letter_id.hex}@{urlsplit(settings.PUBLIC_URL).hostname}>",
            "Date": format_datetime(envelope.made_at.astimezone(zone)),
            "Auto-Submitted": "auto-generated",  # RFC 3834: no machine answers it
        },
    )
    mail.attach_alternative(render_to_string("mail/_letter.html", around), "text/html")
    return mail


def zone_of(name: str) -> ZoneInfo:
    """The zone of this name; UTC where this machine knows none such (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _page(letter: Letter, facts: Mapping[str, Given]) -> str:
    if facts.get("due"):
        return reverse("web:emergency-reviews")
    if facts.get("about") or facts.get("place"):
        return reverse(ELSEWHERE)
    return reverse(PAGES.get(letter, ELSEWHERE), args=[untyped("req", facts["request"])] if "request" in facts else [])


def _told(fact: Given, zone: ZoneInfo) -> Given:
    """A fact as it reads: a time with its zone, a name without hidden characters or anything that reads as a link."""
    if isinstance(fact, datetime):
        return f"{written(fact.astimezone(zone), 'D j M Y, H:i')} ({zone.key})"
    if isinstance(fact, date):
        return written(fact, "j F Y")
    return inert(fact) if isinstance(fact, str) else fact


def _folded(paragraph: str) -> str:
    return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)
