"""Several looks of the holder are one, which is stamped once."""

from apps.policy.plans import joined, show_plan
from apps.policy.vocabulary import ReceiptKind
from tests.policy.facts import memory


def test_it_holds_every_line_in_their_order_up_to_the_most() -> None:
    first, second, third = memory(), memory(), memory()
    plan = joined(show_plan([first, second]), show_plan([third], unknown=1), most=10)
    assert [each.memory_id for each in plan.items] == [first.memory_id, second.memory_id, third.memory_id, None]
    assert (plan.kind, plan.authority.kind) == (ReceiptKind.VALUE_SHOWN, "hld")
    assert len(joined(show_plan([first, second]), show_plan([third]), most=2).items) == 2


def test_of_nothing_it_is_nothing() -> None:
    assert joined(most=10).items == ()
