"""What ends when a vault is erased: that it is anybody's, and the account of a person who has no other place here."""

from collections import Counter

from apps.holders import closing, store
from apps.ledger.log import Act
from apps.mail import services as mail
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder


@needs(Deed.END)
def end_within(holder: Holder, within: Act) -> tuple[Counter[str], bool]:
    """The vault is nobody's, within the act that erases it. Whoever has no other place here is forgotten: their
    address, their second factors and every sign-in of theirs; a space that is empty then has no name.

    Returns how many rows went from which place, and whether the account went.
    """
    counts = closing.end(within)
    counts["letters"] = mail.end_within(within)
    alone = closing.own_households(holder.user_id)
    closing.leave_households(within, holder.user_id, alone)
    if closing.placed(holder.user_id):
        return counts, False
    counts["letters"] += mail.forget_person(within, holder.user_id)
    closing.forget(within, holder.user_id)
    return counts, True


@needs(Deed.END)
def address_of(holder: Holder) -> str:
    """The address that this person signs in with: what tells them of the end of their vault has to know it before."""
    return store.address(holder.user_id)
