"""Letters about shares: the link and its code to whom it is for, and how it goes to whoever may share here.

No label and no value stands in one, and no token: a letter holds what leads to it until it is written.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from apps.holders import services as holders
from apps.ledger.log import Act
from apps.mail import services as mail
from apps.policy.arriving import Course
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.roles import Deed, may, needs
from apps.policy.shares import CODE_LASTS, Link, Opening, Share, may_be_seen
from apps.policy.types import Holder
from apps.shares import store
from apps.shares.services.seeing import left_within, openings_within


@needs(Deed.SHARE)
def hand_out(holder: Holder, within: Act, share: Share, salts: Sequence[bytes]) -> tuple[str, ...]:
    """Send each link to whom it is for, where they have an address. Returns the addresses that a letter goes to."""
    home = holders.household_of(holder.vault_id)
    told: list[str] = []
    for link, salt in zip(share.links, salts, strict=True):
        facts: dict[str, Given] = {
            "who": share.sender,
            "home": home,
            "words": share.note,
            "until": share.expires_at,
            "opens": share.opens_most,
            "code": share.code.value,
            "link": typed("lnk", link.link_id),
            "salt": salt.hex(),
        }
        if link.address and mail.post_to(
            within, Letter.SHARE, link.address, holder.time_zone, facts, key=_handing_out(link)
        ):
            told.append(link.address)
    return tuple(told)


@needs(Deed.SHARE)
def courses(holder: Holder, share_id: UUID | None = None) -> dict[str, Course]:
    """How far the letters with the links of a share are, or of all, by `lnk_…`. Of old ones, and of links without,
    nothing.
    """
    sent = mail.letters_of(holder.vault_id, f"{typed('shr', share_id)}/" if share_id else "shr_")
    return {each.key.partition("/")[2]: each.course for each in sent if each.letter is Letter.SHARE}


def challenge(within: Act, share: Share, link: Link, challenge_id: UUID, now: datetime) -> bool:
    """Send the code of a challenge to whom a link is for."""
    own = holders.holder_of_vault(within.vault_id)
    zone = own.time_zone if own else "UTC"
    facts: dict[str, Given] = {
        "who": share.sender,
        "home": holders.household_of(within.vault_id),
        "until": min(now + CODE_LASTS, share.expires_at),
        "challenge": typed("chl", challenge_id),
    }
    key = f"{_codes_for(link)}{typed('chl', challenge_id)}"
    return mail.post_to(within, Letter.SHARE_CODE, link.address, zone, facts, key=key)


def opened(vault_id: UUID, opening: Opening, share: Share, now: datetime) -> int:
    """Tell whoever may share here that a link was opened: once for each opening, as it stood then, and whether it has
    ended since. How many letters.
    """
    names = {each.link_id: each.name for each in share.links}
    sent = 0
    for seat in _sharing(vault_id):
        openings = openings_within(seat, share.share_id)  # newest first
        later = next((n for n, each in enumerate(openings) if each.opening_id == opening.opening_id), None)
        for left in left_within(seat, [share]):
            if later is not None:
                facts = holders.whose_vault(seat) | {
                    "name": names.get(opening.link_id, ""),
                    "client": opening.client,
                    "at": opening.opened_at,
                    "left": left.opens_left + later,
                    "over": not may_be_seen(left, openings, now),
                    "until": share.expires_at,
                    "share": typed("shr", share.share_id),
                }
                key = f"{typed('shr', share.share_id)}/{typed('opn', opening.opening_id)}"
                sent += mail.remind(Letter.SHARE_OPENED, seat.user_id, facts, key=key, vault_id=vault_id)
    return sent


def unsend(within: Act, links: Iterable[Link]) -> None:
    """Send no link and no code that has not gone yet, of these links, since they open nothing any more."""
    for link in links:
        for keys in (_handing_out(link), _codes_for(link)):
            mail.take_back(within, keys)


def _handing_out(link: Link) -> str:
    """The key of the letter with a link."""
    return f"{typed('shr', link.share_id)}/{link.recipient}"


def _codes_for(link: Link) -> str:
    """What the keys of all letters with its codes begin with."""
    return f"{link.recipient}/"


@needs(Deed.STOP)
def stopped(holder: Holder, within: Act, share_id: UUID, now: datetime) -> None:
    """Confirm that a share was stopped: to who pressed, and to the holder where that was somebody else."""
    whole = store.share(within.vault_id, share_id)
    for seat in holders.pressed(holder):
        who = holder.name if seat.user_id != holder.user_id else ""
        _ended(within, seat, whole, "stopped", now, who)


def ended(within: Act, share_id: UUID, how: str, now: datetime) -> None:
    """Tell whoever may share here that a share has ended without a press. Of its links and codes nothing more goes."""
    whole = store.share(within.vault_id, share_id)
    unsend(within, whole.links if whole is not None else ())
    for seat in _sharing(within.vault_id):
        _ended(within, seat, whole, how, now)


def _ended(within: Act, seat: Holder, share: Share | None, how: str, now: datetime, who: str = "") -> None:
    """Tell one seat, of as much of the share as is there for it. None: it is gone, and nobody is told."""
    for left in left_within(seat, [share] if share is not None else []):
        facts = holders.whose_vault(seat) | {
            "how": how,
            "who": who,
            "at": now,
            "opens": left.opens,
            "share": typed("shr", left.share_id),
        }
        mail.post(within, Letter.SHARE_STOPPED, seat.user_id, facts, key=f"{typed('shr', left.share_id)}/{how}")


def _sharing(vault_id: UUID) -> tuple[Holder, ...]:
    return tuple(each for each in holders.deciding(vault_id) if may(each, Deed.SHARE) is None)
