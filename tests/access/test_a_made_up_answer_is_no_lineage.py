"""The name of an answer, as a proposal's lineage, stands for what its client was handed over for it, or for nothing."""

from uuid import uuid4

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import PURPOSE, Assistant, Vault, give
from vault.clock import utc_now


def propose(by: Assistant, **words: str) -> Proposal | Refused:
    return access.propose(by.caller, now=utc_now(), label="City", value="Porto", subject="home.city", **words)  # type: ignore[arg-type]


def read(by: Assistant, vault: Vault, turn: str) -> None:
    give(by, "kitchen")
    done = access.read(
        by.caller,
        [vault.ids["kitchen"]],
        purpose=PURPOSE,
        idempotency_key=turn,
        body_digest="0" * 64,
        now=utc_now(),
        turn=turn,
    )
    assert not isinstance(done, Refused), done


def test_an_answer_that_never_was_is_refused_like_an_unknown_id(alice: Vault, cook: Assistant) -> None:
    cook.read("kitchen")
    assert propose(cook, turn=typed("trn", uuid4())) == Refused(Refusal.NOT_FOUND, "/turn")


def test_an_answer_for_which_another_client_was_handed_something_is_as_unknown(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    turn = typed("trn", uuid4())
    read(cook, alice, turn)
    assert propose(clinic, turn=turn) == Refused(Refusal.NOT_FOUND, "/turn")


def test_an_answer_for_which_this_client_was_handed_something_is_its_lineage(alice: Vault, cook: Assistant) -> None:
    turn = typed("trn", uuid4())
    read(cook, alice, turn)
    done = propose(cook, turn=turn)
    assert isinstance(done, Proposal) and done.lineage == (alice.ids["kitchen"],)
