"""The closed lists: every word that is ever written into a receipt or decided on.

A word, once used, is never given another meaning. A retired word stays here as a comment.
"""

from enum import StrEnum


class Category(StrEnum):
    """`ordinary`, the eight special categories of GDPR Art. 9(1), and Art. 10's criminal record."""

    ORDINARY = "ordinary"
    ETHNIC_ORIGIN = "ethnic-origin"
    POLITICAL_OPINION = "political-opinion"
    BELIEF = "belief"
    TRADE_UNION = "trade-union"
    GENETIC = "genetic"
    BIOMETRIC = "biometric"
    HEALTH = "health"
    SEX_LIFE = "sex-life"
    CRIMINAL_RECORD = "criminal-record"

    @property
    def special(self) -> bool:
        """Anything but ordinary travels alone or not at all."""
        return self is not Category.ORDINARY


NEUTRAL_LABELS: dict[Category, str] = {
    Category.ETHNIC_ORIGIN: "A memory about origin",
    Category.POLITICAL_OPINION: "A memory about political opinion",
    Category.BELIEF: "A memory about belief",
    Category.TRADE_UNION: "A memory about trade union membership",
    Category.GENETIC: "A genetic memory",
    Category.BIOMETRIC: "A biometric memory",
    Category.HEALTH: "A health memory",
    Category.SEX_LIFE: "A memory about private life",
    Category.CRIMINAL_RECORD: "A memory about a criminal record",
}


class State(StrEnum):
    """Where a memory stands. Only `approved` is offered; a state not named here is never served."""

    APPROVED = "approved"
    WITHDRAWN = "withdrawn"  # put away by the holder: kept, offered to nobody
    SEALED = "sealed-from-guardians"  # kept, offered to nobody, and there for the holder alone
    MERGED = "merged"  # its words live on in another memory, until that is undone
    ERASED = "erased"


class Kind(StrEnum):
    """What sort of memory it is, which is how soon it fades."""

    EPISODIC = "episodic"  # what happened once
    SEMANTIC = "semantic"  # what is so
    PROCEDURAL = "procedural"  # how something is done


class Ended(StrEnum):
    """Why a version is not the one that holds."""

    WRONG = "wrong"  # it never was true
    CHANGED = "changed"  # it was true until then
    PROPOSED = "proposed"  # a client's words, and the holder kept others
    LATE = "late"  # told when it was over already: it joined the history alone
    WAITING = "waiting"  # it holds from a day to come
    CANCELLED = "cancelled"  # it waited for its day, and was taken back before; or was told late by mistake

    @property
    def held(self) -> bool:
        """Was it ever what the file said?"""
        return self in (Ended.WRONG, Ended.CHANGED)


class Form(StrEnum):
    """In which form a memory leaves."""

    VALUE = "value"
    ATTESTED = "attested"  # the claim is confirmed, the value stays
    REFUSED = "refused"


class Claim(StrEnum):
    """What an attested memory confirms."""

    BUDGET = "budget"
    OVER_18 = "over_18"


class Purpose(StrEnum):
    """Why a client asks. Bound into the grant and compared at every read."""

    ANSWER = "answer"
    MEAL_PLANNING = "meal_planning"
    SCHEDULING = "scheduling"
    TRAVEL = "travel"
    SHOPPING = "shopping"
    CARE = "care"
    FINANCE = "finance"
    PERSONALISATION = "personalisation"


class Refusal(StrEnum):
    """Every reason for a no. Wording lives in one table per surface, never here."""

    NOT_FOUND = "not-found"
    GRANT_REQUIRED = "grant-required"
    GRANT_PENDING = "grant-pending"
    GRANT_DENIED = "grant-denied"
    GRANT_ENDED = "grant-ended"
    GRANT_SPENT = "grant-spent"
    PURPOSE_MISMATCH = "purpose-mismatch"
    SPECIAL_ALONE = "special-category-alone"
    PAUSED = "paused"
    WIDER = "wider"
    COOL_DOWN = "cool-down"
    ALREADY_DECIDED = "already-decided"
    ALREADY_REJECTED = "already-rejected"
    NOT_YOURS = "not-yours-to-decide"
    FIELD_NOT_ALLOWED = "field-not-allowed"
    STALE = "stale"
    IDEMPOTENCY_EXPIRED = "idempotency-expired"
    IDEMPOTENCY_REUSE = "idempotency-reuse"
    LEFT_OUT = "left-out"
    RATE_LIMITED = "rate-limited"
    INVITATION_OVER = "invitation-over"
    INVITED_OTHER = "invited-other"
    LAST_ADMIN = "last-admin"
    PRIVACY_LEAD = "privacy-lead"
    TOO_YOUNG = "too-young"
    ECHO = "echo"
    SUBJECT_TAKEN = "subject-taken"
    LINEAGE_REQUIRED = "lineage-required"
    NOTHING_BEFORE = "nothing-before"
    UNDO_OVER = "undo-over"
    UNDO_LATER_FIRST = "undo-later-first"
    TARGET_GONE = "target-gone"
    LOCAL_ONLY = "local-only"
    LEGAL_HOLD = "legal-hold"
    LINEAGE_CHOICE = "lineage-choice"
    SAY_CATEGORY = "say-category"
    SAY_CLAIM = "say-claim"
    NOTICED_SINCE = "noticed-since"
    NO_SHARES = "no-shares"
    NEVER_SHARED = "never-shared"
    SHARE_GONE = "share-gone"


class ReceiptKind(StrEnum):
    """What a receipt says. `value.*` only the gate writes; the others are the acts' closed list."""

    VALUE_READ = "value.read"
    VALUE_SHOWN = "value.shown"
    VALUE_INDEXED = "value.indexed"
    VALUE_OPENED = "value.opened"  # by whoever has the link of a share
    VALUE_VIEWED = "value.viewed"  # looked at again, within minutes of an opening
    VALUE_REFUSED = "value.refused"

    VAULT_OPENED = "vault.opened"
    CLIENT_REGISTERED = "client.registered"
    CLIENT_PAUSED = "client.paused"
    CLIENT_RESUMED = "client.resumed"
    CLIENT_REVOKED = "client.revoked"
    CLIENT_LOCAL = "client.local"  # it runs at home, the holder says
    CLIENT_HOSTED = "client.hosted"  # and now not any more
    KEY_MADE = "key.made"
    KEY_REVOKED = "key.revoked"
    MEMORY_ADDED = "memory.added"
    MEMORY_CORRECTED = "memory.corrected"
    MEMORY_WITHDRAWN = "memory.withdrawn"
    MEMORY_RESTORED = "memory.restored"
    MEMORY_SEALED = "memory.sealed"  # from guardians and delegates
    MEMORY_INDEXED = "memory.indexed"
    MEMORY_BACKDATED = "memory.backdated"  # a version that was true before the current one, and is not current
    MEMORY_POSTDATED = "memory.postdated"  # a version that holds from a day to come, and is not current yet
    MEMORY_CANCELLED = "memory.cancelled"  # and that was taken back before its day; or what was told late was
    MEMORY_REVERTED = "memory.reverted"
    MEMORY_REAFFIRMED = "memory.reaffirmed"
    MEMORY_REOPENED = "memory.reopened"
    MEMORY_RESOLVED = "memory.resolved"
    MEMORY_RESCOPED = "memory.rescoped"  # under another subject
    MEMORY_MARKED = "memory.marked"  # its kind, weight, or that it stays local
    MEMORY_MERGED = "memory.merged"
    MEMORY_PARTED = "memory.parted"  # merging it was undone
    MEMORY_ENDING = "memory.ending"  # its time is nearly over, and whoever decides was told
    MEMORY_ERASED = "memory.erased"
    ERASURE_ORDERED = "erasure.ordered"  # what the order names is out of reach from here on
    ERASURE_CERTIFIED = "erasure.certified"  # nothing of it is left to do, and its certificate is bound here
    VAULT_ERASED = "vault.erased"  # the whole of it, its key first
    ERASURE_FORGOTTEN = "erasure.forgotten"  # the words that came with an order
    ERASURE_BARRED = "erasure.barred"  # by a legal hold, until a day
    ERASURE_FREED = "erasure.freed"  # of that hold
    KEYS_ROTATED = "keys.rotated"  # what lives is wrapped under a new key of the vault, the old one is destroyed
    ENTITY_NAMED = "entity.named"
    ENTITY_MERGED = "entity.merged"
    ENTITY_PARTED = "entity.parted"
    ENTITY_READ = "entity.read"  # told to a client, beside a memory that is about it
    EDGE_DRAWN = "edge.drawn"
    EDGE_ENDED = "edge.ended"
    EDGE_READ = "edge.read"  # told to a client, beside a memory at one of its ends
    PROPOSAL_MADE = "proposal.made"
    PROPOSAL_APPROVED = "proposal.approved"
    PROPOSAL_REJECTED = "proposal.rejected"
    PROPOSAL_WITHDRAWN = "proposal.withdrawn"
    PROPOSAL_EXPIRED = "proposal.expired"
    PROPOSAL_REBASED = "proposal.rebased"  # on what the file says by now
    PROPOSAL_LIFTED = "proposal.lifted"  # the same may be suggested again
    PROPOSAL_UNDONE = "proposal.undone"
    REQUEST_MADE = "request.made"
    REQUEST_DECIDED = "request.decided"
    REQUEST_CANCELLED = "request.cancelled"
    REQUEST_EXPIRED = "request.expired"
    GRANT_MADE = "grant.made"
    GRANT_NARROWED = "grant.narrowed"
    GRANT_REVOKED = "grant.revoked"
    GRANT_EXPIRED = "grant.expired"
    GRANT_LAPSED = "grant.lapsed"
    SHARE_MADE = "share.made"
    SHARE_CHALLENGED = "share.challenged"  # a code was mailed to whom a link is for
    SHARE_STOPPED = "share.stopped"
    SHARE_ENDED = "share.ended"  # by its time, by its openings, or because its code was tried too often
    SHARE_NOTED = "share.noted"  # whoever opened it left a note
    TURN_ASKED = "turn.asked"
    TURN_ANSWERED = "turn.answered"
    SPACE_FOUNDED = "space.founded"
    SPACE_SETTLED = "space.settled"  # its policy is another from now on
    MEMBER_JOINED = "member.joined"
    MEMBER_LEFT = "member.left"
    INVITATION_MADE = "invitation.made"
    INVITATION_WITHDRAWN = "invitation.withdrawn"
    DELEGATION_MADE = "delegation.made"
    DELEGATION_RENEWED = "delegation.renewed"
    DELEGATION_ENDED = "delegation.ended"
    ADDRESS_GIVEN = "address.given"
    TIER_ANNOUNCED = "tier.announced"  # a birthday is near on which a guardian may do less
    TIER_CHANGED = "tier.changed"
    REVIEW_APPROVED = "review.approved"
    REVIEW_NARROWED = "review.narrowed"
    REVIEW_RETURNED = "review.returned"
    REVIEW_DECLINED = "review.declined"
    DESK_ENTERED = "desk.entered"
    DESK_LEFT = "desk.left"
    EMERGENCY_ENTERED = "emergency.entered"
    EMERGENCY_LEFT = "emergency.left"
    EMERGENCY_REVIEWED = "emergency.reviewed"

    @property
    def act(self) -> bool:
        """True for kinds that `gate.record` accepts."""
        return not self.value.startswith("value.")


class Role(StrEnum):
    """What a person is at a vault, or in a space."""

    HOLDER = "holder"
    GUARDIAN = "guardian"  # acts for a minor
    DELEGATE = "delegate"  # acts for an adult who said so
    REVIEWER = "reviewer"
    ADMIN = "admin"  # of a space
    EMERGENCY = "emergency"  # in a clinic that allows it: may open a file there for an hour, unasked, and is looked at


class Level(StrEnum):
    """How far somebody may act for a holder."""

    VIEW = "view"
    DECIDE = "decide"  # view, and decide


class PartStatus(StrEnum):
    """A request's part, and (with `partly_granted`) the request."""

    PENDING = "pending"
    IN_REVIEW = "in_review"  # the person said yes, a reviewer has not yet; to the client it is pending
    GRANTED = "granted"
    PARTLY_GRANTED = "partly_granted"
    DENIED = "denied"
    EXPIRED = "expired"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        """Does it wait for somebody, the person or a reviewer?"""
        return self in (PartStatus.PENDING, PartStatus.IN_REVIEW)


class ReviewOutcome(StrEnum):
    """What a reviewer made of a person's yes."""

    APPROVED = "approved"
    NARROWED = "narrowed"  # approved for less
    RETURNED = "returned"  # back to the person, with a reason
    DECLINED = "declined"


class EmergencyReason(StrEnum):
    """Why somebody opened a file without being asked in."""

    LIFE_AT_RISK = "life-at-risk"
    CANNOT_CONSENT = "cannot-consent"
    URGENT_CARE = "urgent-care"
    SAFEGUARDING = "safeguarding"


class EmergencyEnd(StrEnum):
    """How that hour ended."""

    LEFT = "left"  # by a press
    TIME_OVER = "time-over"
    TAKEN_AWAY = "taken-away"  # the clinic switched it off, or took the role or the vault out of it


class EmergencyFinding(StrEnum):
    """What somebody else made of it afterwards."""

    JUSTIFIED = "justified"
    NOT_JUSTIFIED = "not-justified"


class GrantState(StrEnum):
    """How a grant stands: it serves, rests while its client is paused, or has ended in one of four ways."""

    LIVE = "live"
    PAUSED = "paused"
    SPENT = "spent"
    EXPIRED = "expired"
    LAPSED = "lapsed"  # by itself, unused for too long
    REVOKED = "revoked"


class ProposalStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Directive(StrEnum):
    """What a proposal would do, if the holder says so."""

    ADD = "add"
    CORRECT = "correct"
    REVERT = "revert"  # what was said before holds again
    MERGE = "merge"
    SUPERSEDE_EDGE = "supersede_edge"  # another edge takes its place
    RETRACT_EDGE = "retract_edge"
    RESCOPE = "rescope"  # under another subject
    ERASE = "erase"


class MarkKind(StrEnum):
    """What the vault noticed about a proposal, for the holder alone."""

    ECHO = "echo"  # it restates what was corrected, or put away
    CONFIRMED = "confirmed"  # it says what holds already
    CONFLICT = "conflict"  # it contradicts what is kept
    VOID = "void"  # a yes would change nothing, so that it waits for nobody
    HIDDEN = "hidden-characters"
    LOOKALIKE = "look-alike-letters"  # of another script than the word that they are in
    ALONE = "needs-a-look-alone"  # it may be of a special category, or comes from what is kept apart


class TurnStatus(StrEnum):
    """asked → offered → decided → answered; or abandoned. A left-out memory starts a new turn."""

    OFFERED = "offered"
    DECIDED = "decided"
    ANSWERED = "answered"
    ABANDONED = "abandoned"


class ItemState(StrEnum):
    """What became of a memory in a turn."""

    OFFERED = "offered"
    HANDED_OVER = "handed-over"
    DECLINED = "declined"  # offered, and the holder said no
    LEFT_OUT = "left-out"  # taken off an earlier answer
    REFUSED = "refused"  # decided, but the rules or the rows said no
