"""What every resource has: one reading of the clock, a Request-Id, JSON alone, ETags, pages, and no caching."""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.http import HttpRequest
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import DictField, Field, ListField, Serializer
from rest_framework.views import APIView

from apps.api.authentication import ClientKey, Declared, HolderSession, Who
from apps.api.errors import Problem, refused, step
from apps.api.problems import Kind
from apps.api.schema import Schema
from apps.policy.ids import untyped
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from vault.clock import utc_now

_REQUEST_ID = re.compile(r"\A[A-Za-z0-9._:-]{1,128}\Z")
_IDEMPOTENCY_KEY = re.compile(r"\A[\x21-\x7e]{1,255}\Z")
LEADS_NOWHERE = "It leads nowhere any more. Begin without a cursor."
MOST_ERRORS = 20  # that are named at once
_Item = TypeVar("_Item")


class OneJson(JSONParser):
    """A JSON object in UTF-8. Nesting that no body here has is as unreadable as a syntax error."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            body = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError from None
        if not isinstance(body, dict):
            raise ParseError
        return body


class AlwaysJson(BaseContentNegotiation):
    """There is one representation; `Accept` chooses nothing here (an answer's stream is chosen by its view)."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((each for each in parsers if each.media_type == media_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type or ""


class Resource(APIView):
    """A REST resource. `allow` says who may call each method; what it does not name is called by nobody."""

    allow: dict[str, Who] = {}
    authentication_classes = [ClientKey, HolderSession]
    permission_classes = [Declared]
    parser_classes = [OneJson]
    content_negotiation_class = AlwaysJson
    metadata_class = None  # OPTIONS tells nothing
    schema = Schema()
    http_method_names = ["get", "head", "post", "patch"]
    now: datetime

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.now = utc_now()
        sent = request.headers.get("Request-Id", "")
        self.request_id = sent if _REQUEST_ID.match(sent) else f"req-{secrets.token_hex(12)}"

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Request-Id"] = self.request_id
        if response.status_code != 405:
            response.headers.pop("Allow", None)
        return response


# ---------------------------------------------------------------- what comes in
def taken(request: Request, serializer: type[Serializer[Any]], *, also: Sequence[str] = ()) -> dict[str, Any]:
    """The body's fields, checked. An unknown field, at any depth, is refused: it may be a wish that would go unmet."""
    reader = _reader(serializer)
    if errors := list(islice(unknown(reader, dict(request.data), also=also), MOST_ERRORS)):
        raise Problem("validation", errors)
    return dict(reader.run_validation(request.data))


def unknown(
    reader: Field[Any, Any, Any, Any], sent: Any, pointer: str = "", *, also: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """The fields in what was sent that this shape knows nothing of: each by the JSON pointer (RFC 6901) of its object
    and its place in that, with the fields that are known there. Its name is not quoted: it may be anything. `also`:
    what else the outermost object may hold.
    """
    if isinstance(reader, Serializer) and isinstance(sent, dict):
        for place, (name, inner) in enumerate(sent.items(), 1):
            if name in reader.fields:
                yield from unknown(reader.fields[name], inner, f"{pointer}/{name}")
            elif name not in also:
                which = f"Of its {len(sent)} fields number {place}" if len(sent) > 1 else "Its field"
                yield pointer, f"{which} is not known here. Known are: {', '.join(reader.fields)}."
    elif isinstance(reader, ListField | DictField) and isinstance(sent, list | dict):
        for name, inner in enumerate(sent) if isinstance(sent, list) else sent.items():
            yield from unknown(reader.child, inner, f"{pointer}/{step(str(name))}")


def queried(request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
    """The query's parameters, checked. An unknown or repeated one is refused, not ignored."""
    reader = _reader(serializer)
    known = list(reader.fields)
    errors = [
        (f"/{name}", "It is sent more than once.") if name in known else ("", f"Number {place} is not known here.")
        for place, name in enumerate(request.query_params, 1)
        if name not in known or len(request.query_params.getlist(name)) > 1
    ]
    if errors:
        sentence = f"Known parameters are: {', '.join(known)}; each at most once." if known else "None is known here."
        raise Problem("unknown-parameter", [(at, f"{what} {sentence}") for at, what in errors[:MOST_ERRORS]])
    return dict(reader.run_validation(request.query_params.dict()))


@cache
def _reader(serializer: type[Serializer[Any]]) -> Serializer[Any]:
    """One instance a shape: making a serializer costs more than reading with it, which changes nothing in it."""
    return serializer()


def id_of(prefix: str, text: str) -> UUID:
    """The id in a path. What is no id is as unknown as one that leads nowhere."""
    found = untyped(prefix, text)
    if found is None:
        raise Problem("not-found")
    return found


def idempotency_key(request: Request) -> str:
    """The required header. Raises Problem where it is missing or unfit."""
    key = request.headers.get("Idempotency-Key", "")
    if not _IDEMPOTENCY_KEY.match(key):
        raise Problem("idempotency-key-required")
    return key


def body_digest(request: Request) -> str:
    """SHA-256 of the raw body, in hex: what tells a replay from another request under the same key."""
    return hashlib.sha256(request._request.body).hexdigest()


def some(found: _Item | None) -> _Item:
    """What was found; not-found else."""
    if found is None:
        raise Problem("not-found")
    return found


def agreed(
    done: _Item | Refused,
    now: datetime | None = None,
    *,
    told: Mapping[Refusal, Kind] | None = None,
    **renamed: str,
) -> _Item:
    """What was done, or the problem of the no that came instead. `told`: what this address knows better of a reason
    than the table.
    """
    if isinstance(done, Refused):
        raise refused(done, now, told=(told or {}).get(done.reason), **renamed)
    return done


# ---------------------------------------------------------------- what goes out
def tagged(body: Any, request: Request, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A single resource with its ETag; 304 where the caller has it already."""
    tag = etag(body)
    asked = [each.strip() for each in request.headers.get("If-None-Match", "").split(",")]
    if request.method == "GET" and tag in asked:
        return Response(status=304, headers={"ETag": tag})
    return Response(body, status=status, headers={"ETag": tag, **(headers or {})})


def etag(body: Any) -> str:
    """A strong ETag: it changes when anything in the representation does."""
    text = json.dumps(body, sort_keys=True, default=str).encode()
    return f'"{hashlib.sha256(text).hexdigest()[:32]}"'


def require_match(request: Request, body: Any) -> bool:
    """Refuse a change that was not made on the current representation. Whether one was named: `*` is whichever stands
    when the change is made.
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        raise Problem("precondition-required")
    if sent.strip() == "*":
        return False
    if etag(body) not in [each.strip() for each in sent.split(",")]:
        raise Problem("precondition-failed")
    return True


def page(
    request: Request,
    items: Sequence[_Item],
    named: Callable[[_Item], str],
    query: dict[str, Any],
    words: Callable[[Sequence[_Item]], Any],
) -> Response:
    """One page of a list that is all there: after the item that `cursor` names, at most `limit` items."""
    start, cursor = 0, query.get("cursor")
    if cursor:
        names = [named(each) for each in items]
        if cursor not in names:
            raise Problem("validation", [("/cursor", LEADS_NOWHERE)])
        start = names.index(cursor) + 1
    chosen = items[start : start + query["limit"]]
    more = named(chosen[-1]) if chosen and start + len(chosen) < len(items) else None
    return listed(request, words(chosen), more)


def listed(request: Request, items: Any, next_cursor: str | None) -> Response:
    """A page's body, and its `Link` to the next."""
    headers = {}
    if next_cursor:
        query = request.query_params.copy()
        query["cursor"] = next_cursor
        headers["Link"] = f'<{request.path}?{query.urlencode()}>; rel="next"'
    return Response({"items": items, "next_cursor": next_cursor}, headers=headers)
