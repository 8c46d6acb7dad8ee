"""That a version waits for a day to come, or was taken back before, may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0017_links_are_told")]
    operations = [install(HERE, "act_kinds_12", owner=GATE_OWNER)]
