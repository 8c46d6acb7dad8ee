"""Links as people make and open them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.ledger.log import fetch
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from apps.shares import services as shares
from apps.shares import store
from tests.cast import Vault
from vault.clock import utc_now

GONE = Refused(Refusal.SHARE_GONE)


def shared(vault: Vault, *names: str, **more: Any) -> shares.Made:
    """A share over these memories."""
    made = shares.make(vault.holder, [vault.ids[name] for name in names], more.pop("now", None) or utc_now(), **more)
    assert isinstance(made, shares.Made), made
    return made


def one(vault: Vault, *names: str, **more: Any) -> tuple[shares.Share, str]:
    """A share with one link that is nobody's: the share, and its token."""
    made = shared(vault, *names, **more)
    (link,) = made.links
    return made.share, link.token


def opened(token: str, **more: Any) -> shares.Opened:
    """Somebody presses Open, and gets something."""
    done = shares.open_(token, more.pop("now", None) or utc_now(), **more)
    assert isinstance(done, shares.Opened), done
    return done


def seen(token: str) -> list[str | None]:
    """The values that an opening hands over; none where there is nothing to open."""
    done = shares.open_(token, utc_now())
    return [each.value for each in done.values] if isinstance(done, shares.Opened) else []


def lock(vault_id: UUID, share: shares.Share, token: str) -> None:
    """Its code was tried too often by now: one try is left of all, and it is wrong."""
    left = "UPDATE share SET tries_left = 1 WHERE vault_id = %s AND share_id = %s"
    fetch(vault_id, store.DOOR, [(left, [vault_id, share.share_id])])
    assert shares.open_(token, utc_now(), code="000001") == GONE


def told(vault: Vault, share: shares.Share) -> shares.Shared:
    """The share as its owner sees it."""
    found = shares.share(vault.holder, share.share_id, utc_now())
    assert found is not None
    return found


HOUR = timedelta(hours=1)
