"""A grant counts its reads, lapses and expires on the record, and is found by one of its memories."""

from django.db import migrations, models

from apps.ledger.sql import protect

# Grants that are bound to a turn are found by it.
FIND_WHAT_IS_THERE = """
INSERT INTO grant_memory (vault_id, client_id, memory_id, purpose, expires_at, grant_id)
  SELECT g.vault_id, g.client_id, m.id::uuid, g.purpose, g.expires_at, g.grant_id
    FROM access_grant g, jsonb_array_elements_text(g.memory_ids) AS m(id) WHERE g.turn_id IS NULL
"""
# All receipts of one stamp bear one time; a stamp is one read.
COUNT_WHAT_WAS_READ = """
UPDATE access_grant g SET reads_done = r.reads, last_used_at = r.last
  FROM (SELECT vault_id, object, count(DISTINCT at) AS reads, max(at) AS last
          FROM receipt WHERE kind = 'value.read' GROUP BY vault_id, object) r
  WHERE r.vault_id = g.vault_id AND r.object = 'gra_' || encode(uuid_send(g.grant_id), 'hex')
"""


class Migration(migrations.Migration):
    dependencies = [("access", "0001_initial"), ("ledger", "0006_grants")]

    operations = [
        migrations.CreateModel(
            name="GrantMemoryRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "client_id",
                        "memory_id",
                        "purpose",
                        "expires_at",
                        "grant_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("purpose", models.TextField()),
                ("expires_at", models.DateTimeField()),
                ("grant_id", models.UUIDField()),
            ],
            options={
                "db_table": "grant_memory",
            },
        ),
        migrations.AddField(
            model_name="grantrow",
            name="expired_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="grantrow",
            name="lapse_days",
            field=models.IntegerField(db_default=90),
        ),
        migrations.AddField(
            model_name="grantrow",
            name="lapsed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="grantrow",
            name="last_used_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="grantrow",
            name="reads_done",
            field=models.IntegerField(db_default=0),
        ),
        migrations.AddIndex(
            model_name="grantrow",
            index=models.Index(
                condition=models.Q(("turn_id__isnull", False)), fields=["vault_id", "turn_id"], name="grant_turn"
            ),
        ),
        migrations.AddIndex(
            model_name="grantrow",
            index=models.Index(
                condition=models.Q(("category", "ordinary"), _negated=True),
                fields=["vault_id", "client_id"],
                name="grant_special",
            ),
        ),
        migrations.AddIndex(
            model_name="grantrow",
            index=models.Index(
                condition=models.Q(("expired_at", None), ("lapsed_at", None), ("revoked_at", None), ("turn_id", None)),
                fields=["expires_at"],
                name="grant_open",
            ),
        ),
        migrations.AddIndex(
            model_name="partrow",
            index=models.Index(
                condition=models.Q(("status", "pending")), fields=["vault_id", "request_id"], name="part_pending"
            ),
        ),
        migrations.AddIndex(
            model_name="partrow",
            index=models.Index(
                condition=models.Q(("cool_down_until__isnull", False)),
                fields=["vault_id", "cool_down_until"],
                name="part_cooling",
            ),
        ),
        migrations.AddIndex(
            model_name="requestrow",
            index=models.Index(fields=["vault_id", "fingerprint"], name="request_like"),
        ),
        migrations.AddConstraint(
            model_name="grantrow",
            constraint=models.CheckConstraint(condition=models.Q(("lapse_days__gte", 1)), name="grant_lapse_days"),
        ),
        protect("grant_memory", web="SELECT, INSERT"),
        migrations.RunSQL(
            [
                "ALTER TABLE grant_memory ADD FOREIGN KEY (vault_id, grant_id) REFERENCES access_grant",
                FIND_WHAT_IS_THERE,
                COUNT_WHAT_WAS_READ,
            ],
            migrations.RunSQL.noop,
        ),
    ]
