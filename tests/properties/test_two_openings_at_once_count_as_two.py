"""Two openings at once count as two: however many press at the same moment, a share is opened as often as was said and
no oftener, and each opening is written down with its receipts.

Protects the holder who said "once".
"""

import pytest

from apps.shares import services as shares
from tests.cast import Vault
from tests.shares.links import GONE, one, told
from tests.surfaces.visitors import Visitor, fields
from tests.threads import at_once
from vault.clock import utc_now

TOGETHER = 20


@pytest.mark.parametrize("opens", [1, 2, 7])
def test_of_many_at_once_as_many_as_were_said(alice: Vault, opens: int) -> None:
    share, token = one(alice, "time", "kitchen", opens=opens)
    done = at_once([lambda: shares.open_(token, utc_now())] * TOGETHER)
    through = [each for each in done if isinstance(each, shares.Opened)]
    assert (len(through), done.count(GONE)) == (opens, TOGETHER - opens), done
    assert all(len(each.values) == 2 for each in through)
    assert told(alice, share).share.opens_left == 0
    openings = {each.opening_id for each in shares.openings(alice.holder, share.share_id)}
    assert openings == {each.opening.opening_id for each in through}, "each is written down, and nothing else is"
    receipts = alice.receipts(kind="value.opened")
    assert len(receipts) == 2 * opens and len({each.request for each in receipts}) == opens


def test_two_count_as_two_and_leave_the_third(alice: Vault) -> None:
    share, token = one(alice, "time", opens=3)
    done = at_once([lambda: shares.open_(token, utc_now())] * 2)
    assert all(isinstance(each, shares.Opened) for each in done), done
    stands = told(alice, share).share
    assert (stands.opens, stands.opens_left, len(shares.openings(alice.holder, share.share_id))) == (2, 1, 2)


def pressed(pages: list[tuple[Visitor, dict[str, str]]]) -> list[int]:
    """The status of each press, all made at the same moment."""
    done = at_once([lambda who=who, form=form: who.send(form) for who, form in pages])  # type: ignore[misc]
    return sorted(getattr(each, "status_code", 0) for each in done)


def test_of_many_who_each_press_on_a_page_of_their_own_one_gets_in_where_once_was_said(alice: Vault) -> None:
    share, token = one(alice, "time", opens=1)
    visitors = [Visitor() for _ in range(TOGETHER)]
    assert pressed([(each, fields(each.look(token))) for each in visitors]) == [200, *[404] * (TOGETHER - 1)]
    assert told(alice, share).share.opens == 1


def test_one_page_that_is_sent_many_times_opens_once(alice: Vault) -> None:
    share, token = one(alice, "time", opens=7)
    form = fields(Visitor().look(token))
    assert pressed([(Visitor(), form) for _ in range(5)]) == [200, *[409] * 4]
    assert told(alice, share).share.opens == 1
