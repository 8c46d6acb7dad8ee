"""Rows of conversations. What was said is in the events, sealed under the turn's own key."""

from django.db import models

from apps.policy.vocabulary import ItemState, TurnStatus


class TurnRow(models.Model):
    pk = models.CompositePrimaryKey("vault_id", "turn_id")
    vault_id = models.UUIDField()
    turn_id = models.UUIDField()
    without_of = models.UUIDField(null=True)
    status = models.TextField(default=TurnStatus.OFFERED.value)
    request_id = models.UUIDField(null=True)
    model = models.TextField(blank=True)
    stand_in = models.BooleanField(default=False)
    epoch = models.IntegerField()
    wrapped = models.BinaryField()  # the turn's key; destroying it erases the conversation
    # Of turns from before there were events, and of no other: what was said, and the digests their receipt binds.
    question = models.BinaryField(null=True)
    answer = models.BinaryField(null=True)
    facts = models.JSONField(default=dict)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)  # its key was destroyed

    class Meta:
        db_table = "turn"
        indexes = [models.Index(fields=["vault_id", "-asked_at"], name="turn_asked")]
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=[s.value for s in TurnStatus]), name="turn_status")
        ]


class TurnItemRow(models.Model):
    """What became of one memory in a turn."""

    pk = models.CompositePrimaryKey("vault_id", "turn_id", "memory_id")
    vault_id = models.UUIDField()
    turn_id = models.UUIDField()
    memory_id = models.UUIDField()
    position = models.IntegerField(default=0)
    category = models.TextField()
    state = models.TextField()
    seq = models.BigIntegerField(null=True)

    class Meta:
        db_table = "turn_item"
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=[s.value for s in ItemState]), name="turn_item_state")
        ]


class TurnEventRow(models.Model):
    """One event of a turn, as docs/receipt-format.md §8 writes it. Append-only: a trigger refuses everybody."""

    pk = models.CompositePrimaryKey("vault_id", "turn_id", "n")
    vault_id = models.UUIDField()
    turn_id = models.UUIDField()
    n = models.IntegerField()
    kind = models.TextField()
    at = models.DateTimeField()
    body = models.BinaryField()  # sealed under the turn's key
    digest = models.BinaryField()
    chain_hash = models.BinaryField()

    class Meta:
        db_table = "turn_event"
