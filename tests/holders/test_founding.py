"""An operator founds a space for somebody who has signed up; a mistake is a sentence, and founds nothing."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.people import actor
from apps.policy.vocabulary import Role
from tests.cast import Vault
from tests.holders.people import address_of


def test_a_clinic_is_founded_with_its_first_admin_and_a_ledger(alice: Vault) -> None:
    said = StringIO()
    call_command("found_space", "clinic", "Casa M.", address_of(alice.holder), stdout=said)
    (clinic,) = [each for each in holders.memberships(alice.holder.user_id) if each.kind == "clinic"]
    assert f"spc_{clinic.space_id.hex} is founded" in said.getvalue()
    assert (clinic.space_name, clinic.roles) == ("Casa M.", {Role.ADMIN})
    written = ledger.receipts(clinic.space_id, actor(Role.ADMIN, alice.holder.user_id))
    assert [each.kind for each in reversed(written)] == ["space.founded", "member.joined"]


@pytest.mark.parametrize(("name", "admin"), [("Casa M.", "nobody@home.example"), ("", ""), ("Casa\nM.", "")])
def test_a_mistake_founds_nothing(alice: Vault, name: str, admin: str) -> None:
    before = holders.census().spaces
    with pytest.raises(CommandError):
        call_command("found_space", "clinic", name, admin or address_of(alice.holder), stdout=StringIO())
    assert holders.census().spaces == before
