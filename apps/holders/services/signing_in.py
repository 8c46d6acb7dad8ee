"""Letters about an account: who signs in with what. They belong to no act, since an account is no vault's."""

from datetime import datetime
from uuid import UUID

from apps.ledger.ids import new_id
from apps.mail import services as mail
from apps.policy.ids import instant
from apps.policy.letters import Given, Letter


def signed_in(user_id: UUID, client: str, now: datetime) -> bool:
    """Tell somebody that they signed in with a browser that was not known. True if a letter goes."""
    return mail.remind(Letter.SIGNED_IN, user_id, {"client": client, "at": now}, key=instant(now))


def factor_changed(user_id: UUID, what: str, how: str, now: datetime) -> bool:
    """Tell somebody that a passkey, one-time codes or recovery codes were added or removed. True if a letter goes."""
    facts: dict[str, Given] = {"what": what, "how": how, "at": now}
    return mail.remind(Letter.FACTOR, user_id, facts, key=f"{instant(now)}/{new_id().hex}")
