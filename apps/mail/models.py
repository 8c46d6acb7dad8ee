"""Rows of mail: letters that wait or went, what each person wishes of them, and when their next digest is due.

They are the instance's own tables, looked up by person: a letter to a reviewer or a guardian is no vault's alone, and
the worker sends for all. They hold nothing that a vault keeps apart; what a letter says is a closed list of facts
(`policy.letters`), and is emptied once it has gone.
"""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

OPEN = models.Q(sent_at=None, failed=False)


class LetterRow(models.Model):
    """A letter to a person, or to an `address` that is nobody's here, written in the act that it tells of. `sent_at`
    and `failed` are its two ends; what it says, and such an address, are kept until one of them.
    """

    letter_id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    vault_id = models.UUIDField(null=True)  # which one it is about, so that it can go with it
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True)
    address = models.CharField(max_length=254, blank=True, default="")
    zone = models.CharField(max_length=64, blank=True, default="")  # in which times are told to that address
    letter = models.CharField(max_length=32)
    facts = models.JSONField(default=dict)
    key = models.CharField(max_length=160)  # what it is about: once for each
    made_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(db_default=Now())  # not before; moved by whoever takes it in hand
    sent_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=64, blank=True, default="")  # what the last failure was called
    failed = models.BooleanField(default=False)  # given up
    bounced = models.CharField(max_length=8, blank=True, default="")  # soft, hard; as its provider told

    class Meta:
        db_table = "letter"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["to", "letter", "key"], name="letter_once"),
            models.UniqueConstraint(
                fields=["vault_id", "letter", "key"], condition=models.Q(to=None), name="letter_once_outside"
            ),
            models.CheckConstraint(condition=models.Q(sent_at=None) | models.Q(failed=False), name="letter_one_end"),
            models.CheckConstraint(condition=OPEN | models.Q(facts={}), name="letter_emptied"),
            models.CheckConstraint(
                condition=models.Q(to__isnull=False, address="", zone="")
                | models.Q(to=None) & (OPEN & ~models.Q(address="") | ~OPEN & models.Q(address="")),
                name="letter_to_one",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["due_at"], condition=OPEN, name="letter_due")]


class DigestRow(models.Model):
    """When a person is looked up next for what is told by schedule: their hour in their zone, kept in UTC. What was
    handed over is told to them up to `told_until`.
    """

    to = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    due_at = models.DateTimeField(db_index=True)
    told_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "digest"


class WishesRow(models.Model):
    """What a person wishes of mail (`policy.wishes`). Who said nothing has none. Times are those of their zone."""

    to = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    off = models.JSONField(default=list)  # the switches that are off
    receipts = models.CharField(max_length=16)
    hour = models.PositiveSmallIntegerField()
    quiet_from = models.TimeField(null=True)
    quiet_until = models.TimeField(null=True)
    phrase = models.CharField(max_length=60, blank=True, default="")
    version = models.PositiveIntegerField()

    class Meta:
        db_table = "mail_wishes"
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(hour__lte=23), name="mail_wishes_hour"),
            models.CheckConstraint(
                condition=models.Q(quiet_from=None, quiet_until=None)
                | models.Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="mail_wishes_quiet",
            ),
        ]
