"""What the pages call things: a table for each closed list of the vocabulary. Wording stands here and nowhere else.

The words say what happened and not to whom: who reads them may act for whom they are about. Where a page has to say
whose a thing is, its template asks `holder.acting`.
"""

from datetime import timedelta
from typing import NamedTuple

from apps.access.services import Content
from apps.erasure.places import Goes
from apps.erasure.services import Personal
from apps.policy.arriving import Course
from apps.policy.conflicts import ClashKind
from apps.policy.erasing import Basis, Residue
from apps.policy.life import Why
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.proposals import Mark
from apps.policy.shares import Code, ShareState
from apps.policy.staging import Void
from apps.policy.vocabulary import (
    Category,
    Claim,
    Directive,
    EmergencyEnd,
    EmergencyFinding,
    EmergencyReason,
    Ended,
    GrantState,
    ItemState,
    Kind,
    Level,
    MarkKind,
    PartStatus,
    ProposalStatus,
    Purpose,
    Refusal,
    Role,
    State,
)


class No(NamedTuple):
    """A refusal: `short` beside a stamp or a ledger line, `sentence` in answer to the holder's own deed."""

    short: str
    sentence: str


REFUSALS: dict[Refusal, No] = {
    Refusal.NOT_FOUND: No("nothing by that name", "There is nothing here by that name. It may have been put away."),
    Refusal.GRANT_REQUIRED: No("not allowed yet", "Nobody has allowed this yet. It has to be asked for first."),
    Refusal.GRANT_PENDING: No("not decided yet", "This waits for a decision. It stands in the inbox."),
    Refusal.GRANT_DENIED: No("said no to", "The answer to this was no. It can't be asked for again for a while."),
    Refusal.GRANT_ENDED: No("no longer allowed", "What was allowed has ended. It can be asked for again."),
    Refusal.GRANT_SPENT: No("all reads used", "Every read that was allowed is used. It can be asked for again."),
    Refusal.PURPOSE_MISMATCH: No("other purpose", "This was allowed for another purpose. It has to be asked for anew."),
    Refusal.SPECIAL_ALONE: No("travels alone", "A special category is decided and handed over on its own."),
    Refusal.PAUSED: No("paused", "This assistant is paused. Resume it under Assistants to go on."),
    Refusal.WIDER: No("more than was allowed", "What was allowed can only become less. Ask for more in a new request."),
    Refusal.COOL_DOWN: No(
        "asked again too soon", "The answer to this was no, not long ago. It can't be asked for again yet."
    ),
    Refusal.ALREADY_DECIDED: No("decided already", "This was decided before, so nothing has changed."),
    Refusal.ALREADY_REJECTED: No(
        "rejected already", "This was rejected before. The same one can't be suggested again."
    ),
    Refusal.NOT_YOURS: No("not theirs to decide", "Only the person this vault is about can decide this."),
    Refusal.FIELD_NOT_ALLOWED: No("more than may be said", "It set something that only whoever approves it may set."),
    Refusal.STALE: No("changed meanwhile", "This was changed while you were looking at it. Look again, then decide."),
    Refusal.IDEMPOTENCY_EXPIRED: No(
        "sent again too late", "This was sent before. Look at the ledger for what came of it."
    ),
    Refusal.IDEMPOTENCY_REUSE: No(
        "sent twice, differently", "This was sent before with something else in it. Start afresh."
    ),
    Refusal.LEFT_OUT: No("left out", "This was left out of the answer."),
    Refusal.RATE_LIMITED: No("too many at once", "That was too often in a short time. Wait a minute, then go on."),
    Refusal.INVITATION_OVER: No(
        "an invitation that is over", "This invitation was used, was withdrawn, or is over. Ask for a new one."
    ),
    Refusal.INVITED_OTHER: No("somebody else's", "This invitation is for another address. Sign in with that one."),
    Refusal.LAST_ADMIN: No("the last admin", "A space needs an admin. Invite another one first."),
    Refusal.PRIVACY_LEAD: No("the privacy lead", "Emergencies are reported to them. Choose another one first."),
    Refusal.TOO_YOUNG: No(
        "at this age guardians decide",
        "At this age guardians decide here. Whoever looks after the household can do this, or the guardian themself.",
    ),
    Refusal.ECHO: No(
        "what was corrected", "This brings back what was corrected, put away or taken back. Say that you mean it."
    ),
    Refusal.SAY_CATEGORY: No(
        "a category that was not said",
        "It was made from, or says the same as, something that is kept apart. Choose what this one is, then keep it.",
    ),
    Refusal.SAY_CLAIM: No(
        "what has to be confirmed anew",
        "What this corrects is confirmed and never shown. Say that you confirm the new value too, or reject this.",
    ),
    Refusal.NOTICED_SINCE: No(
        "what was noticed since", "Something that is kept by now has to do with this. Look at both, then decide."
    ),
    Refusal.NO_SHARES: No("no shares here", "In this space nobody shares by links. Ask whoever settles it."),
    Refusal.NEVER_SHARED: No("never in a link", "A special category is never in a link. Leave it out."),
    Refusal.SHARE_GONE: No(
        "nothing to open", "There is nothing to open here any more. Ask whoever sent you the link for a new one."
    ),
    Refusal.SUBJECT_TAKEN: No(
        "a subject that is taken", "Another memory stands under this subject. Correct that one, or choose another."
    ),
    Refusal.LINEAGE_REQUIRED: No("no lineage", "The assistant did not say what it made this from."),
    Refusal.NOTHING_BEFORE: No("nothing before it", "There is nothing before this to go back to."),
    Refusal.UNDO_OVER: No("too late to undo", "This can be undone for seven days. Correct it instead."),
    Refusal.UNDO_LATER_FIRST: No(
        "something on top of it",
        "Another suggestion was approved on top of this one: its history says which. Undo that one first.",
    ),
    Refusal.TARGET_GONE: No(
        "what it would change is gone",
        "What this would change is not kept any more. Reject it; what you wrote can be kept as a memory of its own.",
    ),
    Refusal.LOCAL_ONLY: No("stays at home", "This goes to nothing but what runs at home."),
    Refusal.LEGAL_HOLD: No("under a legal hold", "There is a legal hold on this. It can be erased when that ends."),
    Refusal.LINEAGE_CHOICE: No(
        "what was made from it", "Other memories were made from this. Say whether they are erased too, or kept."
    ),
}

CATEGORIES: dict[Category, str] = {
    Category.ORDINARY: "Ordinary",
    Category.ETHNIC_ORIGIN: "Ethnic origin",
    Category.POLITICAL_OPINION: "Political opinion",
    Category.BELIEF: "Belief",
    Category.TRADE_UNION: "Trade union",
    Category.GENETIC: "Genetic",
    Category.BIOMETRIC: "Biometric",
    Category.HEALTH: "Health",
    Category.SEX_LIFE: "Private life",
    Category.CRIMINAL_RECORD: "Criminal record",
}

PURPOSES: dict[Purpose, str] = {
    Purpose.ANSWER: "to answer a question",
    Purpose.MEAL_PLANNING: "to plan meals",
    Purpose.SCHEDULING: "to plan time",
    Purpose.TRAVEL: "to plan travel",
    Purpose.SHOPPING: "to help with shopping",
    Purpose.CARE: "to help with care",
    Purpose.FINANCE: "to help with money",
    Purpose.PERSONALISATION: "to adapt its answers",
}

CLAIMS: dict[Claim, str] = {
    Claim.BUDGET: "that there is a budget, never the number",
    Claim.OVER_18: "an age over 18, never the date",
}

STATES: dict[State, str] = {
    State.APPROVED: "kept",
    State.WITHDRAWN: "put away",
    State.SEALED: "sealed from guardians",
    State.MERGED: "merged into another",
    State.ERASED: "erased",
}

PARTS: dict[PartStatus, str] = {
    PartStatus.PENDING: "waits for a decision",
    PartStatus.IN_REVIEW: "the answer was yes, and it waits for a reviewer",
    PartStatus.GRANTED: "allowed",
    PartStatus.PARTLY_GRANTED: "partly allowed",
    PartStatus.DENIED: "not allowed",
    PartStatus.EXPIRED: "ended undecided",
    PartStatus.CANCELLED: "taken back by the assistant",
}

GRANTS: dict[GrantState, str] = {
    GrantState.LIVE: "allowed",
    GrantState.PAUSED: "paused",
    GrantState.SPENT: "all reads used",
    GrantState.EXPIRED: "ended",
    GrantState.LAPSED: "lapsed, because it stood unused",
    GrantState.REVOKED: "stopped",
}

DIRECTIVES: dict[Directive, str] = {
    Directive.ADD: "Would be added",
    Directive.CORRECT: "Would be corrected",
    Directive.REVERT: "Would be as it was before",
    Directive.MERGE: "Would be merged",
    Directive.SUPERSEDE_EDGE: "A link would be replaced",
    Directive.RETRACT_EDGE: "A link would be ended",
    Directive.RESCOPE: "Would be moved",
    Directive.ERASE: "Would be erased",
}
DIRECTIVES_DONE: dict[Directive, str] = {
    Directive.ADD: "Added",
    Directive.CORRECT: "Corrected",
    Directive.REVERT: "As it was before",
    Directive.MERGE: "Merged",
    Directive.SUPERSEDE_EDGE: "A link replaced",
    Directive.RETRACT_EDGE: "A link ended",
    Directive.RESCOPE: "Moved",
    Directive.ERASE: "Erased",
}
MARKS: dict[MarkKind, str] = {
    MarkKind.ECHO: "It says again what was corrected or put away.",
    MarkKind.CONFIRMED: "It says what is kept already.",
    MarkKind.CONFLICT: "It doesn’t go with what is kept.",
    MarkKind.VOID: "It would change nothing, so you weren’t asked about it.",
    MarkKind.HIDDEN: "It holds characters that nobody sees. They are shown as chips.",
    MarkKind.LOOKALIKE: "A letter here looks like another. It stands in a frame.",
    MarkKind.ALONE: "It may be about something specially protected, such as health, or comes from what is kept"
    " apart or at home. Look at it by itself.",
}
VOIDS: dict[Void, str] = {
    Void.NOTHING_BEFORE: "There was nothing before it to go back to.",
    Void.NO_CHANGE: "It was so already.",
    Void.IMPOSSIBLE: "It could not be carried out.",
    Void.TURNED_DOWN: "You turned the same down before: you rejected it, or kept other words in its place.",
}
SIDES = {
    "target": "What is kept now",
    "before": "What would hold again",
    "other": "What would be merged into it",
    "echo": "What was corrected, or put away",
    "confirmed": "What is kept already",
    "same-subject": "What is kept under this subject",
    "near-identical": "What is kept, nearly alike",
    "declared": "What contradicts it, as somebody noted",
    "made-from": "What it was made from",
    "says-the-same": "What says the same, and is kept apart",
    "suggested": "What another suggestion says otherwise about",
}
PROPOSALS: dict[ProposalStatus, str] = {
    ProposalStatus.PENDING: "waits for a decision",
    ProposalStatus.APPROVED: "approved",
    ProposalStatus.REJECTED: "rejected",
    ProposalStatus.EXPIRED: "ended undecided",
    ProposalStatus.WITHDRAWN: "taken back by the assistant",
}

ITEMS: dict[ItemState, str] = {
    ItemState.OFFERED: "asked for, not decided",
    ItemState.HANDED_OVER: "handed over",
    ItemState.DECLINED: "asked for, not handed over",
    ItemState.LEFT_OUT: "left out of this answer",
    ItemState.REFUSED: "asked for, refused",
}

ENDED: dict[Ended, str] = {
    Ended.WRONG: "it was wrong",
    Ended.CHANGED: "it has changed",
    Ended.PROPOSED: "suggested, and kept in other words",
    Ended.LATE: "told late",
    Ended.WAITING: "waits for its day",
    Ended.CANCELLED: "taken back",
}

MEMORY_KINDS: dict[Kind, str] = {
    Kind.SEMANTIC: "How things are",
    Kind.EPISODIC: "Something that happened",
    Kind.PROCEDURAL: "How something is done",
}

ENTITIES: dict[EntityKind, str] = {
    EntityKind.PERSON: "Person",
    EntityKind.PLACE: "Place",
    EntityKind.ORGANISATION: "Organisation",
    EntityKind.THING: "Thing",
}

EDGES: dict[EdgeKind, str] = {
    EdgeKind.DERIVED_FROM: "made from",
    EdgeKind.ABOUT: "about",
    EdgeKind.CONTRADICTS: "contradicts",
    EdgeKind.RELATES_TO: "goes with",
}

CONTENTS: dict[Content, str] = {
    Content.NOT_CHECKED: "not checked: only a look at it can tell, and a look has its receipt",
    Content.MATCHES: "it is what its receipts are bound to",
    Content.DIFFERS: "it is not what its receipts are bound to",
}

LOOKS: dict[Why, str] = {
    Why.OVER: "by its own word this is over",
    Why.FADED: "nobody has looked after this for long",
}

HOW_LONG: dict[str, tuple[str, timedelta]] = {
    "hour": ("an hour", timedelta(hours=1)),
    "day": ("a day", timedelta(days=1)),
    "week": ("7 days", timedelta(days=7)),
    "month": ("30 days", timedelta(days=30)),
}

ROLES: dict[Role, str] = {
    Role.HOLDER: "holder",
    Role.GUARDIAN: "guardian",
    Role.DELEGATE: "delegate",
    Role.REVIEWER: "reviewer",
    Role.ADMIN: "space admin",
    Role.EMERGENCY: "emergency access",
}

EMERGENCIES: dict[EmergencyReason, str] = {
    EmergencyReason.LIFE_AT_RISK: "A life is at risk",
    EmergencyReason.CANNOT_CONSENT: "They cannot say yes or no",
    EmergencyReason.URGENT_CARE: "Urgent care",
    EmergencyReason.SAFEGUARDING: "To protect somebody",
}

ENDS: dict[EmergencyEnd, str] = {
    EmergencyEnd.LEFT: "left",
    EmergencyEnd.TIME_OVER: "ended with its hour",
    EmergencyEnd.TAKEN_AWAY: "ended by the clinic",
}

FINDINGS: dict[EmergencyFinding, str] = {
    EmergencyFinding.JUSTIFIED: "justified",
    EmergencyFinding.NOT_JUSTIFIED: "not justified",
}

BASES: dict[Basis, str] = {
    Basis.WISH: "It is not wanted any more",
    Basis.NOT_NEEDED: "It is not needed any more",
    Basis.CONSENT_WITHDRAWN: "Leave to keep it was taken back",
    Basis.OBJECTION: "There was an objection to keeping it",
    Basis.UNLAWFUL: "It should never have been kept",
    Basis.LEGAL_DUTY: "A law says that it has to go",
    Basis.CHILD: "It was collected from a child",
    Basis.PROPOSAL: "An assistant suggested it, and the answer was yes",
    Basis.RETENTION: "Its time was over",
    Basis.RESTORED: "It was erased before, and a backup that was restored held it again",
}

RESIDUES: dict[Residue, str] = {
    Residue.NOT_SEARCHED: "nobody looked through the files for its words",
    Residue.CLEAN: "every file was looked through for what it said, and nothing was found",
    Residue.FOUND: "something was found",
    Residue.PARTLY: "nothing was found, and not everything could be opened",
}

PERSONALS: dict[Personal, str] = {
    Personal.MAIL: "Mail address",
    Personal.PHONE: "Telephone number",
    Personal.CARD: "Payment card",
    Personal.IBAN: "Bank account",
    Personal.BIRTH_DATE: "Date of birth",
    Personal.NATIONAL_ID: "National number",
    Personal.HEALTH: "Words of health",
}

GOING: dict[Goes, str] = {
    Goes.WITH_THE_MEMORY: "Cleared with every memory that is erased",
    Goes.WITH_THE_VAULT: "Cleared when the whole vault is erased",
    Goes.BY_ITS_TIME: "Cleared by a clock",
    Goes.NOTHING_IN_IT: "Holds no words",
    Goes.OF_THE_INSTANCE: "The server’s own",
}

CODES: dict[Code, str] = {
    Code.NONE: "None: the link alone opens it",
    Code.MAIL: "Mailed to whom the link is for, after they press",
    Code.PIN: "A PIN that is told to them in another way",
}

COURSES: dict[Course, str] = {
    Course.WAITING: "its mail waits to be sent",
    Course.GONE: "mailed",
    Course.DELAYED: "its mail is late",
    Course.UNDELIVERED: "its mail could not be delivered",
}

SHARES: dict[ShareState, str] = {
    ShareState.LIVE: "open",
    ShareState.STOPPED: "stopped",
    ShareState.EXPIRED: "ended by its time",
    ShareState.USED_UP: "opened as often as it could be",
    ShareState.LOCKED: "ended after too many wrong codes",
}

LEVELS: dict[Level, str] = {Level.VIEW: "may view", Level.DECIDE: "may view and decide"}

MOST_COUNTED = 1000  # how many hand-overs are counted before it says "at least"
DONE = "Done. You can close this."


def refusal(reason: str) -> No:
    """The wording of a reason as it stands on a receipt (where `-` means none)."""
    return REFUSALS[Refusal(reason)]


def noticed(mark: Mark, rivals: int) -> str:
    """What was noticed about a suggestion, as its card says it; `rivals`: so many others that wait say otherwise."""
    if mark.how != ClashKind.SUGGESTED.value:
        return MARKS[mark.kind]
    if rivals > 1:
        return f"{rivals} other suggestions say otherwise. Look at all of them, then decide."
    return "Another suggestion says otherwise. Look at both, then decide."
