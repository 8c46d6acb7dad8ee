"""Who sits where, who acts for whom, who was invited; who belongs to a space, what it settled, what was done in it."""

from typing import Any

from rest_framework import serializers

from apps.api.fields import Hex, Instant, ReceiptNumber, Text, TypedId, Whole, Word
from apps.api.outputs.shape import Shape
from apps.policy.vocabulary import Category, Level, ReceiptKind, Role


class SeatOut(Shape):
    """One vault the person sits at. Its id is what `Muniment-Seat` names."""

    vault = TypedId("vlt", source="vault_id")
    role = Word(Role)
    level = Word(Level)
    holder_name = Text()
    space_name = Text()


class ChildOut(Shape):
    """A child who does not sign in yet."""

    name = Text()
    email = Text()


class DelegationOut(Shape):
    """Leave to act at this vault."""

    id = TypedId("del", source="delegation_id")
    name = Text()
    role = Word(Role)
    level = Word(Level)
    made_at = Instant()
    expires_at = Instant(allow_null=True)
    ended_at = Instant(allow_null=True)


class InvitationOut(Shape):
    """An offered role: at this vault, or (no vault) in a space."""

    id = TypedId("inv", source="invitation_id")
    space = TypedId("spc", source="space_id")
    vault = TypedId("vlt", source="vault_id", allow_null=True)
    role = Word(Role)
    level = Word(Level)
    email = Text()
    days = Whole(source="lasts_days", allow_null=True)
    made_at = Instant()
    expires_at = Instant()


class Roles(serializers.ListField):
    """A set of roles, in one order each time."""

    def to_representation(self, data: Any) -> list[Any]:
        return super().to_representation(sorted(data))


class MemberOut(Shape):
    id = TypedId("usr", source="user_id")
    name = Text()
    roles = Roles(child=Word(Role))
    joined_at = Instant()


class TierOut(Shape):
    """From this age on, what a guardian may do; null for nothing any more."""

    from_years = Whole()
    guardian = Word(Level, allow_null=True)


class AgesOut(Shape):
    """What guardians may do at which age; and, where another table is settled already, that and from when on."""

    held = TierOut(many=True)
    then = TierOut(many=True)
    since = Instant(allow_null=True)


class SpaceOut(Shape):
    """A space the person belongs to, with who else does."""

    id = TypedId("spc", source="mine.space_id")
    name = Text(source="mine.space_name")
    kind = Text(source="mine.kind")
    roles = Roles(child=Word(Role), source="mine.roles")
    members = MemberOut(many=True)
    ages = AgesOut()


class Categories(serializers.ListField):
    """A set of categories, in the order of the closed list."""

    def to_representation(self, data: Any) -> list[Any]:
        return super().to_representation([each for each in Category if each in data])


class KeptOut(Shape):
    """Memories of a category go so many days after they were said, or said to hold, last."""

    category = Word(Category)
    days = Whole()


class KeepingOut(Shape):
    """For how many days what is kept; null, and a category that is not there: for good."""

    turns_days = Whole(allow_null=True)
    proposals_days = Whole()
    notes_days = Whole()
    memories = KeptOut(many=True)


class PolicyOut(Shape):
    """What a space has settled. `version` moves with each change, and the ETag with it. Where `tiers` lets guardians do
    more, `tiers_before` is what holds until `tiers_from`.
    """

    version = Whole()
    review_categories = Categories(child=Word(Category))
    most_ttl_seconds = Whole(allow_null=True)
    most_reads = Whole(allow_null=True)
    preselect = serializers.BooleanField()
    break_glass = serializers.BooleanField()
    privacy_lead = TypedId("usr", allow_null=True)
    notice = Text()
    lapse_days = Whole()
    cool_down_hours = Whole()
    share_hours_most = Whole()
    share_opens_most = Whole()
    tiers = TierOut(many=True)
    tiers_before = TierOut(many=True)
    tiers_from = Instant(allow_null=True)
    keeping = KeepingOut()


class SpaceReceiptOut(Shape):
    """A line of a space's ledger: what was done, by whom, about whom ("": nobody else)."""

    id = ReceiptNumber(source="receipt.seq")
    seq = Whole(source="receipt.seq")
    at = Instant(source="receipt.at")
    kind = Word(ReceiptKind, source="receipt.kind")
    actor = Text(source="receipt.actor")
    actor_name = Text(source="who")
    object = Text(source="receipt.object")
    object_name = Text(source="whom")
    reason = Text(source="receipt.reason")
    digest = Hex("sha256", source="receipt.digest")
