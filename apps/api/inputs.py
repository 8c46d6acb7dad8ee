"""What the REST surface takes: shapes only. Whether a text may be kept is the services' to say."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from rest_framework import serializers

from apps.api.fields import AS_OF, MOST_AT_ONCE, Day, Instant, Named, Text, TypedId, Whole, Word, ids
from apps.api.keeping import KeepingIn, keeping_of
from apps.policy.life import HEAVIEST, LIGHTEST, USUAL
from apps.policy.people import Tier
from apps.policy.retention import Keeping
from apps.policy.roles import IN_A_SPACE, MOST_DELEGATED_DAYS
from apps.policy.vocabulary import Category, Claim, Kind, Level, ProposalStatus, Purpose, ReceiptKind, Role, State

SPECIAL = [category for category in Category if category.special]
MOST_NUMBER = 2**31 - 1  # what a number is at all; what a space may settle is said by the rules
LONGEST_GRANT = int(timedelta(days=366).total_seconds())


# ---------------------------------------------------------------- asking and reading
class AskedIn(serializers.Serializer[Any]):
    """One memory by its id, or a whole special category by its name."""

    memory = TypedId("mem", required=False)
    category = Word(SPECIAL, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send either memory or category.")
        return attrs


class AskIn(serializers.Serializer[Any]):
    items = serializers.ListField(child=AskedIn(), allow_empty=False, max_length=MOST_AT_ONCE)
    purpose = Word(Purpose)
    purpose_note = Text(default="", allow_blank=True, help_text="At most 140 characters, shown to the holder.")
    ttl_seconds = Whole(default=3600, min_value=60, max_value=LONGEST_GRANT)
    max_reads = Whole(default=None, allow_null=True, min_value=1, max_value=100_000)


class ReadIn(serializers.Serializer[Any]):
    memories = ids("mem", allow_empty=False)
    purpose = Word(Purpose)
    turn = TypedId("trn", required=False, help_text="The client's own name for the answer this read is for.")


class BelowIn(serializers.Serializer[Any]):
    """A space's own notice: whose, in which version of its policy."""

    space = TypedId("spc")
    version = Whole(min_value=1, max_value=MOST_NUMBER)


class NoticeIn(serializers.Serializer[Any]):
    """The notice that the person read before they decided."""

    notice = Whole(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="The number of the notice, at /notices/{number}, that the person was shown; null: none.",
    )
    notice_below = BelowIn(
        default=None,
        allow_null=True,
        help_text="The space's own that stood below it, at /notices/{number}/{space}/{version}; null: none did.",
    )


class PartDecisionIn(serializers.Serializer[Any]):
    """A decision on one part: yes to some of what was asked for, or no."""

    part = Word(["ordinary", *(f"special:{category.value}" for category in SPECIAL)])
    allow = serializers.BooleanField(default=True, help_text="false: no. A yes names memories, subjects, or both.")
    memories = ids("mem", default=list)
    subjects = serializers.ListField(
        child=Text(),
        default=list,
        max_length=MOST_AT_ONCE,
        help_text="Chooses the asked memories that stand under these subjects now.",
    )
    until = Instant(default=None, allow_null=True, help_text="When the grant ends; a day from now if not given.")
    reads = Whole(default=1, allow_null=True, min_value=1, max_value=100_000, help_text="null: any number.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = bool(attrs["memories"] or attrs["subjects"])
        if attrs["allow"] and not named:
            raise serializers.ValidationError({"memories": "Choose at least one. To say no, send allow: false."})
        if named and not attrs["allow"]:
            raise serializers.ValidationError({"allow": "A no is to the whole part. Send it without memories."})
        return attrs


class DecisionIn(NoticeIn):
    parts = serializers.ListField(child=PartDecisionIn(), allow_empty=False, max_length=10)

    def validate_parts(self, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({each["part"] for each in parts}) != len(parts):
            raise serializers.ValidationError("A part is decided once. Send each part once.")
        return parts


class NarrowIn(serializers.Serializer[Any]):
    """Narrower terms of a grant. What is not sent stays as it is."""

    until = Instant(required=False, help_text="Not later than it ends now.")
    reads = Whole(required=False, min_value=1, max_value=100_000, help_text="How many are left from now on.")
    memories = ids("mem", required=False, allow_empty=False, help_text="Those it goes on to cover.")

    def validate_memories(self, sent: list[UUID]) -> frozenset[UUID]:
        return frozenset(sent)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send until, reads, memories, or several of them.")
        return attrs


# ---------------------------------------------------------------- people
class InvitationIn(serializers.Serializer[Any]):
    """At this vault (`guardian`, `delegate`), or with `space` to a place in it (`holder`, `reviewer`, `admin`)."""

    email = Text()
    role = Word(Role)
    level = Word(Level, default=Level.VIEW, help_text="How far they may act; of no meaning in a space.")
    days = Whole(default=None, allow_null=True, min_value=1, max_value=MOST_DELEGATED_DAYS, help_text="Of a delegate.")
    space = TypedId("spc", default=None, allow_null=True)


class AddressIn(serializers.Serializer[Any]):
    email = Text(help_text="The child's own. A password is set by it on the sign-in page.")


class RenewIn(serializers.Serializer[Any]):
    days = Whole(default=None, allow_null=True, min_value=1, max_value=MOST_DELEGATED_DAYS)


class PlaceEndIn(serializers.Serializer[Any]):
    role = Word(sorted(IN_A_SPACE), default=None, allow_null=True, help_text="null: in all of them.")


class TierIn(serializers.Serializer[Any]):
    """From this age on, what a guardian may do; null for nothing any more."""

    from_years = Whole(min_value=0, max_value=MOST_NUMBER)
    guardian = Word(Level, allow_null=True)


class PolicyIn(serializers.Serializer[Any]):
    """What a space is to settle. What is not sent stays; null takes a limit away."""

    review_categories = serializers.ListField(
        child=Word(Category), required=False, max_length=len(Category), help_text="A yes waits for a reviewer: clinics."
    )
    most_ttl_seconds = Whole(required=False, allow_null=True, min_value=1, max_value=MOST_NUMBER)
    most_reads = Whole(required=False, allow_null=True, min_value=1, max_value=MOST_NUMBER)
    preselect = serializers.BooleanField(required=False, help_text="Ordinary memories are chosen beforehand.")
    break_glass = serializers.BooleanField(required=False, help_text="Emergencies: clinics, with a privacy lead.")
    privacy_lead = TypedId("usr", required=False, allow_null=True, help_text="A member with another role than holder.")
    notice = Text(required=False, allow_blank=True, help_text="Stands below ours where people decide.")
    lapse_days = Whole(required=False, min_value=0, max_value=MOST_NUMBER, help_text="Of grants made from then on.")
    cool_down_hours = Whole(required=False, min_value=0, max_value=MOST_NUMBER, help_text="After a no.")
    share_hours_most = Whole(required=False, min_value=0, max_value=MOST_NUMBER, help_text="0: nobody shares there.")
    share_opens_most = Whole(
        required=False, min_value=0, max_value=MOST_NUMBER, help_text="Of shares made from then on."
    )
    tiers = serializers.ListField(child=TierIn(), required=False, max_length=3)
    keeping = KeepingIn(required=False)

    def validate_review_categories(self, sent: list[Category]) -> frozenset[Category]:
        return frozenset(sent)

    def validate_keeping(self, sent: dict[str, Any]) -> Keeping:
        return keeping_of(sent)

    def validate_tiers(self, sent: list[dict[str, Any]]) -> tuple[Tier, ...]:
        return tuple(Tier(**each) for each in sent)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Send what is to be settled.")
        return attrs


# ---------------------------------------------------------------- memories
class MemoryIn(Named):
    label = Text()
    value = Text()
    subject = Text(default="", allow_blank=True)
    category = Word(Category, default=Category.ORDINARY)
    neutral_label = Text(default="", allow_blank=True)
    claim = Word(Claim, default=None, allow_null=True, help_text="Makes it attested: the claim is confirmed, no value.")
    as_of = Day(default=None, allow_null=True, help_text=AS_OF)
    sealed = serializers.BooleanField(default=False, help_text="From guardians and delegates, from the first moment.")
    kind = Word(Kind, default=Kind.SEMANTIC)
    weight = Whole(default=USUAL, min_value=LIGHTEST, max_value=HEAVIEST)
    local_only = serializers.BooleanField(default=False, help_text="Goes to nothing but what runs locally.")
    valid_from = Text(default="", allow_blank=True, help_text="Since when it is true: a day, or a moment in UTC.")
    valid_to = Text(default="", allow_blank=True, help_text="Until when it was true.")
    on_purpose = serializers.BooleanField(default=False, help_text="Also where it restates what was corrected.")


class MemoryChangeIn(Named):
    """One of four: a correction (value, with what goes with it); another subject; its kind, weight and whether it stays
    local; or putting away, sealing from guardians, and back (state).
    """

    value = Text(required=False)
    label = Text(required=False)
    category = Word(Category, required=False)
    neutral_label = Text(required=False, allow_blank=True)
    as_of = Day(required=False, allow_null=True, help_text=AS_OF)
    changed = serializers.BooleanField(required=False, help_text="The old one was true until then; else it was wrong.")
    valid_from = Text(required=False, allow_blank=True, help_text="Since when it is true: a day, or a moment in UTC.")
    valid_to = Text(required=False, allow_blank=True, help_text="Until when it was true.")
    why = Text(required=False, allow_blank=True)
    on_purpose = serializers.BooleanField(required=False, help_text="Also where it restates what was corrected.")
    subject = Text(required=False)
    kind = Word(Kind, required=False)
    weight = Whole(required=False, min_value=LIGHTEST, max_value=HEAVIEST)
    local_only = serializers.BooleanField(required=False)
    state = Word([State.APPROVED, State.WITHDRAWN, State.SEALED], required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        others = ({"subject", "on_purpose"}, {"state"}, {"kind", "weight", "local_only"})
        wanted = next((each for each in others if (each - {"on_purpose"}) & attrs.keys()), None)
        if not attrs or (not attrs.keys() <= wanted if wanted else "value" not in attrs):
            raise serializers.ValidationError(
                "Send one change: a correction with its value; a subject; kind, weight or local_only; or a state."
            )
        return attrs


class RevertIn(serializers.Serializer[Any]):
    why = Text(default="", allow_blank=True)


class ReaffirmIn(serializers.Serializer[Any]):
    """A version to take back on purpose; the current one, to say that it still holds."""

    version = Whole(min_value=1, max_value=MOST_NUMBER)
    changed = serializers.BooleanField(default=False, help_text="What holds now was true until now; else it was wrong.")
    why = Text(default="", allow_blank=True)


class CancelIn(serializers.Serializer[Any]):
    """A version that waits for its day."""

    version = Whole(min_value=1, max_value=MOST_NUMBER)


class VersionIn(serializers.Serializer[Any]):
    memory = TypedId("mem")
    version = Whole(min_value=1, max_value=MOST_NUMBER)


class ShowIn(serializers.Serializer[Any]):
    """What memories say now, or (`versions`) what they said before."""

    memories = ids("mem", required=False, allow_empty=False)
    versions = serializers.ListField(child=VersionIn(), required=False, allow_empty=False, max_length=MOST_AT_ONCE)
    openings = serializers.BooleanField(default=False, help_text="Also what opens the receipts' commitments.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("memories" in attrs) == ("versions" in attrs) or (attrs["openings"] and "versions" in attrs):
            raise serializers.ValidationError("Send memories, with openings or without, or versions alone.")
        return attrs


class CheckIn(serializers.Serializer[Any]):
    texts = serializers.ListField(child=Text(allow_blank=True), allow_empty=False, max_length=200)
    purpose = Word(Purpose, default=Purpose.ANSWER, help_text="Of a client: for which its grants are used.")


# ---------------------------------------------------------------- turns and clients
class TurnIn(serializers.Serializer[Any]):
    question = Text()


class TurnDecisionIn(NoticeIn):
    """Which memories may go into the answer. A part that is not sent stays undecided; an empty list is a no."""

    ordinary = ids("mem", required=False, help_text="[]: answer without any.")
    special = serializers.DictField(child=ids("mem"), required=False, help_text="Special category to memory ids.")

    def validate_special(self, sent: dict[str, list[UUID]]) -> dict[Category, list[UUID]]:
        known = {category.value: category for category in SPECIAL}
        if any(name not in known for name in sent):
            raise serializers.ValidationError("Its names are special categories.")
        return {known[name]: chosen for name, chosen in sent.items()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.keys() & {"ordinary", "special"}:
            raise serializers.ValidationError("Send ordinary, special, or both.")
        return attrs


class WithoutIn(serializers.Serializer[Any]):
    memory = TypedId("mem")


class ClientIn(serializers.Serializer[Any]):
    name = Text()
    domain = Text(default="", allow_blank=True)


# ---------------------------------------------------------------- queries
class NoQuery(serializers.Serializer[Any]):
    """No parameter at all."""


class PageQuery(serializers.Serializer[Any]):
    limit = serializers.IntegerField(default=50, min_value=1, max_value=200)
    cursor = serializers.CharField(required=False, help_text="next_cursor of the page before.")


class LedgerPageQuery(serializers.Serializer[Any]):
    """Newest first."""

    limit = serializers.IntegerField(default=50, min_value=1, max_value=200)
    cursor = serializers.IntegerField(required=False, min_value=1, max_value=2**62, help_text="next_cursor.")


class MemoriesQuery(PageQuery):
    """The file as it stands; or, with a day or a moment in UTC, as it stood (`as_of`) or as it was true (`true_at`), by
    what is known now or was known `as_of` then.
    """

    state = Word([State.APPROVED, State.WITHDRAWN, State.SEALED], required=False)
    category = Word(Category, required=False)
    subject = Text(required=False, help_text="What stands under exactly this one.")
    as_of = Text(required=False, help_text="What the file said then: 2026-10-02, or 2026-10-02T14:02:09Z.")
    true_at = Text(required=False, help_text="What was true then.")
    order = Word(["subject", "rank"], default="subject", help_text="rank: by weight, halved with each half-life.")
    list = Word(
        ["worth-another-look", "reopened"], required=False, help_text="Only what is over or has faded, or was reopened."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.keys() & {"as_of", "true_at"} and ("list" in attrs or attrs["order"] != "subject"):
            raise serializers.ValidationError("A file as it was has no rank. Send as_of and true_at without.")
        return attrs


class GrantsQuery(serializers.Serializer[Any]):
    """Newest first. `client` is for the holder; a client sees its own."""

    limit = serializers.IntegerField(default=50, min_value=1, max_value=200)
    cursor = TypedId("gra", required=False, help_text="next_cursor of the page before.")
    client = TypedId("cli", required=False)


class ProposalsQuery(PageQuery):
    status = Word(ProposalStatus, required=False, help_text="The holder's list shows pending ones if not given.")


class SpanQuery(serializers.Serializer[Any]):
    """Between two moments. `from` is no name that a class body can give."""

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **{name: Instant(required=False) for name in ("from", "to")}}


class ReceiptsQuery(SpanQuery, LedgerPageQuery):
    """Newest first."""

    after_seq = serializers.IntegerField(required=False, min_value=0, max_value=2**62)
    kind = Word(ReceiptKind, required=False)
    category = Word(Category, required=False)
    form = Word(["value", "attested", "refused"], required=False)
    purpose = Word(Purpose, required=False)
    memory = TypedId("mem", required=False)
    client = TypedId("cli", required=False)
    request = TypedId("req", required=False)
    turn = TypedId("trn", required=False)


class ConversationQuery(serializers.Serializer[Any]):
    content = serializers.BooleanField(default=True, help_text="false: no word and no key, the digests alone.")


class DisclosuresQuery(SpanQuery):
    """From six years back until now, if nothing else is said."""

    roll_up = serializers.BooleanField(default=False, help_text="Those that differ in nothing but their time, as one.")


class BundleQuery(serializers.Serializer[Any]):
    """The numbers of the first and the last receipt; all without."""

    def get_fields(self) -> dict[str, Any]:
        told = {"from": "The first receipt's number; 1 if not given.", "to": "The last one's; the newest if not given."}
        return {
            name: serializers.IntegerField(required=False, min_value=1, max_value=2**53 - 1, help_text=text)
            for name, text in told.items()
        }
