"""What a row of the table of routes is made of: the scene it is played in, the call that works, who may call it."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.policy.ids import typed
from tests.fixtures import Household

CLIENT, HOLDER, EITHER, ANYONE = "client", "holder", "either", "anyone"
GENERAL = {"server-error"}
BODY = {"malformed", "too-large", "unsupported-media-type", "validation"}
QUERY = {"unknown-parameter", "validation"}
MATCH = {"precondition-required", "precondition-failed"}
LOST = {"not-found"}  # what is named in a body or a query


@dataclass(frozen=True)
class Scene:
    """A household with one of everything, as the holder and its client see it."""

    home: Household
    wish: str  # pending
    granted: str  # a granted request
    grant: str
    receipt: str
    proposal: str
    turn: str  # offered
    answered: str
    key: str
    space: str  # whose admins are the holder and somebody else
    member: str  # that other one
    delegation: str
    invitation: str
    twice: str = ""  # a memory that was corrected

    entity: str = ""
    edge: str = ""  # from the memory of the time to that entity
    merge: str = ""  # of another entity into it
    order: str = ""  # of an erasure
    share: str = ""  # that is opened by whoever has its link

    def ids(self) -> tuple[str, ...]:
        """Every id that only this household may be told."""
        mine = self.home
        kept = (mine.kitchen, mine.time, mine.budget, mine.insulin)
        return (
            *kept,
            self.wish,
            self.granted,
            self.grant,
            self.proposal,
            self.turn,
            self.answered,
            self.key,
            *(each for each in (self.entity, self.edge, self.merge, self.order, self.share) if each),
            *self.people(),
        )

    def people(self) -> tuple[str, ...]:
        return self.space, self.delegation, self.invitation

    def path(self, template: str) -> str:
        ids = {
            "access_request": self.wish,
            "receipt": self.receipt,
            "memory": self.home.kitchen,
            "proposal": self.proposal,
            "turn": self.turn,
            "client": typed("cli", self.home.client.client_id),
            "grant": self.grant,
            "key": self.key,
            "space": self.space,
            "member": self.member,
            "delegation": self.delegation,
            "invitation": self.invitation,
            "entity": self.entity,
            "edge": self.edge,
            "merge": self.merge,
            "order": self.order,
            "share": self.share,
            "code": "not-found",
        }
        for name, value in ids.items():
            template = template.replace(f"<str:{name}>", value)
        return template


@dataclass(frozen=True)
class Call:
    """A request that works: its body and headers, and the status it is answered with."""

    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200
    path: str = ""  # instead of the template filled in


@dataclass(frozen=True)
class Route:
    method: str
    template: str
    who: str
    service: str
    refuses: frozenset[str]
    call: Callable[[Scene], Call]
    foreign: int = 404  # what another vault's credential of the right kind gets


def route(
    method: str,
    template: str,
    who: str,
    service: str,
    refuses: set[str],
    call: Callable[[Scene], Call] = lambda _: Call(),
    foreign: int = 404,
) -> Route:
    deeds = set() if method == "GET" or who is ANYONE else {"busy", "on-hold"}
    return Route(method, template, who, service, frozenset(refuses | GENERAL | deeds), call, foreign)


def key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(8)}
