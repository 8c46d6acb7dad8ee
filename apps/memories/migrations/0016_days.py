"""A memory holds from and until days of its own, and what waits for its day takes over then. How a version stands that
never was current is said, and not to be seen from its times alone.
"""

from django.db import migrations, models

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE

# What began later than it was told had taken over at once, and stays. A day is the one where the holder lives.
DAYS = """
UPDATE memory_version SET ended_as = 'late' WHERE ended_as = 'changed' AND retired_at = made_at;
UPDATE memory_version v SET holds_until = CASE WHEN length(v.valid_to) = 10 THEN (v.valid_to::date + 1)::timestamp AT TIME ZONE z.zone
                                                ELSE v.valid_to::timestamptz END
  FROM (SELECT c.vault_id, coalesce(nullif(c.time_zone, ''), u.time_zone) zone
          FROM vault c JOIN "user" u ON u.id = c.holder_id) z
 WHERE z.vault_id = v.vault_id AND v.valid_to <> '';
UPDATE memory m SET holds_until = v.holds_until FROM memory_version v
 WHERE v.vault_id = m.vault_id AND v.memory_id = m.memory_id AND v.version = m.version AND v.holds_until IS NOT NULL;
UPDATE memory m SET settled_at = v.made_at FROM memory_version v
 WHERE v.vault_id = m.vault_id AND v.memory_id = m.memory_id AND v.version = m.version AND v.made_at <> m.made_at
   AND m.settled_at IS NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0015_epochs"), ("ledger", "0018_days"), ("holders", "0008_a_table_that_waits")]
    operations = [
        migrations.RemoveConstraint("versionrow", "memory_version_ends"),
        migrations.AddField("memoryrow", "holds_from", models.DateTimeField(null=True)),
        migrations.AddField("memoryrow", "holds_until", models.DateTimeField(null=True)),
        migrations.AddField("versionrow", "holds_from", models.DateTimeField(null=True)),
        migrations.AddField("versionrow", "holds_until", models.DateTimeField(null=True)),
        migrations.RunSQL(DAYS, migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="versionrow",
            index=models.Index(
                condition=models.Q(("ended_as", "waiting")), fields=["holds_from"], name="memory_version_waits"
            ),
        ),
        migrations.AddConstraint(
            model_name="versionrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_as", None), ("retired_at", None)),
                    models.Q(
                        ("ended_as__in", ["wrong", "changed", "proposed", "late", "waiting", "cancelled"]),
                        ("retired_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="memory_version_ends",
            ),
        ),
        migrations.AddConstraint(
            model_name="versionrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_as", "waiting"), _negated=True),
                    ("holds_from__isnull", False),
                    _connector="OR",
                ),
                name="memory_version_waits_for_a_day",
            ),
        ),
        install(HERE, "stamp_9", "take_5", "due_6", owner=GATE_OWNER),
    ]
