"""The OpenAPI 3.1 document: each operation says what it takes, gives and refuses, and who may call it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from apps.api.errors import MEDIA_TYPE
from apps.api.outputs import ProblemOut
from apps.api.problems import KINDS
from apps.policy.types import Caller, Holder

_View = TypeVar("_View", bound=Callable[..., Any])
Serializers = type[Serializer[Any]]
PREFIXES = {
    "access_request": "req",
    "client": "cli",
    "delegation": "del",
    "order": "ord",
    "grant": "gra",
    "invitation": "inv",
    "key": "key",
    "member": "usr",
    "memory": "mem",
    "proposal": "prp",
    "receipt": "rcp",
    "share": "shr",
    "space": "spc",
    "turn": "trn",
}
EVERYWHERE = ("server-error",)
SIGNED_IN = "The signed-in holder, at their own vault; `Muniment-Seat: vlt_…` names another one that they sit at."
# What a client's hand-over may be refused as, whatever is asked for.
A_HAND_OVER = (
    "idempotency-key-required",
    "idempotency-expired",
    "idempotency-reuse",
    "rate-limited",
    "receipt-unavailable",
)
READS_A_BODY = ("malformed", "too-large", "unsupported-media-type", "validation")


def _idempotency_key(description: str, *, required: bool = False) -> OpenApiParameter:
    shape = {"type": "string", "pattern": r"^[\x21-\x7e]{1,255}$"}
    return OpenApiParameter(
        "Idempotency-Key", shape, OpenApiParameter.HEADER, required=required, description=description
    )


IDEMPOTENCY_KEY = _idempotency_key(
    "New for every read; the same again within 60 seconds spends nothing.", required=True
)
IDEMPOTENCY_KEY_OF_A_CLIENT = _idempotency_key("Required of a client, new each time; the holder sends none.")
IDEMPOTENCY_KEY_IF_SENT = _idempotency_key(
    "New for every order; the same again is answered with the order that it made, and erases nothing."
)
IDEMPOTENCY_KEY_OF_A_SHARE = _idempotency_key("New for every share; the same again makes no second one.", required=True)
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True, description="The current ETag.")
IF_MATCH_IF_SENT = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The revision that was looked at; without it, any."
)
PREFER_WAIT = OpenApiParameter(
    "Prefer", {"type": "string", "pattern": r"^wait=\d{1,2}$"}, OpenApiParameter.HEADER, description="wait=1 … wait=25"
)


def operation(
    summary: str,
    *,
    gives: Serializers | dict[Any, Any] | None,
    status: int = 200,
    takes: Serializers | dict[str, Any] | None = None,
    query: Serializers | None = None,
    headers: Sequence[OpenApiParameter] = (),
    refuses: Sequence[str] = (),
) -> Callable[[_View], _View]:
    """Describe one method of a resource, which `takes` a shape, or bytes by their media type.

    `refuses` are the problem codes of its own; the general ones are added.
    """

    def describe(method: _View) -> _View:
        codes = [*EVERYWHERE, *refuses]
        codes += READS_A_BODY if isinstance(takes, type) else ()
        codes += ("unknown-parameter", "validation") if query else ()
        codes += () if method.__name__ == "get" or isinstance(takes, dict) else ("busy", "on-hold")
        responses = gives if isinstance(gives, dict) else {status: gives}
        described: _View = extend_schema(
            summary=summary,
            request=takes,
            parameters=[*([query] if query and query().fields else []), *headers],
            responses=responses,
            extensions={"x-problems": sorted(set(codes))},
        )(method)
        return described

    return describe


class Schema(AutoSchema):
    """drf-spectacular's description of an operation, with our ids, callers and problems."""

    def get_operation_id(self) -> str:
        name: str = type(self.view).__name__
        return f"{self.method.lower()}{name}"

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.rpartition(".")[2]]

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return type(serializer).__name__.removesuffix("Out")

    def get_auth(self) -> list[dict[str, list[str]]]:
        super().get_auth()  # registers the schemes
        who = getattr(self.view, "allow", {}).get(self.method)
        if who is None:
            return [{}]
        kinds = who if isinstance(who, tuple) else (who,)
        found: list[dict[str, list[str]]] = []
        if Caller in kinds:
            found.append({"apiKey": []})
        if Holder in kinds:
            found.append({"session": []} if self.method == "GET" else {"session": [], "csrf": []})
        return found

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        found: dict[str, Any] = super()._get_response_bodies(direction)
        for status, codes in _by_status(self._problems()).items():
            text = "; ".join(f"`{code}`: {KINDS[code].title}" for code in codes)
            found[str(status)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                OpenApiResponse(ProblemOut, text), str(status), [MEDIA_TYPE], direction
            )
        return dict(sorted(found.items()))

    def _problems(self) -> set[str]:
        codes = set(self.get_extensions().get("x-problems", EVERYWHERE))
        who = getattr(self.view, "allow", {}).get(self.method)
        if who is not None:
            codes |= {"unauthenticated"}
            codes |= {"not-yours-to-decide"} if who is not Caller else set()
            codes |= {"holder-only"} if who is Holder else {"client-only"} if who is Caller else set()
            codes |= {"csrf-failed"} if who is not Caller and self.method != "GET" else set()
        if "{" in self.path or who not in (None, Caller):  # a seat may be named that there is none of
            codes |= {"not-found"}
        return codes

    def _resolve_path_parameters(self, variables: Sequence[str]) -> list[dict[str, Any]]:
        return [
            {"in": "path", "name": name, "required": True, "schema": {"type": "string"}}
            | ({"description": f"{PREFIXES[name]}_…"} if name in PREFIXES else {})
            for name in variables
        ]


def _by_status(codes: set[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in sorted(codes):
        found.setdefault(KINDS[code].status, []).append(code)
    return found


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.api.authentication.ClientKey"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A client's API key, mnk_…"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.api.authentication.HolderSession"
    name = ["session", "csrf"]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, str]]:
        return [
            {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": SIGNED_IN},
            {"type": "apiKey", "in": "header", "name": "X-CSRFToken", "description": "The csrftoken cookie's value."},
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[str]]]:
        return []


class TypedIdField(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.api.fields.TypedId"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "pattern": f"^{self.target.prefix}_[0-9a-f]{{32}}$"}


class ReceiptNumberField(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.api.fields.ReceiptNumber"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "pattern": "^rcp_[1-9][0-9]*$"}


class HexField(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "apps.api.fields.Hex"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "pattern": f"^{self.target.prefix}[0-9a-f]{{64}}$"}
