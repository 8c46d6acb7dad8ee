"""What templates need of us: times in the holder's zone, typed ids, words, and strangers' text made safe to look at."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from apps.access.services import Content
from apps.erasure.places import Goes
from apps.erasure.services import Personal
from apps.policy.arriving import Course
from apps.policy.erasing import Basis, Residue
from apps.policy.ids import typed
from apps.policy.life import Why
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.looks import posing
from apps.policy.proposals import Proposal
from apps.policy.shares import Code, ShareState
from apps.policy.text import lines, pieces, plain, visible
from apps.policy.vocabulary import (
    Category,
    Claim,
    Directive,
    EmergencyEnd,
    EmergencyFinding,
    EmergencyReason,
    Ended,
    GrantState,
    ItemState,
    Kind,
    Level,
    MarkKind,
    PartStatus,
    ProposalStatus,
    Purpose,
    Refusal,
    Role,
    State,
)
from apps.policy.when import parse
from apps.web import browsers, endings, words

register = template.Library()

_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")

_TABLES: dict[type[Enum], Any] = {
    Category: words.CATEGORIES,
    Purpose: words.PURPOSES,
    Claim: words.CLAIMS,
    State: words.STATES,
    PartStatus: words.PARTS,
    GrantState: words.GRANTS,
    ProposalStatus: words.PROPOSALS,
    Directive: words.DIRECTIVES,
    MarkKind: words.MARKS,
    ItemState: words.ITEMS,
    Role: words.ROLES,
    Level: words.LEVELS,
    EmergencyReason: words.EMERGENCIES,
    EmergencyEnd: words.ENDS,
    EmergencyFinding: words.FINDINGS,
    Ended: words.ENDED,
    Kind: words.MEMORY_KINDS,
    Why: words.LOOKS,
    EntityKind: words.ENTITIES,
    EdgeKind: words.EDGES,
    Content: words.CONTENTS,
    Basis: words.BASES,
    Residue: words.RESIDUES,
    Personal: words.PERSONALS,
    Goes: words.GOING,
    Code: words.CODES,
    Course: words.COURSES,
    ShareState: words.SHARES,
}
SHAPES = {
    "time": "%H:%M:%S",
    "minute": "%H:%M",
    "day": "%-d %b %Y",
    "full": "%-d %b %Y, %H:%M:%S",
    "short": "%-d %b %Y, %H:%M",
}


def zone_named(name: str) -> ZoneInfo:
    """The time zone of this name; UTC for one that this machine doesn't know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


@register.simple_tag(takes_context=True)
def when(context: template.Context, at: datetime, shape: str = "short", zone: str = "") -> SafeString:
    """A `<time>` in the holder's zone (or in `zone`), its name said and its exact moment in `datetime`."""
    name = zone or context.get("zone") or "UTC"
    local = at.astimezone(zone_named(name() if callable(name) else name))
    exact = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    text, place = local.strftime(SHAPES[shape]), local.tzname() or "UTC"
    if shape in ("full", "short"):
        return format_html('<time datetime="{}">{} {}</time>', exact, text, place)
    full = f"{local.strftime(SHAPES['full'])} {place}"
    return format_html('<time datetime="{}" title="{}">{}</time>', exact, full, text)


@register.simple_tag(takes_context=True)
def written(context: template.Context, said: str) -> SafeString:
    """When something was true, as it is kept (see apps/policy/when.py): a day in words, which no zone shifts; or a
    moment in the holder's zone.
    """
    found = parse(said, "when")
    if found is None:
        return mark_safe("")
    if found.at is not None:
        return when(context, found.at)
    return format_html('<time datetime="{}">{}</time>', said, day(found.day))


@register.simple_tag(takes_context=True)
def seat(context: template.Context) -> SafeString | str:
    """In every form that posts, after its token: the seat that its page is shown at (see apps/web/doors.py)."""
    found = context.get("holder")
    found = found() if callable(found) else found
    return format_html('<input type="hidden" name="seat" value="{}">', typed("vlt", found.vault_id)) if found else ""


@register.filter
def tid(value: UUID, prefix: str) -> str:
    """A typed id: `memory_id|tid:"mem"`."""
    return typed(prefix, value)


@register.filter
def word(value: Enum) -> str:
    """What the pages call this member of a closed list."""
    return str(_TABLES[type(value)][value])


@register.filter
def purpose(value: str) -> str:
    """A purpose as receipts write it, in words."""
    return words.PURPOSES[Purpose(value)]


@register.filter
def why(value: Refusal) -> str:
    """A refusal in a few words."""
    return words.REFUSALS[Refusal(value)].short


@register.filter
def chips(text: str) -> SafeString:
    """A stranger's text, escaped, its lines kept; every hidden or control character is shown as a chip, and so is a
    letter that poses as one of another script. What is written from right to left stands by itself, in its own
    direction, and moves nothing of the sentence around it.
    """
    shown = "<br>".join(_line(line) for line in lines(text))
    return mark_safe(f"<bdi>{shown}</bdi>" if _LEFTWARD.search(text) else shown)  # noqa: S308  (each line is escaped)


@register.filter
def seen(text: str) -> str:
    """As `chips`, where no markup can stand: in a title, or for a screen reader."""
    return visible(text)


def _line(line: str) -> SafeString:
    poses = frozenset(posing(line))
    if plain(line) and not poses:  # nearly every line, and of long lists
        return escape(line)
    shown = (
        _chip(text.strip("[]"), "a hidden character")
        if hidden
        else _chip(text, f"not the letter that it looks like, but {unicodedata.name(text).lower()}")
        if place in poses
        else text
        for place, (text, hidden) in enumerate(pieces(line))
    )
    return format_html_join("", "{}", ((each,) for each in shown))


def _chip(text: str, title: str) -> SafeString:
    return format_html('<span class="chip" title="{}">{}</span>', title, text)


@register.filter
def done(directive: Directive) -> str:
    """What an approved suggestion did, in a few words."""
    return words.DIRECTIVES_DONE[directive]


@register.filter
def ended(proposal: Proposal) -> str:
    """How a suggestion ended, in a few words."""
    return endings.ended(proposal)


@register.filter
def headed(proposal: Proposal) -> str:
    """What a suggestion is called: by its label, or by what it is about that has none."""
    if proposal.forgotten:
        return "About an erased memory"
    return proposal.label or "Whom or what memories are about"


@register.filter
def noticed(proposal: Proposal) -> list[str]:
    """What was noticed about a suggestion, each thing once, in words."""
    return list(dict.fromkeys(words.noticed(mark, proposal.rivals) for mark in proposal.marks))


@register.filter
def side(why: str) -> str:
    """What stands beside a suggestion, in a few words."""
    return words.SIDES[why]


@register.filter
def browser(user_agent: str) -> str:
    """A browser and its system in a few words."""
    return browsers.named(user_agent)


@register.filter
def day(value: date) -> str:
    """A calendar day, in words."""
    return value.strftime("%-d %b %Y")


@register.filter
def get(names: dict[str, str], client_id: UUID) -> str:
    """A client's name out of a table keyed by typed id; or that of whoever a link of a share is for."""
    by_link = names.get(typed("lnk", client_id))
    if by_link is not None:
        return by_link or "Whoever has a link that was shared"
    return names.get(typed("cli", client_id), "An assistant")


@register.filter
def called(names: Mapping[UUID, str], thing: UUID | None) -> str:
    """What a memory, or whom or what it is about, is called, out of a table by id; of what is not seen, that."""
    return (names.get(thing, "") if thing is not None else "") or "something that is gone"


@register.filter
def at(counts: Mapping[Any, int], key: object) -> int:
    """How many there are of this."""
    return counts.get(key, 0)


@register.filter
def span(length: timedelta) -> str:
    """A length of time in the largest unit that fits it: `7 days`, `1 hour`, `90 minutes`."""
    seconds = int(length.total_seconds())
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size} {unit}{'s' if seconds != size else ''}"
    return f"{seconds} seconds"


@register.simple_tag(takes_context=True)
def daybreak(context: template.Context, at: datetime, zone: str) -> str:
    """The day of a line in a list, newest first, where it differs from the line before it; else ''."""
    said = at.astimezone(zone_named(zone)).strftime("%A, %-d %B %Y")
    seen = context.render_context
    if seen.get("daybreak") == said:
        return ""
    seen["daybreak"] = said
    return f"{said}, {zone}"


@register.simple_tag(takes_context=True)
def handed_over(context: template.Context, count: int, where: str, last: datetime | None = None) -> str:
    """The honest line beside *Stop*: how often something left already, and that it can't be pulled back."""
    name = context.get("zone") or "UTC"
    return left_already(count, where, last, name() if callable(name) else name)


def left_already(count: int, where: str, last: datetime | None, zone: str) -> str:
    """How often something was handed over, when last (in this zone), and that it can't be pulled back."""
    if not count:
        return f"Nothing was handed over {where} yet."
    local = last.astimezone(zone_named(zone)) if last else None
    when_last = f", last on {local.strftime(SHAPES['short'])} {local.tzname()}" if local else " already"
    times, those = ("time", "that") if count == 1 else ("times", "those")
    return f"Handed over {count} {times}{when_last}. We can’t pull {those} back."
