"""What a holder seals from guardians, and the birthdays that change what guardians may do, are acts."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_review")]
    operations = [install(HERE, "act_kinds_5", owner=GATE_OWNER)]
