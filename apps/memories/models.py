"""Rows of memories: the label side only. Values and their keys are in the schema `sealed`, out of reach here."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.fields.json import KeyTextTransform

from apps.policy.life import HEAVIEST, LIGHTEST, USUAL
from apps.policy.vocabulary import Category, Ended, ProposalStatus, State


class VaultKeyRow(models.Model):
    """A vault's key, wrapped by the root key that lives outside the database; and its index key.

    `erased_at`: since when some value's key is gone that this key would open in an older copy.
    """

    pk = models.CompositePrimaryKey("vault_id", "epoch")
    vault_id = models.UUIDField()
    epoch = models.IntegerField()
    root_epoch = models.IntegerField()
    wrapped = models.BinaryField()
    index_wrapped = models.BinaryField()
    made_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "vault_key"
        indexes = [
            models.Index(fields=["vault_id"], name="vault_key_erased", condition=models.Q(erased_at__isnull=False)),
            models.Index(fields=["root_epoch"], name="vault_key_root_epoch"),
        ]


class RootEpochRow(models.Model):
    """A root key by its number: the keys are in a file. `vault_key.root_epoch` refers to it. `idle_at`: since when it
    wraps nothing.
    """

    epoch = models.IntegerField(primary_key=True)
    made_at = models.DateTimeField()
    idle_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "root_epoch"


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
    kind = models.TextField(default="semantic", db_default="semantic")
    weight = models.SmallIntegerField(default=USUAL, db_default=USUAL)
    local_only = models.BooleanField(
        default=False, db_default=False
    )  # goes to no client and no model that is not marked local
    reopened_at = models.DateTimeField(null=True)  # two sources say otherwise, and the holder has not looked yet
    settled_at = models.DateTimeField(null=True)  # the holder said since it was made that it holds, or what does
    merged_into = models.UUIDField(null=True)
    holds_from = models.DateTimeField(null=True)  # where that was still to come when it was told
    holds_until = models.DateTimeField(null=True)  # it does not hold any more then, or what waits takes over
    told_at = models.DateTimeField(null=True)  # whoever decides here was told that its time is nearly over
    made_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        db_table = "memory"
        indexes = [
            models.Index(fields=["vault_id", "subject"], name="memory_subject"),
            models.Index(fields=["vault_id", "updated_at"], name="memory_updated"),
            models.Index(
                fields=["vault_id", "category"],
                name="memory_special",
                condition=~models.Q(category=Category.ORDINARY.value),
            ),
            models.Index(fields=["vault_id"], name="memory_sealed", condition=models.Q(state=State.SEALED.value)),
            models.Index(
                fields=["vault_id", "merged_into"],
                name="memory_merged",
                condition=models.Q(merged_into__isnull=False),
            ),
            models.Index(
                fields=["vault_id"],
                name="memory_put_away",
                condition=models.Q(state__in=[State.WITHDRAWN.value, State.MERGED.value]),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["vault_id", "subject"],
                condition=models.Q(state=State.APPROVED.value),
                name="memory_one_a_subject",
            ),
            models.CheckConstraint(
                condition=models.Q(category__in=[c.value for c in Category]), name="memory_category"
            ),
            models.CheckConstraint(condition=models.Q(weight__range=(LIGHTEST, HEAVIEST)), name="memory_weight"),
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
    """One version of a memory. The current one has no `retired_at`.

    `ended_as` says what its end means: it was `wrong`, it has `changed` since; or it never was current: it was only
    `proposed` and the holder kept other words, was told `late`, is `waiting` for its day, or `cancelled` before that.
    `valid_from` and `valid_to` are when it was true: a day, an instant in UTC, or "" for unsaid. `holds_from` (where
    that was to come) and `holds_until` are the same as moments, where the person lived who said so.
    """

    pk = models.CompositePrimaryKey("vault_id", "memory_id", "version")
    vault_id = models.UUIDField()
    memory_id = models.UUIDField()
    version = models.IntegerField()
    made_at = models.DateTimeField()
    made_by = models.TextField()
    retired_at = models.DateTimeField(null=True)
    as_of = models.DateField(null=True)
    source = models.TextField()
    label = models.TextField(default="", db_default="", blank=True)
    category = models.TextField(default=Category.ORDINARY.value, db_default=Category.ORDINARY.value)
    why = models.TextField(default="", db_default="", blank=True)
    ended_as = models.TextField(null=True)
    valid_from = models.TextField(default="", db_default="", blank=True)
    valid_to = models.TextField(default="", db_default="", blank=True)
    proposal_id = models.UUIDField(null=True)
    restored_from = models.IntegerField(null=True)  # the version that was reverted to, or reaffirmed
    holds_from = models.DateTimeField(null=True)
    holds_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "memory_version"
        indexes = [
            models.Index(
                fields=["holds_from"],
                name="memory_version_waits",
                condition=models.Q(ended_as=Ended.WAITING.value),
            ),
            models.Index(
                fields=["vault_id"], name="memory_version_retired", condition=models.Q(retired_at__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(retired_at=None, ended_as=None)
                | models.Q(retired_at__isnull=False, ended_as__in=[e.value for e in Ended]),
                name="memory_version_ends",
            ),
            models.CheckConstraint(
                condition=~models.Q(ended_as=Ended.WAITING.value) | models.Q(holds_from__isnull=False),
                name="memory_version_waits_for_a_day",
            ),
        ]


class PrintRow(models.Model):
    """By what a version's words are recognised again without reading them: keyed digests, and (sealed under the vault's
    key, so that they can be keyed anew) what they were made of. A candidate has its own, under its own id. While the
    vault's key is changed there is one of each epoch, and those of the older are in use.
    """

    pk = models.CompositePrimaryKey("vault_id", "memory_id", "version", "epoch")
    vault_id = models.UUIDField()
    memory_id = models.UUIDField()
    version = models.IntegerField()
    whole = models.BinaryField()
    words = ArrayField(models.BigIntegerField())
    length = models.IntegerField()
    numbers = ArrayField(models.BigIntegerField())
    negated = models.BooleanField()
    epoch = models.IntegerField()
    digests = models.BinaryField()

    class Meta:
        db_table = "value_print"
        indexes = [
            models.Index(fields=["vault_id", "whole"], name="print_whole"),
            models.Index(models.F("vault_id"), models.F("words__0"), models.F("words__1"), name="print_first_words"),
        ]


class TombstoneRow(models.Model):
    """What stays of an erased memory beside its blanked row: an id, a time, the order's id. Append-only; a restored
    backup is told by it what it may not bring back.
    """

    pk = models.CompositePrimaryKey("vault_id", "memory_id")
    vault_id = models.UUIDField()
    memory_id = models.UUIDField()
    order_id = models.UUIDField()
    at = models.DateTimeField()
    hidden = models.BooleanField(default=False, db_default=False)  # it was sealed from guardians, and leaves no trace

    class Meta:
        db_table = "tombstone"
        indexes = [
            models.Index(fields=["vault_id", "order_id"], name="tombstone_order"),
            models.Index(fields=["vault_id"], name="tombstone_hidden", condition=models.Q(hidden=True)),
        ]


class ProposalRow(models.Model):
    """A suggestion. A candidate's value is sealed under `memory_id`, which no memory has until it is approved.

    `target_id` is the memory, entity or edge that it would change, `target_version` what stood there when it was made.
    `candidate` holds what else it would set, and no value; `marks` what was noticed about it, for the holder alone.
    `revision` moves with every change of it: who decides says which one they looked at.
    """

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
    target_id = models.UUIDField(null=True)
    target_version = models.IntegerField(null=True)
    candidate = models.JSONField(default=dict, db_default={})
    evidence = models.JSONField(default=list, db_default=[])
    lineage = ArrayField(models.UUIDField(), default=list, db_default=[])
    turn = models.TextField(default="", db_default="", blank=True)
    marks = models.JSONField(default=list, db_default=[])
    revision = models.IntegerField(default=1, db_default=1)
    expires_at = models.DateTimeField()
    decided_by = models.TextField(default="", db_default="", blank=True)
    reason = models.TextField(default="", db_default="", blank=True)
    edited = models.BooleanField(default=False, db_default=False)
    batch_id = models.UUIDField(null=True)
    outcome_id = models.UUIDField(null=True)  # what it became, or changed
    undone_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    by_link = models.BooleanField(default=False, db_default=False)  # `client_id` is a link of a share
    unnoticed = models.JSONField(null=True)  # keyed: by what the vault compares it, until it has; see policy.proposals

    class Meta:
        db_table = "proposal"
        indexes = [
            models.Index(
                fields=["vault_id", "made_at"],
                name="proposal_unnoticed",
                condition=models.Q(status=ProposalStatus.PENDING.value, unnoticed__isnull=False),
            ),
            models.Index(fields=["vault_id", "memory_id"], name="proposal_memory"),
            models.Index(fields=["vault_id", "fingerprint"], name="proposal_like"),
            models.Index(
                fields=["vault_id", "target_id"],
                name="proposal_target",
                condition=models.Q(target_id__isnull=False),
            ),
            models.Index(
                fields=["vault_id", "outcome_id"],
                name="proposal_outcome",
                condition=models.Q(outcome_id__isnull=False),
            ),
            models.Index(
                models.F("vault_id"),
                KeyTextTransform("other", "candidate"),
                name="proposal_other",
                condition=models.Q(candidate__has_key="other"),
            ),
            GinIndex(fields=["lineage"], name="proposal_lineage", condition=~models.Q(lineage=[])),
            models.Index(
                fields=["vault_id", "made_at"],
                name="proposal_pending",
                condition=models.Q(status=ProposalStatus.PENDING.value),
            ),
            models.Index(
                fields=["expires_at"],
                name="proposal_expires",
                condition=models.Q(status=ProposalStatus.PENDING.value),
            ),
            models.Index(
                fields=["vault_id", "decided_at", "proposal_id"],
                name="proposal_decided",
                condition=models.Q(decided_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=[s.value for s in ProposalStatus]), name="proposal_status"
            )
        ]


class EntityRow(models.Model):
    """Whom or what memories are about: a person, a place, an organisation, a thing."""

    pk = models.CompositePrimaryKey("vault_id", "entity_id")
    vault_id = models.UUIDField()
    entity_id = models.UUIDField()
    kind = models.TextField()
    name = models.TextField()
    merged_into = models.UUIDField(null=True)
    made_at = models.DateTimeField()
    made_by = models.TextField()

    class Meta:
        db_table = "entity"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["person", "place", "organisation", "thing"]), name="entity_kind"
            )
        ]


class EdgeRow(models.Model):
    """How one thing of the file stands to another, and from when to when it did. Ends are kept, not deleted."""

    pk = models.CompositePrimaryKey("vault_id", "edge_id")
    vault_id = models.UUIDField()
    edge_id = models.UUIDField()
    kind = models.TextField()
    from_id = models.UUIDField()
    to_id = models.UUIDField()
    valid_from = models.TextField(default="", db_default="", blank=True)
    valid_to = models.TextField(default="", db_default="", blank=True)
    made_at = models.DateTimeField()
    made_by = models.TextField()
    ended_at = models.DateTimeField(null=True)
    ended_by = models.TextField(default="", db_default="", blank=True)
    proposal_id = models.UUIDField(null=True)

    class Meta:
        db_table = "edge"
        indexes = [
            models.Index(fields=["vault_id", "to_id"], name="edge_to"),
            models.Index(fields=["vault_id", "from_id"], name="edge_from"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["vault_id", "from_id", "kind", "to_id"],
                condition=models.Q(ended_at=None),
                name="edge_once",
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["derived_from", "about", "contradicts", "relates_to"]), name="edge_kind"
            ),
        ]


class MergeRow(models.Model):
    """Two of a kind that are one from now on, until it is undone."""

    pk = models.CompositePrimaryKey("vault_id", "merge_id")
    vault_id = models.UUIDField()
    merge_id = models.UUIDField()
    what = models.TextField()
    kept_id = models.UUIDField()
    merged_id = models.UUIDField()
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "merge"
        constraints = [models.CheckConstraint(condition=models.Q(what__in=["memory", "entity"]), name="merge_what")]
