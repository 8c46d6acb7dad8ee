"""Rows of erasures: orders, the words that came with them, and legal holds. No order holds a word of what it erased."""

from django.db import models

from apps.policy.erasing import Basis


class OrderRow(models.Model):
    """An order and how far it is. What it erased stands in `tombstone`, by ids."""

    pk = models.CompositePrimaryKey("vault_id", "order_id")
    vault_id = models.UUIDField()
    order_id = models.UUIDField()
    basis = models.TextField()
    choice = models.TextField()  # what became of what was made from it
    whole_vault = models.BooleanField(default=False, db_default=False)
    memories = models.IntegerField()
    told = models.IntegerField(default=0, db_default=0)  # so many of them have their receipts
    kept = models.IntegerField(default=0, db_default=0)  # memories that were made from it, and stay
    still_held = models.IntegerField(default=0, db_default=0)  # other memories that say the same
    counts = models.JSONField(default=dict, db_default={})
    residue = models.JSONField(null=True)  # what looking for the words came to: numbers, no words
    searching = models.BooleanField(default=False, db_default=False)
    made_at = models.DateTimeField()
    made_by = models.TextField()
    touched_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    certificate = models.BinaryField(null=True)
    link_hash = models.BinaryField(null=True)  # of the secret by which the certificate of a whole vault is fetched

    class Meta:
        db_table = "erasure_order"
        indexes = [
            models.Index(fields=["vault_id", "-made_at"], name="erasure_order_made"),
            models.Index(fields=["touched_at"], name="erasure_order_due", condition=models.Q(done_at=None)),
            models.Index(fields=["link_hash"], name="erasure_order_link", condition=models.Q(link_hash__isnull=False)),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(basis__in=[each.value for each in Basis]), name="order_basis"),
            models.CheckConstraint(condition=models.Q(choice__in=["erase", "keep"]), name="order_choice"),
            models.CheckConstraint(
                condition=models.Q(done_at=None, certificate=None)
                | models.Q(done_at__isnull=False, certificate__isnull=False),
                name="order_done_is_certified",
            ),
        ]


class OrderWordsRow(models.Model):
    """What came with an order, and the salt that binds its words to its receipt: all of it can be erased.

    `key` and `sent` are there if it may be sent again: hashes of the key it came with, and of all that came.
    """

    pk = models.CompositePrimaryKey("vault_id", "order_id")
    vault_id = models.UUIDField()
    order_id = models.UUIDField()
    request = models.TextField(blank=True)
    salt = models.BinaryField()
    key = models.BinaryField(null=True)
    sent = models.BinaryField(null=True)

    class Meta:
        db_table = "erasure_words"
        constraints = [
            models.UniqueConstraint(
                fields=["vault_id", "key"], condition=models.Q(key__isnull=False), name="erasure_words_key"
            )
        ]


class ReclaimedRow(models.Model):
    """How many rows of a table had been changed or deleted when it was written anew last."""

    relation = models.TextField(primary_key=True)
    changes = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        db_table = "reclaimed"


class BackedUpRow(models.Model):
    """When a backup was made last, and a list of tombstones."""

    what = models.TextField(primary_key=True)  # "backup" or "tombstones"
    at = models.DateTimeField()

    class Meta:
        db_table = "backed_up"


class LegalHoldRow(models.Model):
    """Somebody who may says that nothing of a vault is erased until a day."""

    pk = models.CompositePrimaryKey("vault_id", "hold_id")
    vault_id = models.UUIDField()
    hold_id = models.UUIDField()
    by = models.TextField()
    why = models.TextField()
    placed_at = models.DateTimeField()
    until = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "legal_hold"
        constraints = [
            models.CheckConstraint(condition=models.Q(until__gt=models.F("placed_at")), name="legal_hold_ends")
        ]
