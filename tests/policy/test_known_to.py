"""Whom of a space a member may know of: in a clinic, that somebody holds a vault there tells of care."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.policy.people import Membership
from apps.policy.roles import known_to
from apps.policy.vocabulary import Role

ADMIN, REVIEWER, ANA, BEN, STRANGER = (UUID(int=number) for number in range(1, 6))
ROLES = {ADMIN: {Role.ADMIN}, REVIEWER: {Role.REVIEWER}, ANA: {Role.HOLDER}, BEN: {Role.HOLDER}}


def members(kind: str) -> list[Membership]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Membership(UUID(int=9), "Here", kind, user_id, str(user_id), "", frozenset(roles), at)
        for user_id, roles in ROLES.items()
    ]


@pytest.mark.parametrize(
    ("kind", "who", "known"),
    [
        ("household", ANA, {ADMIN, REVIEWER, ANA, BEN}),
        ("clinic", ADMIN, {ADMIN, REVIEWER, ANA, BEN}),
        ("clinic", REVIEWER, {ADMIN, REVIEWER}),
        ("clinic", ANA, {ADMIN, REVIEWER, ANA}),
        ("clinic", STRANGER, set()),
        ("household", STRANGER, set()),
    ],
)
def test_whom_a_member_knows_of(kind: str, who: UUID, known: set[UUID]) -> None:
    assert {each.user_id for each in known_to(who, members(kind))} == known
