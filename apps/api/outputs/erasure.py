"""Erasures, as their holder sees them."""

from typing import Any

from rest_framework import serializers

from apps.api.fields import Instant, Named, Text, TypedId, Whole, Word
from apps.api.outputs.reading import FindingOut
from apps.api.outputs.shape import Shape
from apps.erasure.services import Found, Personal, Personals
from apps.policy.erasing import Basis, Derived, LegalHold, Order, Plan
from apps.policy.vocabulary import Category, State


class GoingOut(Shape, Named):
    """A memory that an order is about."""

    id = TypedId("mem", source="memory_id")
    subject = Text()
    label = Text()
    category = Word(Category)
    state = Word(State)
    version = Whole()


class LegalHoldOut(Shape):
    """Nothing is erased until then; `by` says who wants it so."""

    by = Text()
    why = Text()
    until = Instant()


class PreviewOut(Shape):
    """What an order would do.

    `going` is exactly what would be erased. `staying` was made from it, or merged into it, and would stay. Suggestions
    that were made from it are blanked where what was made from it goes. `still_held` say the same words and are not
    named. `plan` names this plan: send it with the order.
    """

    plan = Text()
    going = GoingOut(many=True)
    staying = GoingOut(many=True)
    made_from = serializers.BooleanField(help_text="Something was made from it: the order has to say `derived`.")
    suggestions = Whole()
    still_held = serializers.ListField(child=TypedId("mem"))
    counts = serializers.DictField(child=Whole(), help_text="How many of each category.")
    horizon_days = Whole(help_text="In so many days no backup opens it any more.")
    legal_holds = LegalHoldOut(many=True)


class PersonalOut(Shape):
    """A memory in which personal data of these kinds was found. It may only look like some."""

    memory = GoingOut()
    kinds = serializers.ListField(child=Word(Personal))


class PersonalsOut(Shape):
    """What was found by looking at so many values, each look with its receipt. `unread` are attested ones, which are
    opened for nobody but the holder.
    """

    found = PersonalOut(many=True)
    looked = Whole()
    unread = Whole()


class ErasureOut(Shape):
    """An order. What it names is out of reach from its first moment on; `certified` once nothing is left to do."""

    id = TypedId("ord", source="order_id")
    basis = Word(Basis)
    derived = Word(Derived, source="choice")
    whole_vault = serializers.BooleanField()
    memories = Whole()
    told = Whole(help_text="So many of them have their receipts.")
    kept = Whole(help_text="Memories that were made from it, and stay; 0 for whoever acts for the holder.")
    still_held = Whole(help_text="Other memories that say the same; 0 for whoever acts for the holder.")
    counts = serializers.DictField(child=Whole(), help_text="How many rows went from which place.")
    made_at = Instant()
    made_by = Text()
    done_at = Instant(allow_null=True)
    certified = serializers.BooleanField()
    request = Text(help_text="What came with it, while that is kept.")


class CertificateFileOut(Shape):
    """A certificate, and the receipt that it is bound to: docs/erasure-certificate.md."""

    format = Text()
    certificate = serializers.DictField()
    receipt = serializers.DictField()


class AuditOut(Shape):
    """Whether anything is left of what was erased: how far it reaches, what it cannot tell, what was found, and the
    verdict last. `unaudited` is no pass.
    """

    coverage = serializers.ListField(child=Text())
    unaudited = serializers.ListField(child=Text())
    findings = FindingOut(many=True)
    findings_in_all = Whole(help_text="How many there are; at most 100 are listed.")
    verdict = Word(Found)
    exit_code = Whole(help_text="0 clean, 1 findings, 2 unaudited: the program’s.")


def preview_facts(plan: Plan, holds: tuple[LegalHold, ...], horizon: int) -> dict[str, Any]:
    """A preview, as PreviewOut writes it."""
    return {
        "plan": plan.digest,
        "going": plan.going,
        "staying": plan.staying,
        "made_from": plan.made_from,
        "suggestions": len(plan.suggested),
        "still_held": plan.still_held,
        "counts": plan.counts,
        "horizon_days": horizon,
        "legal_holds": holds,
    }


def personal_facts(found: Personals) -> dict[str, Any]:
    """What was found, as PersonalsOut writes it."""
    listed = [{"memory": memory, "kinds": sorted(kinds)} for memory, kinds in found.found]
    return {"found": listed, "looked": found.looked, "unread": found.unread}


def order_facts(order: Order, request: str = "") -> dict[str, Any]:
    """An order, as ErasureOut writes it."""
    names = ("order_id", "basis", "choice", "whole_vault", "memories", "told", "kept", "still_held", "counts")
    more = ("made_at", "made_by", "done_at", "certified")
    return {each: getattr(order, each) for each in (*names, *more)} | {"request": request}
