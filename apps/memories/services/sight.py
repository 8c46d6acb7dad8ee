"""What is not there for whoever acts for the holder. Within a look or an act."""

from collections.abc import Collection
from uuid import UUID

from apps.memories import proposed, store
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder


@needs(Deed.LOOK)
def sealed_within(holder: Holder) -> frozenset[UUID]:
    """The memories that are sealed from this seat; from the holder none is."""
    return store.sealed(holder.vault_id) if holder.acting else frozenset()


def proposed_within(sealed: Collection[UUID], vault_id: UUID) -> tuple[UUID, ...]:
    """The proposals that became these memories."""
    return proposed.proposed_as(vault_id, sealed) if sealed else ()
