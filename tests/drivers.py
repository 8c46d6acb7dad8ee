"""One vocabulary for every surface, so that a property can be held against each of them.

A driver does what a client or a holder does on its surface and returns these plain facts; a no is a falsy `No` with its
problem code, wherever the surface put it.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
import mcp
from django.contrib.auth import get_user_model
from django.test import Client as DjangoClient
from mcp.client.streamable_http import streamable_http_client

from apps.policy.types import Holder


@dataclass(frozen=True, slots=True)
class No:
    """A refusal by its problem code."""

    code: str
    status: int = 0

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Subject:
    memory: str
    label: str
    category: str
    attested: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A request: its status and each part's."""

    request: str
    status: str
    parts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Handed:
    memory: str
    label: str
    value: str | None
    claim: str | None
    receipt: str


@dataclass(frozen=True, slots=True)
class Read:
    """What was handed over, what was withheld and why (memory to problem code), and the first receipt."""

    handed: tuple[Handed, ...]
    withheld: Mapping[str, str]
    receipt: str
    replayed: bool

    @property
    def values(self) -> dict[str, str | None]:
        return {each.memory: each.value for each in self.handed}


@dataclass(frozen=True, slots=True)
class Suggestion:
    proposal: str
    status: str


@dataclass(frozen=True, slots=True)
class Stub:
    """A receipt as far as every surface shows it."""

    receipt: str
    kind: str
    memory: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn: what is offered on its card (memory ids), and the answer once there is one."""

    turn: str
    status: str
    offered: tuple[str, ...]
    answer: str


class ClientDriver(Protocol):
    """What a client can do."""

    name: str

    def subjects(self) -> tuple[Subject, ...] | No: ...
    def ask(
        self, memories: Sequence[str] = (), categories: Sequence[str] = (), purpose: str = "meal_planning", **more: Any
    ) -> Wish | No: ...
    def check(self, request: str) -> Wish | No: ...
    def read(self, memories: Sequence[str], key: str | None = None, purpose: str = "meal_planning") -> Read | No: ...
    def propose(self, label: str, value: str, **more: Any) -> Suggestion | No: ...
    def receipt(self, receipt: str) -> Stub | No: ...


class HolderDriver(Protocol):
    """What the holder can do."""

    name: str

    def add(self, label: str, value: str, **more: Any) -> str | No: ...
    def show(self, memories: Sequence[str]) -> dict[str, str] | No: ...
    def decide(self, request: str, parts: Mapping[str, Sequence[str]], reads: int | None = 1) -> str | No: ...
    def approve(self, proposal: str) -> str | No: ...
    def ask_turn(self, question: str) -> Asked | No: ...
    def decide_turn(self, turn: str, ordinary: Sequence[str]) -> Asked | No: ...
    def without(self, turn: str, memory: str) -> Asked | No: ...


def signed_in(holder: Holder, **options: Any) -> DjangoClient:
    """A browser in which this holder is signed in."""
    browser = DjangoClient(**options)
    browser.force_login(
        get_user_model().objects.get(pk=holder.user_id), backend="allauth.account.auth_backends.AuthenticationBackend"
    )
    return browser


class Http:
    """The REST surface over Django's test client, as a client (with a key), as a holder, or as nobody."""

    base = "/api/v1/"

    def __init__(self, key: str | None = None, holder: Holder | None = None) -> None:
        self.key = key
        self.browser = signed_in(holder, enforce_csrf_checks=True) if holder else DjangoClient(enforce_csrf_checks=True)
        self.browser.raise_request_exception = False

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request. `body` is sent as JSON unless it is bytes; the response as Django's test client gives it."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        token = "t" * 32
        self.browser.cookies["csrftoken"] = token
        sent.setdefault("X-CSRFToken", token)
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return self.browser.generic(
            method, path if path.startswith("/") else self.base + path, data, "application/json", headers=sent
        )

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """The JSON of a success, or No."""
        response = self.send(method, path, body, **headers)
        if response.status_code >= 400:
            return No(response.json()["code"], response.status_code)
        return response.json()


class ApiClient:
    """A client on REST."""

    name = "REST"

    def __init__(self, key: str) -> None:
        self.http = Http(key)

    def subjects(self) -> tuple[Subject, ...] | No:
        got = self.http.call("GET", "subjects?limit=200")
        if isinstance(got, No):
            return got
        return tuple(
            Subject(each["memory"], each["label"], each["category"], each["attested"]) for each in got["items"]
        )

    def ask(
        self, memories: Sequence[str] = (), categories: Sequence[str] = (), purpose: str = "meal_planning", **more: Any
    ) -> Wish | No:
        lines = [{"memory": each} for each in memories] + [{"category": each} for each in categories]
        return _wish(self.http.call("POST", "access-requests", {"items": lines, "purpose": purpose, **more}))

    def check(self, request: str) -> Wish | No:
        return _wish(self.http.call("GET", f"access-requests/{request}"))

    def cancel(self, request: str) -> Wish | No:
        return _wish(self.http.call("POST", f"access-requests/{request}/cancel"))

    def read(self, memories: Sequence[str], key: str | None = None, purpose: str = "meal_planning") -> Read | No:
        body = {"memories": list(memories), "purpose": purpose}
        got = self.http.call("POST", "reads", body, Idempotency_Key=key or secrets.token_hex(8))
        return got if isinstance(got, No) else read_of(got)

    def propose(self, label: str, value: str, **more: Any) -> Suggestion | No:
        got = self.http.call("POST", "proposals", {"label": label, "value": value, "derived_from": [], **more})
        return got if isinstance(got, No) else Suggestion(got["id"], got["status"])

    def receipt(self, receipt: str) -> Stub | No:
        got = self.http.call("GET", f"receipts/{receipt}")
        return got if isinstance(got, No) else _stub(got)


class ApiHolder:
    """The holder on REST: session and CSRF token."""

    name = "REST"

    def __init__(self, holder: Holder) -> None:
        self.http = Http(holder=holder)

    def add(self, label: str, value: str, **more: Any) -> str | No:
        got = self.http.call("POST", "memories", {"label": label, "value": value, **more})
        return got if isinstance(got, No) else str(got["id"])

    def show(self, memories: Sequence[str]) -> dict[str, str] | No:
        got = self.http.call("POST", "memories/show", {"memories": list(memories)})
        return got if isinstance(got, No) else {each["memory"]: each["value"] for each in got["values"]}

    def decide(self, request: str, parts: Mapping[str, Sequence[str]], reads: int | None = 1) -> str | No:
        sent = [
            {"part": part, "allow": bool(chosen), "memories": list(chosen), "reads": reads}
            for part, chosen in parts.items()
        ]
        got = self.http.call("POST", f"access-requests/{request}/decision", {"parts": sent})
        return got if isinstance(got, No) else str(got["status"])

    def approve(self, proposal: str) -> str | No:
        got = self.http.call("POST", f"proposals/{proposal}/decision", {"decision": "approve"})
        return got if isinstance(got, No) else str(got["memory"]["id"])

    def ask_turn(self, question: str) -> Asked | No:
        return _turn(self.http.call("POST", "turns", {"question": question}))

    def decide_turn(self, turn: str, ordinary: Sequence[str]) -> Asked | No:
        return _turn(self.http.call("POST", f"turns/{turn}/decision", {"ordinary": list(ordinary)}))

    def without(self, turn: str, memory: str) -> Asked | No:
        return _turn(self.http.call("POST", f"turns/{turn}/without", {"memory": memory}))


class McpClient:
    """A client on MCP: the official SDK's client over HTTP, a connection a call."""

    name = "MCP"

    def __init__(self, url: str, key: str, mode: str = "auto") -> None:
        self.url, self.key, self.mode = url, key, mode

    def run(self, deed: Callable[[mcp.Client], Awaitable[Any]], **options: Any) -> Any:
        """Do something with a connected SDK client."""

        async def connected() -> Any:
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {self.key}"}, timeout=30) as http:
                transport = streamable_http_client(self.url, http_client=http)
                async with mcp.Client(transport, mode=self.mode, **options) as client:
                    return await deed(client)

        try:
            return asyncio.run(connected())
        except BaseExceptionGroup as group:  # the SDK's task groups wrap what went wrong
            error: BaseException = group
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            raise error from None

    def call(self, tool: str, **arguments: Any) -> Any:
        """A tool's structured content, or No. The text block must say the same."""
        got = self.run(lambda client: client.call_tool(tool, arguments))
        text = json.loads(got.content[0].text)
        if got.is_error:
            return No(text["code"])
        assert text == got.structured_content
        return text

    def subjects(self) -> tuple[Subject, ...] | No:
        got = self.call("list_subjects")
        return got if isinstance(got, No) else tuple(_subject(each) for each in got["subjects"])

    def ask(
        self, memories: Sequence[str] = (), categories: Sequence[str] = (), purpose: str = "meal_planning", **more: Any
    ) -> Wish | No:
        got = self.call("request_access", memories=list(memories), categories=list(categories), purpose=purpose, **more)
        return _wish(got, "request_id")

    def check(self, request: str) -> Wish | No:
        return _wish(self.call("check_request", request_id=request), "request_id")

    def read(self, memories: Sequence[str], key: str | None = None, purpose: str = "meal_planning") -> Read | No:
        more = {"idempotency_key": key} if key else {}
        got = self.call("read_memories", memories=list(memories), purpose=purpose, **more)
        return got if isinstance(got, No) else read_of(got)

    def propose(self, label: str, value: str, **more: Any) -> Suggestion | No:
        got = self.call("propose_memory", label=label, value=value, **{"derived_from": [], **more})
        return got if isinstance(got, No) else Suggestion(got["proposal"], got["status"])

    def receipt(self, receipt: str) -> Stub | No:
        got = self.call("get_receipt", receipt_id=receipt)
        return got if isinstance(got, No) else _stub(got["receipts"][0])


def read_of(got: Mapping[str, Any]) -> Read:
    """A read's answer, as REST and MCP both word it."""
    return Read(
        tuple(
            Handed(
                each["memory"],
                each["label"],
                each["value"],
                each["attested"]["claim"] if each["attested"] else None,
                each["receipt"],
            )
            for each in got["handed_over"]
        ),
        {each["memory"]: each["problem"] for each in got["withheld"]},
        got["receipt"]["id"],
        got["replayed"],
    )


def _subject(got: Mapping[str, Any]) -> Subject:
    return Subject(got["memory"], got["label"], got["category"], got["attested"])


def _stub(got: Mapping[str, Any]) -> Stub:
    return Stub(got["id"], got["kind"], got["memory"], got["reason"])


def _wish(got: Any, name: str = "id") -> Wish | No:
    if isinstance(got, No):
        return got
    return Wish(got[name], got["status"], {part["part"]: part["status"] for part in got["parts"]})


def _turn(got: Any) -> Asked | No:
    if isinstance(got, No):
        return got
    offered = tuple(memory["id"] for part in got["card"] for memory in part["memories"])
    return Asked(got["id"], got["status"], offered, got["answer"])
