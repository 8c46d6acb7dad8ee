"""What is kept of a candidate for search is kept by gate.stage, with its seal."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER

GONE = (
    f"SET LOCAL ROLE {GATE_OWNER}",
    "DROP FUNCTION gate.index_candidate(uuid, text, uuid, bigint[], smallint[])",
    "RESET ROLE",
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0033_changes_that_are_not_over")]
    operations = [migrations.RunSQL(GONE, migrations.RunSQL.noop)]
