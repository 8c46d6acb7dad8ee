"""The table: every REST method and MCP tool, who may call it, what it calls, what it may refuse, and a call that works.

A route or tool that is not here fails the test beside it. Web pages are listed by name with who may open them.
"""

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


def _route(
    method: str,
    template: str,
    who: str,
    service: str,
    refuses: set[str],
    call: Callable[[Scene], Call] = lambda _: Call(),
    foreign: int = 404,
) -> Route:
    deeds = set() if method == "GET" or who is ANYONE else {"on-hold"}
    return Route(method, template, who, service, frozenset(refuses | GENERAL | deeds), call, foreign)


def _key() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(8)}


R = _route
REST = (
    R("GET", "problems/<str:code>", ANYONE, "", set(), foreign=200),
    R("GET", "me", EITHER, "", QUERY, foreign=200),
    R("GET", "subjects", CLIENT, "access.subjects", QUERY, foreign=200),
    R("GET", "access-requests", HOLDER, "access.waiting", QUERY, foreign=200),
    R(
        "POST",
        "access-requests",
        CLIENT,
        "access.ask",
        BODY | {"not-found", "cool-down"},
        lambda s: Call({"items": [{"memory": s.home.time}], "purpose": "care"}, status=201),
    ),
    R("GET", "access-requests/<str:access_request>", EITHER, "access.check", QUERY | {"slow-down"}),
    R("POST", "access-requests/<str:access_request>/cancel", CLIENT, "access.cancel", {"already-decided"}),
    R(
        "POST",
        "access-requests/<str:access_request>/decision",
        HOLDER,
        "access.decide",
        BODY | {"not-found", "already-decided"},
        lambda s: Call({"parts": [{"part": "ordinary", "memories": [s.home.time]}]}),
    ),
    R(
        "POST",
        "reads",
        CLIENT,
        "access.read",
        BODY
        | {
            "idempotency-key-required",
            "idempotency-expired",
            "idempotency-reuse",
            "rate-limited",
            "receipt-unavailable",
        },
        lambda s: Call({"memories": [s.home.kitchen], "purpose": "meal_planning"}, _key()),
        foreign=200,  # answered with the id withheld as not-found, like any unknown one
    ),
    R("GET", "receipts", EITHER, "ledger.receipts", QUERY, foreign=200),
    R(
        "POST",
        "receipts/verify",
        ANYONE,
        "ledger.verify_file",
        {"too-large", "too-many-checks"},
        lambda _: Call({"format": "muniment-receipt-file/1"}),
        foreign=200,
    ),
    R("GET", "receipts/<str:receipt>", EITHER, "ledger.receipt", QUERY, foreign=0),  # numbers are each vault's own
    R("GET", "receipts/<str:receipt>/file", EITHER, "ledger.proof", QUERY, foreign=0),
    R("GET", "ledger/disclosures", HOLDER, "access.disclosures", QUERY, foreign=200),  # of the caller's own vault
    R("GET", "ledger/bundle", HOLDER, "ledger.bundle", QUERY, foreign=200),  # of the caller's own vault
    R(
        "POST",
        "check",
        EITHER,
        "memories.check_texts",
        BODY
        | {
            "idempotency-key-required",
            "idempotency-expired",
            "idempotency-reuse",
            "rate-limited",
            "receipt-unavailable",
        },
        lambda _: Call({"texts": ["I live in Leeds"], "purpose": "meal_planning"}, _key()),
        foreign=200,  # nothing is found
    ),
    R("GET", "memories", HOLDER, "memories.memories", QUERY, foreign=200),
    R(
        "POST",
        "memories",
        HOLDER,
        "memories.add",
        BODY | {"subject-taken", "echo"},
        lambda _: Call({"label": "a", "value": "b"}, status=201),
        201,
    ),
    R(
        "POST",
        "memories/show",
        HOLDER,
        "memories.show",
        BODY | {"receipt-unavailable"},
        lambda s: Call({"memories": [s.home.kitchen]}),
        foreign=200,  # nothing is shown
    ),
    R("GET", "memories/<str:memory>", HOLDER, "memories.memory", QUERY),
    R(
        "PATCH",
        "memories/<str:memory>",
        HOLDER,
        "memories.correct",
        BODY | MATCH | {"echo", "subject-taken"},
        lambda _: Call({"value": "Two pans"}, {"If-Match": "*"}),
    ),
    R("GET", "memories/<str:memory>/history", HOLDER, "memories.history", QUERY),
    R(
        "POST",
        "memories/<str:memory>/revert",
        HOLDER,
        "memories.revert",
        BODY | MATCH | {"receipt-unavailable", "nothing-before"},
        lambda s: Call({}, {"If-Match": "*"}, path=f"memories/{s.twice}/revert"),
    ),
    R(
        "POST",
        "memories/<str:memory>/reaffirm",
        HOLDER,
        "memories.reaffirm",
        BODY | MATCH | {"receipt-unavailable", "not-found"},
        lambda s: Call({"version": 1}, {"If-Match": "*"}, path=f"memories/{s.twice}/reaffirm"),
    ),
    R("POST", "memories/<str:memory>/resolve", HOLDER, "memories.resolve", set()),
    R("GET", "proposals", EITHER, "memories.proposals", QUERY, foreign=200),
    R(
        "POST",
        "proposals",
        CLIENT,
        "access.propose",
        BODY | {"field-not-allowed", "already-rejected", "lineage-required", "not-found"},
        lambda _: Call({"label": "c", "value": "d", "derived_from": []}, status=201),
        foreign=201,
    ),
    R(
        "POST",
        "proposals/route",
        CLIENT,
        "access.route_text",
        BODY | {"already-rejected", "lineage-required", "not-found"},
        lambda _: Call({"text": "I live in Porto.", "derived_from": []}),
        foreign=200,
    ),
    R(
        "POST",
        "proposals/show",
        HOLDER,
        "memories.show_beside",
        BODY | {"receipt-unavailable"},
        lambda s: Call({"proposals": [s.proposal]}),
        foreign=200,
    ),
    R("GET", "proposals/<str:proposal>", EITHER, "memories.proposal", QUERY),
    R(
        "POST",
        "proposals/<str:proposal>/decision",
        HOLDER,
        "memories.approve",
        BODY
        | {"already-decided", "precondition-failed", "stale", "echo", "subject-taken", "nothing-before"}
        | {"receipt-unavailable"},
        lambda _: Call({"decision": "approve"}),
    ),
    R(
        "POST",
        "proposals/decisions",
        HOLDER,
        "memories.approve_many",
        BODY,
        lambda s: Call({"decision": "approve", "items": [{"proposal": s.proposal, "revision": 1}]}),
        foreign=200,
    ),
    R(
        "POST",
        "proposals/undo",
        HOLDER,
        "memories.undo",
        BODY | {"not-found", "undo-over", "stale", "already-decided", "subject-taken"},
        lambda s: Call({"proposal": s.proposal}, status=409),
    ),
    R(
        "POST",
        "proposals/<str:proposal>/rebase",
        HOLDER,
        "memories.rebase",
        {"already-decided", "precondition-failed"},
        lambda _: Call(status=404),
    ),
    R("POST", "proposals/<str:proposal>/lift", HOLDER, "memories.lift", set(), lambda _: Call(status=404)),
    R("POST", "proposals/<str:proposal>/withdraw", CLIENT, "memories.withdraw", {"already-decided"}),
    R("POST", "turns", HOLDER, "turns.ask", BODY, lambda _: Call({"question": "What?"}, status=201), foreign=201),
    R("GET", "turns/file", HOLDER, "turns.conversation_file", QUERY | {"not-found"}),  # who asked nothing has no file
    R("GET", "turns/<str:turn>", HOLDER, "turns.turn", QUERY),
    R("GET", "turns/<str:turn>/file", HOLDER, "turns.conversation_file", QUERY),
    R(
        "POST",
        "turns/<str:turn>/decision",
        HOLDER,
        "turns.decide",
        BODY | {"already-decided"},
        lambda _: Call({"ordinary": []}),
    ),
    R(
        "POST",
        "turns/<str:turn>/without",
        HOLDER,
        "turns.without",
        BODY,
        lambda s: Call({"memory": s.home.kitchen}, path=f"turns/{s.answered}/without"),
    ),
    R("GET", "turns/<str:turn>/stream", HOLDER, "turns.turn", QUERY, lambda s: Call(path=f"turns/{s.answered}/stream")),
    R("GET", "clients", HOLDER, "access.clients", QUERY, foreign=200),
    R("POST", "clients", HOLDER, "access.register", BODY, lambda _: Call({"name": "Other"}, status=201), foreign=201),
    R("POST", "clients/<str:client>/pause", HOLDER, "access.pause", set()),
    R("POST", "clients/<str:client>/resume", HOLDER, "access.pause", set()),
    R("POST", "clients/<str:client>/local", HOLDER, "access.mark_local", set()),
    R("POST", "clients/<str:client>/hosted", HOLDER, "access.mark_local", set()),
    R("POST", "clients/<str:client>/keys", HOLDER, "access.make_key", set(), lambda _: Call(status=201)),
    R("POST", "clients/<str:client>/revoke", HOLDER, "access.revoke", set()),
    R("POST", "keys/<str:key>/revoke", HOLDER, "access.revoke_key", set()),
    R("GET", "grants", EITHER, "access.grants", QUERY, foreign=200),
    R("GET", "grants/<str:grant>", EITHER, "access.grant", QUERY),
    R(
        "PATCH",
        "grants/<str:grant>",
        HOLDER,
        "access.narrow",
        BODY | {"precondition-required", "precondition-failed", "grant-ended", "wider"},
        lambda _: Call({"reads": 1}, {"If-Match": "*"}),
    ),
    R("GET", "grants/<str:grant>/consent-record", HOLDER, "access.consent_record", QUERY),
    R("POST", "grants/<str:grant>/revoke", HOLDER, "access.revoke_grant", set()),
    R("GET", "seats", HOLDER, "holders.seats", QUERY, foreign=200),
    R("POST", "child/address", HOLDER, "holders.give_address", BODY, lambda _: Call({"email": "leo@home.example"})),
    R("GET", "delegations", HOLDER, "holders.delegations", QUERY, foreign=200),
    R("POST", "delegations/<str:delegation>/end", HOLDER, "holders.end_delegation", set()),
    R("POST", "delegations/<str:delegation>/renew", HOLDER, "holders.renew_delegation", BODY, lambda _: Call({})),
    R("GET", "invitations", HOLDER, "holders.invitations", QUERY, foreign=200),
    R(
        "POST",
        "invitations",
        HOLDER,
        "holders.invite_to_vault",
        BODY | {"not-found"},
        lambda _: Call({"email": "rosa@home.example", "role": "delegate"}, status=201),
        foreign=201,
    ),
    R("POST", "invitations/<str:invitation>/withdraw", HOLDER, "holders.withdraw", {"invitation-over"}),
    R("GET", "spaces", HOLDER, "holders.memberships", QUERY, foreign=200),
    R("POST", "spaces/<str:space>/leave", HOLDER, "holders.leave", {"last-admin", "privacy-lead"}),
    R("GET", "spaces/<str:space>/policy", HOLDER, "holders.space_policy", QUERY),
    R(
        "PATCH",
        "spaces/<str:space>/policy",
        HOLDER,
        "holders.settle",
        BODY | {"precondition-required", "precondition-failed"},
        lambda _: Call({"lapse_days": 30}, {"If-Match": "*"}),
    ),
    R("GET", "spaces/<str:space>/receipts", HOLDER, "holders.space_ledger", QUERY),
    R(
        "POST",
        "spaces/<str:space>/members/<str:member>/end",
        HOLDER,
        "holders.end_place",
        BODY | {"last-admin", "privacy-lead"},
        lambda _: Call({}),
    ),
)

TOOLS: dict[str, tuple[str, Callable[[Scene], dict[str, Any]]]] = {
    "list_subjects": ("access.subjects", lambda _: {}),
    "request_access": ("access.ask", lambda s: {"purpose": "care", "memories": [s.home.time]}),
    "check_request": ("access.check", lambda s: {"request_id": s.granted}),
    "read_memories": ("access.read", lambda s: {"purpose": "meal_planning", "memories": [s.home.kitchen]}),
    "propose_memory": (
        "access.propose",
        lambda _: {"label": "Spices", "value": "No coriander", "derived_from": []},
    ),
    "get_receipt": ("ledger.receipt", lambda s: {"receipt_id": s.receipt}),
}

# The log, for anybody: path below /log/, and the service that answers.
LOG = {"checkpoint": "ledger.checkpoint", "vkey": "ledger.vkeys", "tile/<path:rest>": "ledger.resource"}

# Pages, by name: what anybody may open. All others are the signed-in holder's.
OPEN_PAGES = {*"invited limits notice space-notice healthz readyz verify verify-saved verify-program".split()}
PAGES = {
    *"home ask turn decide answer without inbox inbox-show approve reject rebase undo undo-batch".split(),
    *"approve-shown request request-decide".split(),
    *"ledger ledger-csv ledger-bundle disclosures ledger-live receipt receipt-file file file-add file-show".split(),
    *"file-then memory-mark memory-rescope memory-before memory-revert memory-reaffirm memory-resolve".split(),
    *"memory memory-correct memory-put-away memory-put-back memory-seal memory-opening turn-file".split(),
    *"grants register grant-narrow grant-stop grant-consent key-make client-pause client-stop key key-end".split(),
    "client-local",
    *"people seat invite invitation-withdraw delegation-end delegation-renew space-invite space-leave child".split(),
    *"raising guardian".split(),
    *"space space-settings space-ledger member-end".split(),
    *"emergency emergency-enter emergency-back emergency-leave emergency-reviews emergency-review".split(),
    *"you session-end".split(),
    *OPEN_PAGES,
}
