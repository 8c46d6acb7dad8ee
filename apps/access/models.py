"""Rows of asking: clients and their keys, requests and their parts, grants."""

from django.db import models

from apps.policy.vocabulary import Category, PartStatus, Purpose


class ClientRow(models.Model):
    """An assistant the holder registered; or, `built_in`, the vault's own chat."""

    pk = models.CompositePrimaryKey("vault_id", "client_id")
    vault_id = models.UUIDField()
    client_id = models.UUIDField()
    name = models.TextField()
    domain = models.TextField(blank=True)
    built_in = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    registered_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "client"


class ApiKeyRow(models.Model):
    """A key by its hash. The key itself was shown once."""

    pk = models.CompositePrimaryKey("vault_id", "key_id")
    vault_id = models.UUIDField()
    key_id = models.UUIDField()
    client_id = models.UUIDField()
    prefix = models.TextField()
    hash = models.BinaryField()
    made_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "api_key"
        indexes = [models.Index(fields=["vault_id", "hash"], name="api_key_hash")]


class RequestRow(models.Model):
    pk = models.CompositePrimaryKey("vault_id", "request_id")
    vault_id = models.UUIDField()
    request_id = models.UUIDField()
    client_id = models.UUIDField()
    recipient = models.TextField()
    purpose = models.TextField()
    purpose_note = models.TextField(blank=True)
    ttl_seconds = models.IntegerField()
    max_reads = models.IntegerField(null=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    turn_id = models.UUIDField(null=True)
    fingerprint = models.BinaryField()  # same arguments, same open request
    polled_at = models.DateTimeField(null=True)
    interval_seconds = models.IntegerField(default=5)

    class Meta:
        db_table = "access_request"
        indexes = [models.Index(fields=["vault_id", "client_id", "-made_at"], name="request_client")]
        constraints = [
            models.CheckConstraint(condition=models.Q(purpose__in=[p.value for p in Purpose]), name="request_purpose")
        ]


class PartRow(models.Model):
    """The lines of a request that are decided together."""

    pk = models.CompositePrimaryKey("vault_id", "request_id", "category")
    vault_id = models.UUIDField()
    request_id = models.UUIDField()
    category = models.TextField()
    memory_ids = models.JSONField(default=list)  # hex ids, in the order asked
    whole_category = models.BooleanField(default=False)
    status = models.TextField(default=PartStatus.PENDING.value)
    decided_at = models.DateTimeField(null=True)
    cool_down_until = models.DateTimeField(null=True)
    grant_id = models.UUIDField(null=True)

    class Meta:
        db_table = "request_part"
        constraints = [
            models.CheckConstraint(condition=models.Q(category__in=[c.value for c in Category]), name="part_category"),
            models.CheckConstraint(condition=models.Q(status__in=[s.value for s in PartStatus]), name="part_status"),
        ]


class GrantRow(models.Model):
    """A standing yes. The gate spends `reads_left`; `terms_version` moves when the terms do, not by spending."""

    pk = models.CompositePrimaryKey("vault_id", "grant_id")
    vault_id = models.UUIDField()
    grant_id = models.UUIDField()
    client_id = models.UUIDField()
    recipient = models.TextField()
    purpose = models.TextField()
    category = models.TextField()
    memory_ids = models.JSONField(default=list)  # hex ids: a chosen set, never a query, so it cannot drift
    terms_version = models.IntegerField(default=1)
    expires_at = models.DateTimeField()
    reads_left = models.IntegerField(null=True)
    paused = models.BooleanField(default=False)
    revoked_at = models.DateTimeField(null=True)
    request_id = models.UUIDField(null=True)
    turn_id = models.UUIDField(null=True)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "access_grant"
        indexes = [models.Index(fields=["vault_id", "client_id", "-made_at"], name="grant_client")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reads_left=None) | models.Q(reads_left__gte=0), name="grant_reads"
            )
        ]
