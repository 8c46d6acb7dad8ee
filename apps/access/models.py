"""Rows of asking: clients and their keys, requests and their parts, grants."""

from django.db import models

from apps.policy.consent import Surface
from apps.policy.vocabulary import Category, PartStatus, Purpose, ReviewOutcome


class ClientRow(models.Model):
    """An assistant the holder registered; or, `built_in`, the vault's own chat."""

    pk = models.CompositePrimaryKey("vault_id", "client_id")
    vault_id = models.UUIDField()
    client_id = models.UUIDField()
    name = models.TextField()
    domain = models.TextField(blank=True)
    built_in = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    local = models.BooleanField(default=False, db_default=False)  # runs where the holder says nothing leaves the house
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
        indexes = [
            models.Index(fields=["vault_id", "client_id", "-made_at"], name="request_client"),
            models.Index(fields=["vault_id", "fingerprint"], name="request_like"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(purpose__in=[p.value for p in Purpose]), name="request_purpose")
        ]


WAITS = [PartStatus.PENDING.value, PartStatus.IN_REVIEW.value]


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
        indexes = [  # what later questions depend on: the few that wait or cool down, not the many that were decided
            models.Index(fields=["vault_id", "request_id"], name="part_waits", condition=models.Q(status__in=WAITS)),
            models.Index(
                fields=["vault_id", "cool_down_until"],
                name="part_cooling",
                condition=models.Q(cool_down_until__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(category__in=[c.value for c in Category]), name="part_category"),
            models.CheckConstraint(condition=models.Q(status__in=[s.value for s in PartStatus]), name="part_status"),
        ]


class ReviewRow(models.Model):
    """The person's yes to a part, kept until a reviewer has decided too; one row a round. What stands here is no label
    and no value. Whether it still waits, the part says.
    """

    pk = models.CompositePrimaryKey("vault_id", "review_id")
    vault_id = models.UUIDField()
    review_id = models.UUIDField()
    request_id = models.UUIDField()
    category = models.TextField()
    memory_ids = models.JSONField(default=list)  # hex ids: what the person chose
    whole = models.BooleanField()
    until = models.DateTimeField()
    reads = models.IntegerField(null=True)
    decided_by = models.TextField()  # as receipts name them
    tier_from = models.SmallIntegerField(null=True)  # of a child: from which age to which the tier was that held then
    tier_until = models.SmallIntegerField(null=True)
    decided_at = models.DateTimeField()
    due_at = models.DateTimeField()
    surface = models.TextField()  # where it was decided, and what stood above the buttons there: for the grant to come
    notice = models.SmallIntegerField(null=True)
    notice_space = models.UUIDField(null=True)  # whose own notice stood below it, by the version of its policy
    notice_version = models.IntegerField(null=True)
    ui_version = models.TextField()
    outcome = models.TextField(null=True)
    reviewer = models.TextField(blank=True, default="")
    reason = models.TextField(blank=True, default="")  # the reviewer's words to the person
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "review"
        indexes = [
            models.Index(
                fields=["vault_id", "decided_at"], name="review_waits", condition=models.Q(outcome__isnull=True)
            ),
            models.Index(fields=["vault_id", "request_id"], name="review_of"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(outcome=None) | models.Q(outcome__in=[each.value for each in ReviewOutcome]),
                name="review_outcome",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome=None, reviewed_at=None)
                | models.Q(outcome__isnull=False, reviewed_at__isnull=False),
                name="review_done",
            ),
        ]


class GrantRow(models.Model):
    """A standing yes. `terms_version` moves when the terms do, not by spending.

    The gate writes `reads_left`, `reads_done` and `last_used_at` with the stamp that spends: no index stands on them,
    or each read would have to write every index anew.
    """

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
    reads_done = models.IntegerField(db_default=0)
    last_used_at = models.DateTimeField(null=True)
    lapse_days = models.IntegerField(db_default=90)  # unused for so long, it lapses
    revoked_at = models.DateTimeField(null=True)
    lapsed_at = models.DateTimeField(null=True)
    expired_at = models.DateTimeField(null=True)  # when its end was written down; it was over at `expires_at`
    request_id = models.UUIDField(null=True)
    turn_id = models.UUIDField(null=True)
    made_at = models.DateTimeField()
    surface = models.TextField(db_default="-")  # where it was given, and what stood above the buttons there
    notice = models.SmallIntegerField(null=True)
    notice_space = models.UUIDField(null=True)  # whose own notice stood below it, by the version of its policy
    notice_version = models.IntegerField(null=True)
    ui_version = models.TextField(db_default="-")

    class Meta:
        db_table = "access_grant"
        indexes = [
            models.Index(fields=["vault_id", "client_id", "-made_at"], name="grant_client"),
            models.Index(fields=["vault_id", "turn_id"], name="grant_turn", condition=models.Q(turn_id__isnull=False)),
            models.Index(
                fields=["vault_id", "client_id"],
                name="grant_special",
                condition=~models.Q(category=Category.ORDINARY.value),
            ),
            models.Index(
                fields=["expires_at"],
                name="grant_open",
                condition=models.Q(revoked_at=None, lapsed_at=None, expired_at=None, turn_id=None),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reads_left=None) | models.Q(reads_left__gte=0), name="grant_reads"
            ),
            models.CheckConstraint(condition=models.Q(lapse_days__gte=1), name="grant_lapse_days"),
            models.CheckConstraint(condition=models.Q(surface__in=[s.value for s in Surface]), name="grant_surface"),
        ]


class GrantMemoryRow(models.Model):
    """Where a grant is found by one of its memories, however many grants a client has. Insert-only.

    It holds what the grant was given for. A grant is only ever narrowed, so this finds too much at worst and never too
    little; what the grant covers stands in its own row. A grant that is bound to a turn is found by the turn.
    """

    pk = models.CompositePrimaryKey("vault_id", "client_id", "memory_id", "purpose", "expires_at", "grant_id")
    vault_id = models.UUIDField()
    client_id = models.UUIDField()
    memory_id = models.UUIDField()
    purpose = models.TextField()
    expires_at = models.DateTimeField()
    grant_id = models.UUIDField()

    class Meta:
        db_table = "grant_memory"
