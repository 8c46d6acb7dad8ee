"""The web surface from outside: a signed-in browser without script, and every page with something on it."""

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Asked, Caller, Holder, Refused
from apps.policy.vocabulary import Category, Purpose, TurnStatus
from apps.turns import services as turns
from tests.fixtures import Household
from vault.clock import utc_now

HOSTILE = "</p><script>alert(1)</script>\u202e{{ 7|add:7 }}"
QUESTION = "Which kitchen equipment do I have, and how is my cooking time?"


def browser(holder: Holder, **options: Any) -> Client:
    """A browser in which the holder is signed in."""
    client = Client(**options)
    client.force_login(get_user_model().objects.get(pk=holder.user_id))
    return client


def last_seq(holder: Holder) -> int:
    return ledger.last_seq(holder.vault_id, holder.actor)


def carded(proposal: str, **fields: str) -> dict[str, str]:
    """Fields of a suggestion's card as a browser sends them: all cards of a page stand in one form."""
    return {f"{proposal[4:]}_{name}": value for name, value in fields.items()}


def text_of(response: Any) -> str:
    return response.content.decode()  # type: ignore[no-any-return]


def without_tokens(page: str) -> str:
    """The page without what differs at each look: form tokens."""
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)


@dataclass(frozen=True)
class Scene:
    """A household with one of everything that has a page."""

    home: Household
    caller: Caller
    wish: str
    proposal: str
    offered: str
    answered: str

    @property
    def holder(self) -> Holder:
        return self.home.holder

    def ids(self) -> tuple[str, ...]:
        """Every page that is about one thing."""
        return (
            f"/chat/{self.offered}",
            f"/chat/{self.answered}",
            f"/requests/{self.wish}",
            f"/file/{self.home.kitchen}",
            f"/file/{self.home.kitchen}/provenance",
            f"/file/{self.home.kitchen}/same",
            f"/erase?memory={self.home.kitchen}",
        )

    def pages(self) -> tuple[str, ...]:
        """Every page a holder can GET."""
        many = (
            "/",
            "/inbox",
            "/inbox/decided",
            "/check",
            "/ledger",
            "/ledger.csv",
            "/file",
            "/file/add",
            "/file/about",
            "/erase",
            "/erase/personal",
            "/grants",
            "/grants/register",
            "/people",
            "/people/invite",
        )
        last = last_seq(self.holder)
        receipts = (f"/receipts/rcp_{last}", f"/receipts/rcp_{last}.receipt.json", f"/ledger?before={last}&times=utc")
        return (*many, *self.ids(), *receipts)


def furnish(home: Household) -> Scene:
    """One of everything: asked and answered questions, an open request, a proposal, receipts."""
    now = utc_now()
    caller = access.authenticate(home.key, now)
    assert caller is not None
    labels = {typed("mem", each.memory_id): each.memory_id for each in memories.memories(home.holder)}
    wish = access.ask(
        caller,
        [Asked(labels[home.kitchen]), Asked(labels[home.budget]), Asked(category=Category.HEALTH)],
        purpose=Purpose.MEAL_PLANNING,
        purpose_note=HOSTILE,
        ttl_seconds=604800,
        now=now,
    )
    proposal = memories.propose(caller, label=HOSTILE, value=HOSTILE, rationale=HOSTILE, subject="spices", now=now)
    assert not isinstance(wish, Refused)
    assert not isinstance(proposal, Refused)
    offered, answered = turns.ask(home.holder, QUESTION, now), turns.ask(home.holder, QUESTION, now)
    assert offered.status is TurnStatus.OFFERED
    chosen = frozenset(each.memory_id for each in turns.card(home.holder, answered).ordinary)
    turns.decide(home.holder, answered.turn_id, ordinary=chosen, now=now)
    list(turns.answer(home.holder, answered.turn_id, now))
    return Scene(
        home,
        caller,
        typed("req", wish.request_id),
        typed("prp", proposal.proposal_id),
        typed("trn", offered.turn_id),
        typed("trn", answered.turn_id),
    )
