"""Rows of memories: the label side only. Values and their keys are in the schema `sealed`, out of reach here."""

from django.db import models

from apps.policy.vocabulary import Category, ProposalStatus, State


class VaultKeyRow(models.Model):
    """A vault's key, wrapped by the root key that lives outside the database; and its index key."""

    pk = models.CompositePrimaryKey("vault_id", "epoch")
    vault_id = models.UUIDField()
    epoch = models.IntegerField()
    root_epoch = models.IntegerField()
    wrapped = models.BinaryField()
    index_wrapped = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        db_table = "vault_key"


class MemoryRow(models.Model):
    pk = models.CompositePrimaryKey("vault_id", "memory_id")
    vault_id = models.UUIDField()
    memory_id = models.UUIDField()
    subject = models.TextField()
    label = models.TextField()
    neutral_label = models.TextField(default="", blank=True)
    category = models.TextField()
    attested = models.BooleanField(default=False)
    claim = models.TextField(null=True)
    version = models.IntegerField(default=1)
    state = models.TextField(default=State.APPROVED.value)
    as_of = models.DateField(null=True)
    source = models.TextField()
    made_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        db_table = "memory"
        indexes = [
            models.Index(
                fields=["vault_id", "category"],
                name="memory_special",
                condition=~models.Q(category=Category.ORDINARY.value),
            ),
            models.Index(fields=["vault_id"], name="memory_sealed", condition=models.Q(state=State.SEALED.value)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(category__in=[c.value for c in Category]), name="memory_category"
            ),
            models.CheckConstraint(condition=models.Q(state__in=[s.value for s in State]), name="memory_state"),
            models.CheckConstraint(
                condition=models.Q(category=Category.ORDINARY.value, neutral_label="")
                | (~models.Q(category=Category.ORDINARY.value) & ~models.Q(neutral_label="")),
                name="memory_special_has_neutral_label",
            ),
            models.CheckConstraint(
                condition=models.Q(attested=False, claim=None) | models.Q(attested=True, claim__isnull=False),
                name="memory_attested_has_claim",
            ),
        ]


class VersionRow(models.Model):
    """One version of a memory. The current one has no `retired_at`."""

    pk = models.CompositePrimaryKey("vault_id", "memory_id", "version")
    vault_id = models.UUIDField()
    memory_id = models.UUIDField()
    version = models.IntegerField()
    made_at = models.DateTimeField()
    made_by = models.TextField()
    retired_at = models.DateTimeField(null=True)
    as_of = models.DateField(null=True)
    source = models.TextField()

    class Meta:
        db_table = "memory_version"


class ProposalRow(models.Model):
    """A candidate. Its value is sealed under `memory_id`, which no memory has until it is approved."""

    pk = models.CompositePrimaryKey("vault_id", "proposal_id")
    vault_id = models.UUIDField()
    proposal_id = models.UUIDField()
    client_id = models.UUIDField()
    directive = models.TextField()
    status = models.TextField(default=ProposalStatus.PENDING.value)
    memory_id = models.UUIDField()
    subject = models.TextField()
    label = models.TextField()
    rationale = models.TextField(blank=True)
    fingerprint = models.BinaryField()  # keyed: recognises the same proposal without holding its text
    as_of = models.DateField(null=True)
    made_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "proposal"
        indexes = [models.Index(fields=["vault_id", "memory_id"], name="proposal_memory")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=[s.value for s in ProposalStatus]), name="proposal_status"
            )
        ]
