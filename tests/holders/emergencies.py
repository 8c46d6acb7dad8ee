"""A clinic that allows emergencies: who may open a file in one, and who looks at it afterwards."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from apps.holders import services as holders
from apps.holders.models import MemberRow
from apps.holders.services import emergency
from apps.policy.emergency import Emergency
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import EmergencyReason, Role
from tests.cast import Vault
from tests.clinics import Clinic, open_clinic
from tests.holders.people import newcomer
from vault.clock import utc_now

NOTE = "Found unconscious in the waiting room"
REASON = EmergencyReason.LIFE_AT_RISK


@dataclass(frozen=True)
class Ward:
    """Nora may open a file there in an emergency, Paula is the privacy lead, Olga its admin; Leo's vault is there."""

    clinic: Clinic
    nora: Holder
    paula: Holder
    leo: Vault

    @property
    def space_id(self) -> UUID:
        return self.clinic.space_id

    def settle(self, **changes: object) -> None:
        """The clinic settles something else from now on."""
        wish = replace(holders.space_policy(self.space_id), **changes)  # type: ignore[arg-type]
        done = holders.settle(self.clinic.admin.user_id, self.space_id, wish, utc_now())
        assert not isinstance(done, Refused), done

    def number(self, vault: Vault | None = None) -> str:
        """Somebody's number, as the desk shows it."""
        return number_of(self.space_id, (vault or self.leo).holder.user_id)

    def enter(self, by: Holder | None = None, vault: Vault | None = None, at: datetime | None = None) -> Holder:
        """The seat of somebody who opened a vault in an emergency."""
        found = self.try_to_enter(by, vault, at)
        assert not isinstance(found, Refused), found
        return found

    def try_to_enter(
        self, by: Holder | None = None, vault: Vault | None = None, at: datetime | None = None
    ) -> Holder | Refused:
        """Look up whom it is, and come in, having shown just before who one is."""
        by, now = by or self.nora, at or utc_now()
        found = emergency.look_up(by.user_id, self.space_id, self.number(vault), now)
        if isinstance(found, Refused):
            return found
        return emergency.enter(by.user_id, self.space_id, found, REASON, NOTE, proved_at=now, now=now)

    def enter_long_ago(self, length: timedelta) -> None:
        """Come in so long ago: there need be no seat any more."""
        before = len(self.leo.receipts(kind="emergency.entered"))
        self.try_to_enter(at=utc_now() - length)
        assert len(self.leo.receipts(kind="emergency.entered")) == before + 1

    def opened(self, by: Holder | None = None) -> Emergency:
        """The emergency that somebody is in."""
        found = emergency.open_of((by or self.nora).user_id, utc_now())
        assert found is not None
        return found


def number_of(space_id: UUID, user_id: UUID) -> str:
    """A holder's number in a space, from the row that it is."""
    return str(MemberRow.objects.filter(space_id=space_id, user_id=user_id, role="holder").order_by("id")[0].pk)


@pytest.fixture
def ward(live: None) -> Ward:
    """A clinic that has switched emergencies on."""
    clinic, nora, paula = open_clinic(), newcomer("Nora"), newcomer("Paula")
    found = Ward(clinic, nora, paula, clinic.patient("Leo Maria Brandt"))
    clinic.joined(paula, Role.REVIEWER)
    found.settle(break_glass=True, privacy_lead=paula.user_id)
    clinic.joined(nora, Role.EMERGENCY)
    return found
