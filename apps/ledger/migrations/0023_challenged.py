"""That a code was mailed to whom a link is for may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0022_shares")]
    operations = [install(HERE, "act_kinds_16", owner=GATE_OWNER)]
