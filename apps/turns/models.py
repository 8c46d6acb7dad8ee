"""Rows of conversations. Question and answer are sealed under the turn's own key."""

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
    question = models.BinaryField()
    answer = models.BinaryField(null=True)
    facts = models.JSONField(default=dict)  # keyed digests, bound by the turn receipt
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

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
