"""Deeds of asking: clients, requests, grants, reads."""

from apps.access.services.asking import (
    ask,
    cancel,
    check,
    due_to_expire,
    expire,
    file,
    granted,
    outcome,
    subjects,
)
from apps.access.services.clients import (
    authenticate,
    built_in,
    clients,
    keys,
    make_key,
    names,
    pause,
    register,
    revoke,
    revoke_key,
)
from apps.access.services.deciding import Decision, PartChoices, choices, chosen, decide, request, waiting
from apps.access.services.grants import grant, grants, own_grants, revoke_grant
from apps.access.services.handing import ReadResult, Released, Withheld, hand_over, read
from apps.access.services.judging import Party

__all__ = [
    "Decision",
    "PartChoices",
    "Party",
    "ReadResult",
    "Released",
    "Withheld",
    "ask",
    "authenticate",
    "built_in",
    "cancel",
    "check",
    "choices",
    "chosen",
    "clients",
    "decide",
    "due_to_expire",
    "expire",
    "file",
    "grant",
    "granted",
    "grants",
    "hand_over",
    "keys",
    "make_key",
    "names",
    "outcome",
    "own_grants",
    "pause",
    "read",
    "register",
    "request",
    "revoke",
    "revoke_grant",
    "revoke_key",
    "subjects",
    "waiting",
]
