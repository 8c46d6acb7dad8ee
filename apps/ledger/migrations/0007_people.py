"""What people do for each other is recorded; for whom somebody acted is written by the database."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_grants"), ("holders", "0002_people")]
    operations = [install(HERE, "act_kinds_3", "begin_chain", "record_2", owner=GATE_OWNER)]
