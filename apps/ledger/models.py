"""Rows of the ledger. The gate writes them; nobody changes them.

`managed = False`: the table, its triggers and its grants are SQL (apps/ledger/sql/), so that Django neither
creates nor flushes it. The model exists so that receipts can be read by the ORM.
"""

from django.db import models


class ReceiptRow(models.Model):
    pk = models.CompositePrimaryKey("vault_id", "seq")
    vault_id = models.UUIDField()
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    kind = models.TextField()
    actor = models.TextField()
    on_behalf_of = models.TextField()
    recipient = models.TextField()
    object = models.TextField()
    memory_id = models.UUIDField(null=True)
    version = models.IntegerField()
    category = models.TextField()
    form = models.TextField()
    reason = models.TextField()
    request = models.TextField()
    turn = models.TextField()
    purpose = models.TextField()
    commitment = models.BinaryField(null=True)
    salt = models.BinaryField()
    digest = models.BinaryField()
    chain_hash = models.BinaryField()

    class Meta:
        managed = False
        db_table = "receipt"
        ordering = ["-seq"]
