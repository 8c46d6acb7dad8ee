"""The write gate: versions say how they ended and when they were true, words are recognised by their prints, proposals
carry what they would change, and memories are about entities. One memory lives under a subject.
"""

import django.contrib.postgres.fields
from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install, protect
from apps.memories.sql import HERE

ONE_A_SUBJECT = """
UPDATE memory m SET subject = left(m.subject, 110) || '-' || d.n
  FROM (SELECT vault_id, memory_id, row_number() OVER (PARTITION BY vault_id, subject ORDER BY made_at, memory_id) n
          FROM memory WHERE state = 'approved') d
 WHERE d.vault_id = m.vault_id AND d.memory_id = m.memory_id AND d.n > 1;
UPDATE memory_version SET ended_as = 'wrong' WHERE retired_at IS NOT NULL;
UPDATE memory_version v SET label = m.label, category = m.category
  FROM memory m WHERE m.vault_id = v.vault_id AND m.memory_id = v.memory_id;
UPDATE proposal SET expires_at = made_at + interval '30 days';
"""
GATE_READS_VERSIONS = f"""
CREATE POLICY gate ON memory_version FOR ALL TO {GATE_OWNER} USING (true) WITH CHECK (true);
GRANT SELECT ON memory_version TO {GATE_OWNER};
"""


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0008_emergencies"),
        ("ledger", "0014_write_gate"),
    ]

    operations = [
        migrations.CreateModel(
            name="EdgeRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "edge_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("edge_id", models.UUIDField()),
                ("kind", models.TextField()),
                ("from_id", models.UUIDField()),
                ("to_id", models.UUIDField()),
                ("valid_from", models.TextField(blank=True, db_default="", default="")),
                ("valid_to", models.TextField(blank=True, db_default="", default="")),
                ("made_at", models.DateTimeField()),
                ("made_by", models.TextField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.TextField(blank=True, db_default="", default="")),
                ("proposal_id", models.UUIDField(null=True)),
            ],
            options={
                "db_table": "edge",
            },
        ),
        migrations.CreateModel(
            name="EntityRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "entity_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("entity_id", models.UUIDField()),
                ("kind", models.TextField()),
                ("name", models.TextField()),
                ("merged_into", models.UUIDField(null=True)),
                ("made_at", models.DateTimeField()),
                ("made_by", models.TextField()),
            ],
            options={
                "db_table": "entity",
            },
        ),
        migrations.CreateModel(
            name="MergeRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "merge_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("merge_id", models.UUIDField()),
                ("what", models.TextField()),
                ("kept_id", models.UUIDField()),
                ("merged_id", models.UUIDField()),
                ("made_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "merge",
            },
        ),
        migrations.CreateModel(
            name="PrintRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "memory_id",
                        "version",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("version", models.IntegerField()),
                ("whole", models.BinaryField()),
                ("words", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ("length", models.IntegerField()),
                ("numbers", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ("negated", models.BooleanField()),
                ("epoch", models.IntegerField()),
                ("digests", models.BinaryField()),
            ],
            options={
                "db_table": "value_print",
            },
        ),
        migrations.RemoveConstraint(
            model_name="memoryrow",
            name="memory_state",
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="kind",
            field=models.TextField(db_default="semantic", default="semantic"),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="local_only",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="merged_into",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="reopened_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="memoryrow",
            name="weight",
            field=models.SmallIntegerField(db_default=50, default=50),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="batch_id",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="candidate",
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="decided_by",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="edited",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="evidence",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="expires_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="lifted_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="lineage",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), db_default=[], default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="marks",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="outcome_id",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="reason",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="revision",
            field=models.IntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="target_id",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="target_version",
            field=models.IntegerField(null=True),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="turn",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="proposalrow",
            name="undone_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="label",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="category",
            field=models.TextField(db_default="ordinary", default="ordinary"),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="ended_as",
            field=models.TextField(null=True),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="proposal_id",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="restored_from",
            field=models.IntegerField(null=True),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="valid_from",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="valid_to",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.AddField(
            model_name="versionrow",
            name="why",
            field=models.TextField(blank=True, db_default="", default=""),
        ),
        migrations.RunSQL(ONE_A_SUBJECT, migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField("proposalrow", "expires_at", models.DateTimeField()),
        migrations.AddIndex(
            model_name="memoryrow",
            index=models.Index(fields=["vault_id", "subject"], name="memory_subject"),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(fields=["vault_id", "fingerprint"], name="proposal_like"),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                condition=models.Q(("status", "pending")), fields=["vault_id", "made_at"], name="proposal_pending"
            ),
        ),
        migrations.AddIndex(
            model_name="proposalrow",
            index=models.Index(
                condition=models.Q(("status", "pending")), fields=["expires_at"], name="proposal_expires"
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryrow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "approved")), fields=("vault_id", "subject"), name="memory_one_a_subject"
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryrow",
            constraint=models.CheckConstraint(condition=models.Q(("weight__range", (1, 100))), name="memory_weight"),
        ),
        migrations.AddConstraint(
            model_name="memoryrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["approved", "withdrawn", "sealed-from-guardians", "merged", "erased"])
                ),
                name="memory_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="versionrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_as", None), ("retired_at", None)),
                    models.Q(("ended_as__in", ["wrong", "changed", "proposed"]), ("retired_at__isnull", False)),
                    _connector="OR",
                ),
                name="memory_version_ends",
            ),
        ),
        migrations.AddIndex(
            model_name="edgerow",
            index=models.Index(fields=["vault_id", "to_id"], name="edge_to"),
        ),
        migrations.AddConstraint(
            model_name="edgerow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("vault_id", "from_id", "kind", "to_id"),
                name="edge_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="edgerow",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["derived_from", "about", "contradicts", "relates_to"])),
                name="edge_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="entityrow",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["person", "place", "organisation", "thing"])), name="entity_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="mergerow",
            constraint=models.CheckConstraint(
                condition=models.Q(("what__in", ["memory", "entity"])), name="merge_what"
            ),
        ),
        migrations.AddIndex(
            model_name="printrow",
            index=models.Index(fields=["vault_id", "whole"], name="print_whole"),
        ),
        protect("value_print", gate="SELECT, DELETE"),
        protect("entity"),
        protect("edge"),
        protect("merge"),
        migrations.RunSQL(GATE_READS_VERSIONS, migrations.RunSQL.noop),
        install(HERE, "stamp_7", "take_3", "shred_2", "put_many", "index_many", "due_4", owner=GATE_OWNER),
    ]
