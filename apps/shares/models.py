"""Rows of shares: what was shared, by which links, and each opening. No value and no label stands in them."""

from django.db import models

from apps.policy.shares import Code


class ShareRow(models.Model):
    """A share. `terms_version` moves by stopping and not by opening.

    The gate writes `opens_left` with the stamp that opens: no index stands on it, or each opening would write every
    index anew.
    """

    pk = models.CompositePrimaryKey("vault_id", "share_id")
    vault_id = models.UUIDField()
    share_id = models.UUIDField()
    terms_version = models.IntegerField(default=1)
    made_at = models.DateTimeField()
    made_by = models.TextField()  # as receipts name them
    sender = models.TextField()  # as whoever opens it is told
    note = models.TextField(blank=True)
    code = models.TextField()
    pin = models.TextField(blank=True)  # slowly hashed
    expires_at = models.DateTimeField()
    opens_most = models.IntegerField()
    opens_left = models.IntegerField()
    tries_left = models.IntegerField()
    stopped_at = models.DateTimeField(null=True)
    locked_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)  # when its end by the clock, or by being used up, was written down
    key = models.BinaryField(null=True)  # hashes of the key it was sent with, and of all that was sent
    sent = models.BinaryField(null=True)

    class Meta:
        db_table = "share"
        indexes = [
            models.Index(fields=["vault_id", "-made_at"], name="share_made"),
            models.Index(
                fields=["expires_at"],
                name="share_open",
                condition=models.Q(stopped_at=None, locked_at=None, ended_at=None),
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(code__in=[each.value for each in Code]), name="share_code"),
            models.CheckConstraint(
                condition=models.Q(opens_left__gte=0, opens_left__lte=models.F("opens_most")), name="share_opens"
            ),
            models.CheckConstraint(condition=models.Q(tries_left__gte=0), name="share_tries"),
            models.UniqueConstraint(
                fields=["vault_id", "key"], condition=models.Q(key__isnull=False), name="share_key"
            ),
        ]


class ShareItemRow(models.Model):
    """A memory of a share, in the version that it had. Erasing the memory deletes it."""

    pk = models.CompositePrimaryKey("vault_id", "share_id", "memory_id")
    vault_id = models.UUIDField()
    share_id = models.UUIDField()
    memory_id = models.UUIDField()
    version = models.IntegerField()
    place = models.SmallIntegerField()

    class Meta:
        db_table = "share_item"
        indexes = [models.Index(fields=["vault_id", "memory_id"], name="share_item_of")]


class ShareLinkRow(models.Model):
    """A link by the hash of its token, and whom it is for. `challenge_id` leads to the code that was mailed last."""

    pk = models.CompositePrimaryKey("vault_id", "link_id")
    vault_id = models.UUIDField()
    link_id = models.UUIDField()
    share_id = models.UUIDField()
    place = models.SmallIntegerField()
    name = models.TextField(blank=True)
    address = models.TextField(blank=True)
    token_hash = models.BinaryField()
    stopped_at = models.DateTimeField(null=True)
    challenge_id = models.UUIDField(null=True)
    challenged_at = models.DateTimeField(null=True)
    notes = models.SmallIntegerField(default=0)
    wrong = models.SmallIntegerField(default=0, db_default=0)  # codes that were typed by it
    wrong_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "share_link"
        indexes = [models.Index(fields=["vault_id", "share_id"], name="share_link_of")]
        constraints = [models.UniqueConstraint(fields=["vault_id", "token_hash"], name="share_link_token")]


class ShareOpeningRow(models.Model):
    """One counted use of a link. The gate writes it, with the receipts of what was handed over."""

    pk = models.CompositePrimaryKey("vault_id", "opening_id")
    vault_id = models.UUIDField()
    opening_id = models.UUIDField()
    share_id = models.UUIDField()
    link_id = models.UUIDField()
    opened_at = models.DateTimeField()
    views = models.IntegerField()
    last_view_at = models.DateTimeField(null=True)
    client = models.TextField(blank=True)  # coarsely
    told_at = models.DateTimeField(null=True)  # when whoever shared it was told

    class Meta:
        db_table = "share_opening"
        indexes = [
            models.Index(fields=["vault_id", "share_id", "-opened_at"], name="share_opening_of"),
            models.Index(fields=["opened_at"], name="share_opening_untold", condition=models.Q(told_at=None)),
        ]
