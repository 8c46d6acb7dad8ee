"""The desk says who said yes and by which tier: as it was then, without saying when anybody was born."""

import re

import pytest

from apps.access import services as access
from apps.console.desk.words import decided
from apps.policy.vocabulary import Role
from tests.cast import Assistant, Vault
from tests.clinics import Clinic, allow
from tests.holders.children import born, grow
from tests.holders.people import acting, newcomer
from tests.review.test_the_desk import address, at_the_desk
from tests.surfaces.web import text_of


@pytest.mark.parametrize(
    ("age", "role", "said"),
    [
        (None, None, "self"),
        (None, Role.DELEGATE, "delegate"),
        (9, Role.GUARDIAN, "guardian, who decides until 13"),
        (9, None, "self, aged 0 to 13"),
        (14, None, "self, aged 13 to 18"),
        (18, None, "self"),
    ],
)
def test_it_stands_on_the_queue_the_row_and_the_file(
    casa: Clinic, leo: Vault, bot: Assistant, age: int | None, role: Role | None, said: str
) -> None:
    if age is not None:
        grow(leo.holder, born(age, days=40))
    allow(bot, "pills", who=acting(leo.holder, newcomer("Rosa"), role) if role else leo.holder)
    ((row,), (client, desk)) = access.queue(casa.desk(casa.rita)), at_the_desk(casa, casa.rita)
    assert decided(row.row) == said
    queue, one = text_of(client.get(desk)), text_of(client.get(address(client, desk)))
    assert re.search(rf'data-is="Decided by">{said}<', queue)
    assert f"yes: {said}, <time" in one
    assert "Rosa" not in queue + one
    file = client.get(f"{desk}waiting.csv").content.decode()
    band = row.row.band
    assert f",{role or Role.HOLDER},{f'{band.from_years}-{band.until_years}' if band else ''}," in file


def test_it_is_the_tier_that_held_when_it_was_said(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    grow(leo.holder, born(12, days=300))
    allow(bot, "pills", who=acting(leo.holder, newcomer("Rosa"), Role.GUARDIAN))
    grow(leo.holder, born(13, days=1))
    (row,) = access.queue(casa.desk(casa.rita))
    assert decided(row.row) == "guardian, who decides until 13"
