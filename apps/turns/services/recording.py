"""What a turn's own receipts state."""

from apps.ledger.log import Act
from apps.policy.ids import typed
from apps.policy.types import Turn
from apps.policy.vocabulary import Purpose, ReceiptKind


def record_turn(within: Act, kind: ReceiptKind, turn: Turn, commitment: str) -> None:
    """Within the act that asked or answered: of which turn it is, for which request, what it is bound to (hex)."""
    within.record(
        kind,
        object=typed("trn", turn.turn_id),
        turn=typed("trn", turn.turn_id),
        request=typed("req", turn.request_id) if turn.request_id else "-",
        purpose=Purpose.ANSWER.value,
        commitment=commitment,
    )
