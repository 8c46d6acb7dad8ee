"""Who sits where, who acts for whom, who belongs to what, and who was invited."""

from rest_framework import serializers

from apps.api.fields import Instant, Text, TypedId, Whole, Word
from apps.api.outputs.shape import Shape
from apps.policy.vocabulary import Level, Role


class SeatOut(Shape):
    """One vault the person sits at. Its id is what `Muniment-Seat` names."""

    vault = TypedId("vlt", source="vault_id")
    role = Word(Role)
    level = Word(Level)
    holder_name = Text()
    space_name = Text()


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


class MemberOut(Shape):
    name = Text()
    roles = serializers.ListField(child=Word(Role))
    joined_at = Instant()


class SpaceOut(Shape):
    """A space the person belongs to, with who else does."""

    id = TypedId("spc", source="space_id")
    name = Text()
    kind = Text()
    roles = serializers.ListField(child=Word(Role))
    members = MemberOut(many=True)
