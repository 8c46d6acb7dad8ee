"""What is not there for whoever acts for the holder. Within a look or an act."""

from collections.abc import Collection
from uuid import UUID

from apps.memories import linked, proposed, store
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder


@needs(Deed.LOOK)
def sealed_within(holder: Holder) -> frozenset[UUID]:
    """The memories that are sealed from this seat; from the holder none is."""
    return store.sealed(holder.vault_id) if holder.acting else frozenset()


@needs(Deed.LOOK)
def unseen_within(holder: Holder) -> frozenset[UUID]:
    """The memories that this seat does not see, and whom or what they alone are about; from the holder none is."""
    if not holder.acting:
        return frozenset()
    unseen = {each.memory_id for each in store.memories(holder.vault_id) if not sees(holder, each)}
    return frozenset(unseen | linked.known_by_alone(holder.vault_id, unseen))


def proposed_within(sealed: Collection[UUID], vault_id: UUID) -> tuple[UUID, ...]:
    """The proposals that became these memories."""
    return proposed.proposed_as(vault_id, sealed) if sealed else ()
