"""The notice above the buttons of a decision: ours, and below it what the space of the vault has settled."""

from apps.access import notices
from apps.access.notices import Notice
from apps.holders import services as holders
from apps.policy.consent import Below, Shown, Surface
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder


def notice(number: int | None, below: Below | None = None) -> Notice | None:
    """One text as it stood, whatever stands now; None for a number that none has, and a space's own that never was."""
    ours = notices.notice(number)
    if ours is None or below is None:
        return ours
    text = holders.settled_notice(below.space_id, below.version)
    return notices.joined(ours, below, text) if text else None


@needs(Deed.LOOK)
def notice_above(holder: Holder, number: int) -> Notice:
    """What stands above the buttons at this vault now."""
    ours = notices.notice(number)
    assert ours is not None
    found = holders.notice_at(holder.vault_id)
    if found is None or not found[2]:
        return ours
    return notices.joined(ours, Below(*found[:2]), found[2])


@needs(Deed.DECIDE)
def stood(
    holder: Holder, surface: Surface, number: int | None, below: Below | None = None, ui_version: str = "-"
) -> Shown | None:
    """What a form or a program says stood above its buttons. None for what stands at no decision about this vault: a
    number that none has, a version that had no notice, another space's.
    """
    if below is not None:
        here = holders.notice_at(holder.vault_id)
        if here is None or here[0] != below.space_id:
            return None
    if number is not None and notice(number, below) is None:
        return None
    return Shown(surface, number, ui_version, below if number is not None else None)


def digest_of(shown: Shown) -> str | None:
    """The digest, in hex, of the text that was shown; None where none is known to have been."""
    found = notice(shown.notice, shown.below)
    return found.digest.hex() if found else None
