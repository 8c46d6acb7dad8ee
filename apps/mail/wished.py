"""Rows of what people wish of mail, as facts."""

from datetime import datetime
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.functions import Now

from apps.mail.models import DigestRow, LetterRow, WishesRow
from apps.policy.letters import Letter, inert
from apps.policy.wishes import Every, Quiet, Switch, Wishes, next_digest, wants
from vault.zones import zone_named


def wishes(user_id: UUID) -> Wishes:
    """What this person wishes; as it is for everybody, where they said nothing, and where there is no such person."""
    row = WishesRow.objects.filter(to_id=user_id).first()
    return _fact(row) if row else Wishes()


def wishes_of(user_ids: list[UUID]) -> dict[UUID, Wishes]:
    """Those of several who said something. One statement."""
    return {row.to_id: _fact(row) for row in WishesRow.objects.filter(to_id__in=user_ids)}


def phrase_at(address: str) -> str:
    """The words of the person who signs in with this address, as a mail may bear them; "" for none and for nobody."""
    found = WishesRow.objects.filter(to__email__iexact=address).values_list("phrase", flat=True).first()
    return inert(found or "")


def known(user_id: UUID) -> bool:
    """Is there such a person, who may sign in?"""
    return get_user_model().objects.filter(pk=user_id, is_active=True).exists()


def keep(user_id: UUID, wished: Wishes, now: datetime) -> Wishes | None:
    """Keep what was wished knowing the version before it. None where it is another by now, or the person gone.

    Letters that wait and are done without from now on go nowhere; those that were held are looked at anew; and at
    another hour the person is looked up from the next one on.
    """
    with transaction.atomic():
        person = get_user_model().objects.select_for_update(no_key=True).filter(pk=user_id, is_active=True).first()
        before = wishes(user_id)
        if person is None or before.version != wished.version:
            return None
        if before.hour != wished.hour:
            at = next_digest(now, zone_named(person.time_zone), wished.hour)
            DigestRow.objects.filter(to_id=user_id).update(due_at=at)
        row = WishesRow(to_id=user_id, **_columns(wished))
        row.save(force_insert=wished.version == 0, force_update=wished.version > 0)
        unwanted = [each.value for each in Letter if not wants(wished, each)]
        waiting = LetterRow.objects.filter(to_id=user_id, sent_at=None, failed=False)
        waiting.filter(letter__in=unwanted).delete()
        waiting.filter(attempts=0).update(due_at=Now())
        return _fact(row)


def _columns(wished: Wishes) -> dict[str, object]:
    return {
        "off": sorted(wished.off),
        "receipts": wished.receipts.value,
        "hour": wished.hour,
        "quiet_from": wished.quiet and wished.quiet.begins,
        "quiet_until": wished.quiet and wished.quiet.ends,
        "phrase": wished.phrase,
        "version": wished.version + 1,
    }


def _fact(row: WishesRow) -> Wishes:
    quiet = Quiet(row.quiet_from, row.quiet_until) if row.quiet_from and row.quiet_until else None
    off = frozenset(Switch(each) for each in row.off if each in set(Switch))
    return Wishes(off, Every(row.receipts), row.hour, quiet, row.phrase, row.version)
