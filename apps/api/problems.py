"""The table of problem types (RFC 9457): what each no of the REST surface says.

Titles and details are constants: no label, value, purpose or name is ever put into them. An agent learns three things
from a problem: who can fix it, whether trying again helps, and what to do next.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from apps.policy.vocabulary import Refusal

ASK = {"action": "request_access", "method": "POST", "href": "/api/v1/access-requests"}
LIST = {"action": "list_subjects", "method": "GET", "href": "/api/v1/subjects"}
ANSWER_WITHOUT = {"action": "answer_without"}
NEW_KEY = {"action": "new_idempotency_key"}
REFETCH = {"action": "refetch"}
POLL = {"action": "poll"}  # with the address of the request, where that is known
WAIT = {"action": "wait"}
RETRY = {"action": "retry"}
STOP = {"action": "stop_asking"}


@dataclass(frozen=True, slots=True)
class Kind:
    """One problem type. `who` can fix it: client, holder, operator or nobody (None)."""

    status: int
    title: str
    detail: str
    who: str | None = "client"
    retryable: bool = False
    next: Mapping[str, str] | None = None
    retry_after: int | None = None


REFUSALS: dict[Refusal, Kind] = {
    Refusal.NOT_FOUND: Kind(404, "Not found", "There is nothing here that you may see.", next=LIST),
    Refusal.GRANT_REQUIRED: Kind(
        403, "A grant is needed", "The holder has not granted this. Ask for it first.", "holder", next=ASK
    ),
    Refusal.GRANT_PENDING: Kind(
        409,
        "Not decided yet",
        "The holder has not decided on this yet. Poll the access request.",
        "holder",
        True,
        POLL,
        5,
    ),
    Refusal.GRANT_DENIED: Kind(
        403,
        "The holder said no",
        "The holder has declined this access. Answer without it and do not ask again before cool_down_until.",
        "holder",
        next=ANSWER_WITHOUT,
    ),
    Refusal.GRANT_ENDED: Kind(
        403, "The grant has ended", "The grant was revoked or is over. Ask again if it is needed.", "holder", next=ASK
    ),
    Refusal.GRANT_SPENT: Kind(
        403, "The grant is spent", "The grant has no read left. Ask again if it is needed.", "holder", next=ASK
    ),
    Refusal.PURPOSE_MISMATCH: Kind(
        403,
        "Granted for another purpose",
        "A grant covers this for another purpose. Read for the purpose that was granted, or ask for this one.",
        next={"action": "use_granted_purpose", "method": "GET", "href": "/api/v1/grants"},
    ),
    Refusal.SPECIAL_ALONE: Kind(
        422,
        "A special category travels alone",
        "A memory of a special category is read by itself. Send it in a request of its own.",
        retryable=True,
        next={"action": "split_request"},
    ),
    Refusal.PAUSED: Kind(
        403, "Paused", "The holder has paused this client. Stop asking until it is resumed.", "holder", next=STOP
    ),
    Refusal.WIDER: Kind(
        422,
        "A grant only narrows",
        "An earlier end, fewer reads or fewer memories of those it covers. To end it, revoke it; for more, ask anew.",
        "holder",
        True,
    ),
    Refusal.COOL_DOWN: Kind(
        403,
        "Asked too soon after a no",
        "The holder declined this a short time ago. Do not ask again before cool_down_until.",
        "holder",
        next=ANSWER_WITHOUT,
    ),
    Refusal.ALREADY_DECIDED: Kind(
        409,
        "Decided already",
        "It was decided before, was taken back, or its time is over. Fetch it to see which.",
        None,
        next=REFETCH,
    ),
    Refusal.ALREADY_REJECTED: Kind(
        409,
        "Rejected already",
        "The holder has rejected this proposal. Do not send it again.",
        "holder",
        next={"action": "stop_proposing"},
    ),
    Refusal.NOT_YOURS: Kind(
        403, "Not yours to decide", "Only the holder, signed in to the vault, decides this.", "holder"
    ),
    Refusal.FIELD_NOT_ALLOWED: Kind(
        422,
        "A field that only the holder sets",
        "The field named in errors is set by whoever approves. Send the proposal without it.",
        retryable=True,
    ),
    Refusal.STALE: Kind(
        409, "It has changed meanwhile", "It changed while this was decided. Fetch it and try again.", None, True, RETRY
    ),
    Refusal.IDEMPOTENCY_EXPIRED: Kind(
        409,
        "Served before",
        "This Idempotency-Key was served more than 60 seconds ago. Nothing was read. Send a new key to read again.",
        next=NEW_KEY,
    ),
    Refusal.IDEMPOTENCY_REUSE: Kind(
        422,
        "Idempotency-Key used for something else",
        "This Idempotency-Key came with another body before. Send a new key.",
        next=NEW_KEY,
    ),
    Refusal.LEFT_OUT: Kind(
        403, "Left out", "The holder has taken this off the answer. Answer without it.", "holder", next=ANSWER_WITHOUT
    ),
    Refusal.RATE_LIMITED: Kind(
        429, "Too many of these", "More of these at once than this vault takes. Wait, then try again.", None, True, WAIT
    ),
    Refusal.INVITATION_OVER: Kind(
        410, "The invitation is over", "It was used, withdrawn, or is older than seven days. Ask for a new one.", None
    ),
    Refusal.INVITED_OTHER: Kind(
        403, "For somebody else", "This invitation is for another address. Sign in with that one.", "holder"
    ),
    Refusal.LAST_ADMIN: Kind(409, "The last admin stays", "A space needs an admin. Invite another first.", "holder"),
    Refusal.PRIVACY_LEAD: Kind(
        409, "The privacy lead stays", "Emergencies are reported to them. Choose another privacy lead first.", "holder"
    ),
    Refusal.TOO_YOUNG: Kind(403, "At this age guardians decide", "The space's admins can do it.", "holder"),
    Refusal.ECHO: Kind(
        409,
        "It was corrected or put away",
        "This restates what was corrected, put away or taken back. Send it again with `on_purpose` to keep it.",
        "holder",
    ),
    Refusal.SAY_CATEGORY: Kind(
        409,
        "Say which category it is of",
        "It was made from, or says the same as, what is kept apart. Send the `category` it is to be of, also where that"
        " is `ordinary`.",
        "holder",
    ),
    Refusal.SAY_CLAIM: Kind(
        409,
        "Say that you confirm it anew",
        "What it corrects is confirmed and never shown. Send its `claim` to confirm the new value, or reject this.",
        "holder",
    ),
    Refusal.NOTICED_SINCE: Kind(
        409,
        "Something was noticed since",
        "What is kept by now was not there when this was compared. Its `marks` tell: look at them, then decide.",
        "holder",
        retryable=True,
    ),
    Refusal.NO_SHARES: Kind(
        403, "Nobody shares here", "The space has settled that nothing is shared by links. Ask its admins.", "holder"
    ),
    Refusal.NEVER_SHARED: Kind(
        422, "It is never in a link", "A special category is on no share. Leave it out and send the others.", "holder"
    ),
    Refusal.SHARE_GONE: Kind(404, "There is nothing to open", "Ask whoever sent the link for a new one.", "holder"),
    Refusal.SUBJECT_TAKEN: Kind(
        409,
        "The subject is taken",
        "Another memory stands under this subject. Correct that one, or choose another subject.",
        "holder",
    ),
    Refusal.LINEAGE_REQUIRED: Kind(
        422,
        "Say what it was made from",
        "Memories were handed to this client lately. Send `derived_from` with their ids, or empty where none was used,"
        " or `turn`.",
        "client",
    ),
    Refusal.NOTHING_BEFORE: Kind(409, "Nothing before it", "There is no earlier version to go back to.", "holder"),
    Refusal.UNDO_OVER: Kind(
        409, "Too late to undo", "What was approved can be undone for seven days. Correct it instead.", "holder"
    ),
    Refusal.UNDO_LATER_FIRST: Kind(
        409,
        "Something was approved on top of it",
        "Another suggestion was approved on top of this one: the memory’s history names it. Undo that one first.",
        "holder",
    ),
    Refusal.TARGET_GONE: Kind(
        409,
        "What it would change is gone",
        "What this would change is not kept any more, and nothing is lost of what you sent. Keep it as a memory of its"
        " own, with `POST /api/v1/memories`, or reject the suggestion.",
        "holder",
    ),
    Refusal.LOCAL_ONLY: Kind(
        403, "Stays local", "The holder lets this go to nothing but what runs locally. Answer without it.", "holder"
    ),
    Refusal.LEGAL_HOLD: Kind(
        409, "Under a legal hold", "There is a legal hold on this: it is not erased before that ends.", "operator"
    ),
    Refusal.LINEAGE_CHOICE: Kind(
        422,
        "Say what becomes of what was made from it",
        "Other memories were made from this. Order the erasure, `POST /api/v1/erasures`, with `derived`: `erase` or"
        " `keep`. The preview lists them.",
        "holder",
    ),
}
FRAMEWORK: dict[str, Kind] = {
    "malformed": Kind(400, "Not readable", "The body is no JSON that can be read. Send one JSON object in UTF-8."),
    "host-not-served": Kind(
        400,
        "Not served here",
        "This instance is not served at the host of the request. Its operator sets MUNIMENT_PUBLIC_URL.",
        "operator",
    ),
    "unknown-parameter": Kind(
        400, "Unknown parameter", "The query has a parameter that is not known here, or has it twice. See errors."
    ),
    "idempotency-key-required": Kind(
        400,
        "Idempotency-Key is missing",
        "Send an Idempotency-Key header: 1 to 255 visible ASCII characters, new for all that is new. What is sent"
        " again keeps its own.",
        retryable=True,
    ),
    "unauthenticated": Kind(
        401, "Who are you?", "Send an API key as Authorization: Bearer mnk_…, or sign in as the holder."
    ),
    "holder-only": Kind(
        403,
        "For the holder alone",
        "No key stands for a holder. The holder does this, signed in to the vault.",
        "holder",
    ),
    "client-only": Kind(403, "For clients", "This is done by a client with its API key, not by the holder."),
    "csrf-failed": Kind(
        403,
        "The page is too old",
        "The CSRF token is missing or wrong. Send the csrftoken cookie's value as X-CSRFToken.",
        "holder",
        True,
    ),
    "forbidden": Kind(403, "Not allowed", "Nobody is allowed to do this here."),
    "method-not-allowed": Kind(405, "Not with this method", "This address does not take this method. See Allow."),
    "precondition-failed": Kind(
        412, "It has changed meanwhile", "The ETag in If-Match is not the current one. Fetch it again.", next=REFETCH
    ),
    "too-large": Kind(413, "Too large", "The body is larger than this address takes. Send less."),
    "unsupported-media-type": Kind(415, "Not this media type", "Send the body as application/json.", retryable=True),
    "validation": Kind(422, "Not as described", "One or more fields are not as described. See errors.", retryable=True),
    "precondition-required": Kind(
        428,
        "If-Match is missing",
        "Fetch the resource and send its ETag as If-Match, so that nobody's change is lost.",
        retryable=True,
        next=REFETCH,
    ),
    "slow-down": Kind(429, "Polled too fast", "Wait retry_after_seconds between polls.", retryable=True, next=WAIT),
    "too-many-checks": Kind(
        429, "Too many checks", "More than is checked in a minute. Wait, or use the muniment program.", None, True, WAIT
    ),
    "too-many-proposals": Kind(
        429, "Too many proposals", "More proposals than are taken in an hour. Wait, then go on.", None, True, WAIT
    ),
    "server-error": Kind(500, "It failed here", "The vault failed. Nothing more is known about it here.", "operator"),
    "receipt-unavailable": Kind(
        503,
        "No receipt, no read",
        "The receipt cannot be written now, so nothing was read. Try again with the same Idempotency-Key.",
        "operator",
        True,
        RETRY,
        5,
    ),
    "busy": Kind(
        503,
        "Busy",
        "Something long is done to this vault just now, such as an erasure, or a part of Muniment does not answer."
        " Nothing was changed. Try again.",
        None,
        True,
        RETRY,
        5,
    ),
    "on-hold": Kind(
        503,
        "On hold",
        "The instance stamps nothing until its operator has put its database right. Nothing was read or changed. "
        "Receipts can be fetched and verified.",
        "operator",
        next=WAIT,
    ),
}
KINDS: dict[str, Kind] = {reason.value: kind for reason, kind in REFUSALS.items()} | FRAMEWORK
