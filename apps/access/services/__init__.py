"""Deeds of asking: clients, requests, grants, reads."""

from apps.access.notices import CARD as CARD_NOTICE
from apps.access.notices import REQUEST as REQUEST_NOTICE
from apps.access.notices import notice
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
from apps.access.services.consent import consent_record
from apps.access.services.deciding import Decision, PartChoices, choices, chosen, decide, request, waiting
from apps.access.services.grants import (
    due_to_end,
    expire_grant,
    grant,
    grants,
    lapse_grant,
    lapsed,
    narrow,
    own_grant,
    own_grants,
    revoke_grant,
    standing,
)
from apps.access.services.handing import ReadResult, Released, Withheld, hand_over, read
from apps.access.services.judging import Party
from apps.policy.consent import NOT_SHOWN, Shown, Surface
from apps.policy.grants import Narrower, state_of

__all__ = [
    "CARD_NOTICE",
    "NOT_SHOWN",
    "REQUEST_NOTICE",
    "Decision",
    "Narrower",
    "PartChoices",
    "Party",
    "ReadResult",
    "Released",
    "Shown",
    "Surface",
    "Withheld",
    "ask",
    "authenticate",
    "built_in",
    "cancel",
    "check",
    "choices",
    "chosen",
    "clients",
    "consent_record",
    "decide",
    "due_to_end",
    "due_to_expire",
    "expire",
    "expire_grant",
    "file",
    "grant",
    "granted",
    "grants",
    "hand_over",
    "keys",
    "lapse_grant",
    "lapsed",
    "make_key",
    "names",
    "narrow",
    "notice",
    "outcome",
    "own_grant",
    "own_grants",
    "pause",
    "read",
    "register",
    "request",
    "revoke",
    "revoke_grant",
    "revoke_key",
    "standing",
    "state_of",
    "subjects",
    "waiting",
]
