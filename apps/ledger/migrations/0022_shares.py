"""What befalls a share may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0021_endings")]
    operations = [install(HERE, "act_kinds_15", owner=GATE_OWNER)]
