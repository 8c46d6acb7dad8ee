"""Rows of people: who signs in, which spaces there are, whose vault is whose.

These are the instance's global tables, small and not split by vault; `Directory` leads from a credential's
hash to its vault, before any vault is known.
"""

import uuid
from datetime import timedelta
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils.crypto import salted_hmac


class UserManager(BaseUserManager["User"]):
    """What Django's `createsuperuser` and allauth call."""

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user: User = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person who signs in."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(auto_now_add=True)
    belongs = models.PositiveIntegerField(default=0)  # moves with each joining and leaving
    guest_at = models.DateTimeField(null=True)  # of a guest: when they last used it

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    class Meta:
        db_table = "user"

    def get_full_name(self) -> str:
        return self.name or self.email

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session is signed with: it ends with the password, and with joining or leaving anything."""
        return salted_hmac(
            "muniment.holders.session", f"{self.password}/{self.belongs}", secret=secret, algorithm="sha256"
        ).hexdigest()


class SpaceRow(models.Model):
    """A household or a clinic."""

    space_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=16, choices=[("household", "household"), ("clinic", "clinic")])
    name = models.CharField(max_length=120)

    class Meta:
        db_table = "space"


class SpacePolicyRow(models.Model):
    """What a space has settled for the vaults in it. Categories and tiers as JSON: data of the space, not code."""

    space = models.OneToOneField(SpaceRow, on_delete=models.PROTECT, primary_key=True)
    review_categories = models.JSONField(default=list)
    most_ttl_seconds = models.PositiveIntegerField(null=True)
    most_reads = models.PositiveIntegerField(null=True)
    preselect = models.BooleanField(default=True)
    break_glass = models.BooleanField(default=False)
    notice = models.TextField(blank=True, default="")
    lapse_days = models.PositiveIntegerField(default=90)
    cool_down_hours = models.PositiveIntegerField(default=24)
    tiers = models.JSONField(default=list)  # [from years, what a guardian may do or null], youngest first
    tiers_before = models.JSONField(default=list)  # what holds until `tiers_from`
    tiers_from = models.DateTimeField(null=True)
    keeping = models.JSONField(default=dict, db_default={})  # for how many days what is kept
    share_hours_most = models.PositiveIntegerField(default=720, db_default=720)  # 0: nobody shares there
    share_opens_most = models.PositiveIntegerField(default=50, db_default=50)
    privacy_lead = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "space_policy"


class SettledRow(models.Model):
    """A policy that stood in a space, as the bytes that its receipt is bound to. Only added to."""

    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    version = models.PositiveIntegerField()
    policy = models.TextField()  # RFC 8785
    notice = models.TextField(blank=True)
    settled_at = models.DateTimeField()

    class Meta:
        db_table = "space_settled"
        constraints: ClassVar = [models.UniqueConstraint(fields=["space", "version"], name="space_settled_once")]


class MemberRow(models.Model):
    """A person's place in a space: one row a role."""

    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    role = models.CharField(max_length=16)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "member"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["space", "user", "role"], condition=models.Q(left_at=None), name="member_once"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["holder", "reviewer", "admin", "emergency"]), name="member_role"
            ),
        ]


class VaultRow(models.Model):
    """One holder's memory file. A person may hold several. Of a child it says when they were born, and in which zone
    their days begin ("": that of their own log-in)."""

    vault_id = models.UUIDField(primary_key=True, editable=False)
    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    holder = models.ForeignKey(User, on_delete=models.PROTECT)
    name = models.CharField(max_length=120)
    born_on = models.DateField(null=True)
    time_zone = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        db_table = "vault"


class DelegationRow(models.Model):
    """Somebody's leave to act for a vault's holder. Looked up by person, so it is no vault's own table."""

    delegation_id = models.UUIDField(primary_key=True, editable=False)
    vault = models.ForeignKey(VaultRow, on_delete=models.PROTECT)
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    role = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "delegation"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["vault", "user"],
                condition=models.Q(ended_at=None) & ~models.Q(role="emergency"),
                name="delegation_once",
            ),
            models.CheckConstraint(
                condition=models.Q(role="guardian")
                | models.Q(role="delegate", expires_at__isnull=False)
                | models.Q(role="emergency", level="view", expires_at__isnull=False),
                name="delegation_ends",
            ),
            models.CheckConstraint(condition=models.Q(level__in=["view", "decide"]), name="delegation_level"),
        ]


class EmergencyRow(models.Model):
    """Why somebody opened a vault unasked, for how long, and what was made of it. Its facts stay as they were written;
    note and salt can be erased, and what the receipt is bound to is then open to nobody.
    """

    delegation = models.OneToOneField(DelegationRow, on_delete=models.PROTECT, primary_key=True)
    vault = models.ForeignKey(VaultRow, on_delete=models.PROTECT)
    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    reason = models.CharField(max_length=16)
    note = models.TextField(null=True)
    salt = models.BinaryField(null=True)
    entered_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    due_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)
    how = models.CharField(max_length=16, blank=True, default="")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    finding = models.CharField(max_length=16, blank=True, default="")
    words = models.TextField(blank=True, default="")
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "emergency"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], condition=models.Q(left_at=None), name="emergency_one_at_a_time"),
            models.CheckConstraint(
                condition=models.Q(ends_at__lte=models.F("entered_at") + timedelta(minutes=60)),
                name="emergency_an_hour",
            ),
            models.CheckConstraint(
                condition=models.Q(reviewer=None) | ~models.Q(reviewer=models.F("user")), name="emergency_other_eyes"
            ),
        ]


class InvitationRow(models.Model):
    """An offered role. The token is kept as its SHA-256; whoever has the link has the token."""

    invitation_id = models.UUIDField(primary_key=True, editable=False)
    token_hash = models.BinaryField(unique=True)
    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    vault = models.ForeignKey(VaultRow, on_delete=models.PROTECT, null=True)
    role = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    email = models.EmailField()
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    lasts_days = models.PositiveIntegerField(null=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "invitation"


class StepToldRow(models.Model):
    """A birthday, or a table of ages, that guardians and child were told of, before it or on the day: once each."""

    vault = models.ForeignKey(VaultRow, on_delete=models.PROTECT)
    day = models.DateField()
    told = models.CharField(max_length=32)
    told_at = models.DateTimeField()

    class Meta:
        db_table = "step_told"
        constraints: ClassVar = [models.UniqueConstraint(fields=["vault", "day", "told"], name="step_told_once")]


class DirectoryRow(models.Model):
    """A credential's SHA-256 and where it belongs. Nothing here says whose it is."""

    credential_hash = models.BinaryField(primary_key=True)
    vault_id = models.UUIDField()
    kind = models.CharField(max_length=16)

    class Meta:
        db_table = "directory"
