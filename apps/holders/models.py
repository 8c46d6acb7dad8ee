"""Rows of people: who signs in, which spaces there are, whose vault is whose.

These are the instance's global tables, small and not split by vault; `Directory` leads from a credential's
hash to its vault, before any vault is known.
"""

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models


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

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    class Meta:
        db_table = "user"

    def get_full_name(self) -> str:
        return self.name or self.email


class SpaceRow(models.Model):
    """A household or a clinic."""

    space_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=16, choices=[("household", "household"), ("clinic", "clinic")])
    name = models.CharField(max_length=120)

    class Meta:
        db_table = "space"


class VaultRow(models.Model):
    """One holder's memory file."""

    vault_id = models.UUIDField(primary_key=True, editable=False)
    space = models.ForeignKey(SpaceRow, on_delete=models.PROTECT)
    holder = models.OneToOneField(User, on_delete=models.PROTECT)
    name = models.CharField(max_length=120)

    class Meta:
        db_table = "vault"


class DirectoryRow(models.Model):
    """A credential's SHA-256 and where it belongs. Nothing here says whose it is."""

    credential_hash = models.BinaryField(primary_key=True)
    vault_id = models.UUIDField()
    kind = models.CharField(max_length=16)

    class Meta:
        db_table = "directory"
