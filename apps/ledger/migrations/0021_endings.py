"""That the end of a memory was told of may be recorded."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0020_words_forgotten")]
    operations = [install(HERE, "act_kinds_14", owner=GATE_OWNER)]
