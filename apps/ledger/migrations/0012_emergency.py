"""Acts of an emergency, and of a space that settles its policy, may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0011_doubt")]
    operations = [install(HERE, "act_kinds_6", owner=GATE_OWNER)]
