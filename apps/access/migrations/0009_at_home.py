"""The gate knows which recipients are at home, for what goes to nothing else."""

from django.db import migrations

from apps.access.sql import HERE
from apps.ledger.sql import GATE_OWNER, install

SEEN = ("GRANT SELECT (local) ON client TO muniment_gate_owner",)


class Migration(migrations.Migration):
    dependencies = [("access", "0008_write_gate"), ("ledger", "0015_local")]
    operations = [migrations.RunSQL(SEEN, migrations.RunSQL.noop), install(HERE, "at_home", owner=GATE_OWNER)]
