"""What turns a no, or an exception, into a problem of the REST surface. What each says is in `problems`."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core import exceptions as django_exceptions
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from apps.api.following import Next, followable
from apps.api.problems import KINDS, Kind
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.text import TextProblem, visible
from apps.policy.types import Refused
from vault.failures import DATABASE_FAILED, busy, note

log = logging.getLogger("muniment.api")

MOST_NAMED = 64
MEDIA_TYPE = "application/problem+json"
DJANGO: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ParseError, "malformed"),
    (exceptions.NotAuthenticated, "unauthenticated"),
    (exceptions.AuthenticationFailed, "unauthenticated"),
    (exceptions.PermissionDenied, "forbidden"),
    (django_exceptions.PermissionDenied, "forbidden"),
    (exceptions.NotFound, "not-found"),
    (Http404, "not-found"),
    (exceptions.MethodNotAllowed, "method-not-allowed"),
    (exceptions.UnsupportedMediaType, "unsupported-media-type"),
    (django_exceptions.RequestDataTooBig, "too-large"),
    (django_exceptions.SuspiciousOperation, "malformed"),
)


@dataclass(eq=False)
class Problem(Exception):
    """A no on its way to the caller. `errors` are (JSON pointer, constant sentence) pairs."""

    code: str
    errors: Sequence[tuple[str, str]] = ()
    until: datetime | None = None  # until when asking again is refused
    retry_after: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    told: Kind | None = None  # what this surface knows better of its code than the table


def refused(no: Refused, now: datetime | None = None, *, told: Kind | None = None, **renamed: str) -> Problem:
    """The problem of a policy's no. `renamed` gives a reason another code where the surface has a better word, `told`
    other words under the same one.
    """
    code = renamed.get(no.reason.name, no.reason.value)
    errors = [(each, (told or KINDS[code]).detail) for each in (no.pointer, *no.also) if each]
    wait = max(1, round((no.until - now).total_seconds())) if KINDS[code].status == 429 and no.until and now else None
    return Problem(code, errors, None if wait else no.until, wait, told=told)


@contextmanager
def no_receipt_no_read() -> Iterator[None]:
    """Any error of the database during a hand-over means that nothing was read: 503, try again."""
    try:
        yield
    except DATABASE_FAILED as error:
        note(log, error)
        raise Problem("receipt-unavailable") from None


@contextmanager
def sent_as(fields: Mapping[str, str]) -> Iterator[None]:
    """A text problem points to where its field stood in what was sent, where that is called otherwise there."""
    try:
        yield
    except TextProblem as problem:
        if problem.field not in fields:
            raise
        raise TextProblem(fields[problem.field], problem.detail, problem.part) from None


@contextmanager
def only(fields: Collection[str]) -> Iterator[None]:
    """A text problem of something else than these fields, such as one that was sent before, points to all that was sent
    now.
    """
    try:
        yield
    except TextProblem as problem:
        if problem.field in fields:
            raise
        raise Problem("validation", [("", problem.detail)]) from None


@contextmanager
def pointed(parts: Mapping[str, str], *, whole: bool = False) -> Iterator[None]:
    """A text problem of one part of what was sent points to where that part stood; with `whole`, to no field in it."""
    try:
        yield
    except TextProblem as problem:
        if problem.part not in parts:
            raise
        at = parts[problem.part] + ("" if whole else f"/{problem.field}")
        raise Problem("validation", [(at, problem.detail)]) from None


def handle(error: Exception, context: Mapping[str, Any]) -> Response:
    """Turn any exception of a view into a problem (the setting EXCEPTION_HANDLER)."""
    problem = _problem_of(error)
    kind = problem.told or KINDS[problem.code]
    after = problem.retry_after or kind.retry_after
    headers = {**problem.headers, **({"Retry-After": str(after)} if after else {})}
    if kind.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="muniment"'
    request = context["request"]
    party = vars(request).get("_auth")  # whoever was let in already: nobody is asked again who they are
    return Response(
        body(problem, quote(request.path), followable(kind.next, party, request.path)),
        status=kind.status,
        headers=headers,
        content_type=MEDIA_TYPE,
    )


def before_any_view(request: HttpRequest, code: str) -> JsonResponse:
    """A problem for a request that reached no view, such as one for a host that is not served here."""
    problem = Problem(code)
    told = body(problem, quote(request.path), KINDS[code].next)
    return JsonResponse(told, status=KINDS[code].status, content_type=MEDIA_TYPE)


def body(problem: Problem, instance: str, then: Next | None) -> dict[str, object]:
    """A problem's JSON object; every member is always there."""
    kind = problem.told or KINDS[problem.code]
    return {
        "type": f"{settings.PUBLIC_URL}/api/v1/problems/{problem.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": kind.detail,
        "instance": instance,
        "code": problem.code,
        "retryable": kind.retryable,
        "retry_after_seconds": problem.retry_after or kind.retry_after,
        "cool_down_until": problem.until.strftime("%Y-%m-%dT%H:%M:%SZ") if problem.until else None,
        "who_can_fix": kind.who,
        "next": then,
        "errors": [{"pointer": pointer, "detail": detail} for pointer, detail in problem.errors],
    }


def _problem_of(error: Exception) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, ledger.OnHold):
        return Problem("on-hold")
    if busy(error):
        return Problem("busy")
    if isinstance(error, holders.Barred):
        return Problem(error.refused.reason.value)
    if isinstance(error, TextProblem):
        return Problem("validation", [(f"/{error.field}", error.detail)])
    if isinstance(error, exceptions.ValidationError):
        return Problem("validation", list(_pointers(error.detail, "")))
    if isinstance(error, exceptions.MethodNotAllowed):
        return Problem("method-not-allowed")
    for kind, code in DJANGO:
        if isinstance(error, kind):
            return Problem(code)
    note(log, error)
    return Problem("server-error")


def step(name: str) -> str:
    """A name that was sent as a step of a JSON pointer (RFC 6901), fit to be looked at; of a long one the beginning."""
    return visible(name[:MOST_NAMED]).replace("~", "~0").replace("/", "~1")


def _pointers(detail: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Flatten a serializer's errors into JSON pointers."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _pointers(inner, pointer if name == "non_field_errors" else f"{pointer}/{step(str(name))}")
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from _pointers(inner, pointer if isinstance(inner, str) else f"{pointer}/{index}")
    else:
        yield pointer, str(detail)
