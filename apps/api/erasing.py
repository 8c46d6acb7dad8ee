"""What the REST surface takes of erasures: shapes only. What an order names is the rules' to say."""

from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from rest_framework import serializers

from apps.api.errors import Problem
from apps.api.fields import Instant, Text, TypedId, Word
from apps.api.problems import KINDS
from apps.erasure import services as erasure
from apps.erasure.services import Personal
from apps.policy.erasing import BY_HAND, Derived, Where
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Refusal

MOST_NAMED = 1_000
_Done = TypeVar("_Done")


def _many(child: serializers.Field[Any, Any, Any, Any], **options: Any) -> serializers.ListField:
    return serializers.ListField(child=child, default=list, max_length=MOST_NAMED, **options)


class WhereIn(serializers.Serializer[Any]):
    """Which memories: those that meet everything that is sent. Nothing sent names nothing."""

    memories = _many(TypedId("mem"), help_text="These, one by one.")
    subjects = _many(Text(), help_text="What stands under these subjects, each written whole.")
    below = serializers.BooleanField(default=False, help_text="And what stands below them: `home` with `home.door`.")
    categories = _many(Word(Category))
    sources = _many(Text(), help_text="What came from these sources, as the memories say it.")
    entities = _many(TypedId("ent"), help_text="What is about these, or ever was.")
    clients = _many(TypedId("cli"), help_text="What these clients suggested, and the holder approved.")
    made_before = Instant(default=None, allow_null=True)
    made_after = Instant(default=None, allow_null=True)


class PreviewIn(WhereIn):
    derived = Word(Derived, default=None, allow_null=True, help_text="What becomes of what was made from them.")


class OrderIn(PreviewIn):
    """An order. `plan` is the preview's: without it nothing goes but what is named one by one."""

    plan = Text(default=None, allow_null=True)
    basis = Word(sorted(BY_HAND), default=None, allow_null=True)
    request = Text(
        default="", allow_blank=True, help_text="What came with it, such as a number: at most 500 characters."
    )
    search = serializers.BooleanField(
        default=False,
        help_text="Look at what it says first, and for that in every file afterwards: of at most 100 memories.",
    )


class PersonalIn(serializers.Serializer[Any]):
    kinds = serializers.ListField(child=Word(Personal), default=list, help_text="None: every kind.")
    country = Text(default="GB", min_length=2, max_length=2, help_text="How a phone number without a prefix is read.")


def where_of(sent: dict[str, Any]) -> Where:
    """Which memories were meant."""
    return Where(
        ids=frozenset(sent["memories"]),
        subjects=frozenset(sent["subjects"]),
        below=sent["below"],
        categories=frozenset(sent["categories"]),
        sources=frozenset(sent["sources"]),
        entities=frozenset(sent["entities"]),
        clients=frozenset(sent["clients"]),
        made_before=sent["made_before"],
        made_after=sent["made_after"],
    )


def unbarred(done: _Done | Refused, holder: Holder, now: datetime) -> _Done | Refused:
    """What was done. Where a legal hold bars it, the problem tells the holder who laid it."""
    if isinstance(done, Refused) and done.reason is Refusal.LEGAL_HOLD:
        kind, by = KINDS[done.reason.value], ", ".join(sorted({each.by for each in erasure.holds(holder, now)}))
        raise Problem(done.reason.value, until=done.until, told=replace(kind, detail=f"{kind.detail} It is by: {by}."))
    return done
