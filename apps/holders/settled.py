"""Rows of spaces and of what they settled, as facts: a part of the store."""

from collections.abc import Collection
from dataclasses import fields
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from apps.holders.growing import columns_of, table_of
from apps.holders.models import SettledRow, SpacePolicyRow, SpaceRow
from apps.ledger.format.turn import jcs
from apps.ledger.log import Act
from apps.policy.ids import instant, typed
from apps.policy.people import Settled, SpacePolicy, Tier
from apps.policy.retention import Keeping
from apps.policy.vocabulary import Category

FORMAT = "muniment-policy/1"


def found_space(act: Act, space_id: UUID, kind: str, name: str, policy: SpacePolicy) -> None:
    """A household or clinic, with what it begins with."""
    SpaceRow.objects.create(space_id=space_id, kind=kind, name=name)
    SpacePolicyRow.objects.create(space_id=space_id, **_columns(policy))


def policy_at(vault_id: UUID) -> SpacePolicy | None:
    """What the space a vault stands in has settled."""
    return _policy(SpacePolicyRow.objects.filter(space__vaultrow__vault_id=vault_id).first())


def policy_of(space_id: UUID) -> SpacePolicy | None:
    """What a space has settled."""
    return _policy(SpacePolicyRow.objects.filter(space_id=space_id).first())


def policies_of(space_ids: Collection[UUID]) -> dict[UUID, SpacePolicy]:
    """What each of these spaces has settled: one statement, however many."""
    rows = SpacePolicyRow.objects.filter(space_id__in=space_ids)
    return {row.space_id: found for row in rows if (found := _policy(row))}


def settle(act: Act, space_id: UUID, new: SpacePolicy, now: datetime) -> bytes:
    """Another policy holds from now on, and is kept for good. Returns the digest that its receipt is bound to."""
    text = canonical(new, space_id)
    SpacePolicyRow.objects.filter(space_id=space_id, version=new.version - 1).update(**_columns(new))
    SettledRow.objects.create(space_id=space_id, version=new.version, policy=text, notice=new.notice, settled_at=now)
    return sha256(text.encode()).digest()


def canonical(policy: SpacePolicy, space_id: UUID) -> str:
    """A policy as one JSON object in the form of RFC 8785: what the SHA-256 in its receipt is of."""
    body = {each.name: getattr(policy, each.name) for each in fields(policy)}
    body |= {
        "v": FORMAT,
        "space": typed("spc", space_id),
        "review_categories": [each.value for each in Category if each in policy.review_categories],
        "privacy_lead": typed("usr", policy.privacy_lead) if policy.privacy_lead else None,
        "tiers": _said(policy.tiers),
        "tiers_before": _said(policy.tiers_before),
        "tiers_from": instant(policy.tiers_from) if policy.tiers_from else None,
        "keeping": policy.keeping.to_json(),
    }
    return jcs(body).decode()


def _said(tiers: tuple[Tier, ...]) -> list[dict[str, object]]:
    return [{"from_years": each.from_years, "guardian": each.guardian} for each in tiers]


def settled(space_id: UUID) -> tuple[Settled, ...]:
    """Every policy that was settled in a space, newest first."""
    return tuple(map(_settled, SettledRow.objects.filter(space_id=space_id).order_by("-version")))


def notice_at(vault_id: UUID) -> tuple[UUID, int, str] | None:
    """The notice of the space that a vault stands in, with the space and the version of its policy."""
    rows = SpacePolicyRow.objects.filter(space__vaultrow__vault_id=vault_id)
    return rows.values_list("space_id", "version", "notice").first()


def notice(space_id: UUID, version: int) -> str:
    """The notice of a policy that was settled; "" where there is none."""
    rows = SettledRow.objects.filter(space_id=space_id, version=version)
    return rows.values_list("notice", flat=True).first() or ""


def _columns(policy: SpacePolicy) -> dict[str, object]:
    return {
        "review_categories": [each.value for each in Category if each in policy.review_categories],
        "most_ttl_seconds": policy.most_ttl_seconds,
        "most_reads": policy.most_reads,
        "preselect": policy.preselect,
        "break_glass": policy.break_glass,
        "notice": policy.notice,
        "lapse_days": policy.lapse_days,
        "cool_down_hours": policy.cool_down_hours,
        "tiers": columns_of(policy.tiers),
        "tiers_before": columns_of(policy.tiers_before),
        "tiers_from": policy.tiers_from,
        "privacy_lead_id": policy.privacy_lead,
        "version": policy.version,
        "keeping": policy.keeping.to_json(),
        "share_hours_most": policy.share_hours_most,
        "share_opens_most": policy.share_opens_most,
    }


def _policy(row: SpacePolicyRow | None) -> SpacePolicy | None:
    if row is None:
        return None
    return SpacePolicy(
        frozenset(map(Category, row.review_categories)),
        row.most_ttl_seconds,
        row.most_reads,
        row.preselect,
        row.break_glass,
        row.notice,
        row.lapse_days,
        row.cool_down_hours,
        table_of(row.tiers),
        row.privacy_lead_id,
        row.version,
        table_of(row.tiers_before),
        row.tiers_from,
        Keeping.of(row.keeping),
        row.share_hours_most,
        row.share_opens_most,
    )


def _settled(row: SettledRow) -> Settled:
    return Settled(row.version, row.settled_at, row.policy, sha256(row.policy.encode()).digest())
