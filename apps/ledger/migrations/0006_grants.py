"""What becomes of a grant is recorded: narrowed, expired, lapsed."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_hold")]
    operations = [install(HERE, "act_kinds_2", owner=GATE_OWNER)]
