"""That a guardian gave a child an address to sign in with may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0012_emergency")]
    operations = [install(HERE, "act_kinds_7", owner=GATE_OWNER)]
