"""A vault that is erased is nobody's."""

from django.db import migrations

from apps.holders.sql import HERE
from apps.ledger.sql import GATE_OWNER, install

GRANT = "GRANT SELECT, DELETE ON emergency, invitation, step_told, delegation, directory, vault TO muniment_gate_owner"


class Migration(migrations.Migration):
    dependencies = [("holders", "0008_a_table_that_waits"), ("ledger", "0016_erasure")]
    operations = [migrations.RunSQL(GRANT, migrations.RunSQL.noop), install(HERE, "unseat", owner=GATE_OWNER)]
