"""What is not there for whoever acts for the holder. Within a look or an act."""

from collections.abc import Collection
from uuid import UUID

from apps.memories import erased, linked, proposed, store
from apps.policy.roles import Deed, hides, needs
from apps.policy.types import Holder


@needs(Deed.LOOK)
def sealed_within(holder: Holder) -> frozenset[UUID]:
    """The memories that are sealed from this seat, or were when they were erased; from the holder none is."""
    return store.sealed(holder.vault_id) | erased.hidden(holder.vault_id) if holder.acting else frozenset()


@needs(Deed.LOOK)
def unseen_within(holder: Holder) -> frozenset[UUID]:
    """The memories that this seat does not see, whom or what they alone are about, and their edges; from the holder
    none is. It costs by how many these are, not by how much there is.
    """
    states, categories = hides(holder)
    if not states and not categories:
        return frozenset()
    unseen = linked.unseen(holder.vault_id, states, categories)
    return unseen | linked.hanging_on(holder.vault_id, unseen)


def proposed_within(sealed: Collection[UUID], vault_id: UUID) -> tuple[UUID, ...]:
    """The proposals that are about these memories, or what hangs on them, or became them, or tell of a link to them."""
    return proposed.unseen_with(vault_id, linked.hanging_on(vault_id, sealed).union(sealed)) if sealed else ()
