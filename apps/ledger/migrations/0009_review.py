"""What reviewers do is recorded: in the person's vault what they decide, in the space's chain that they came and went."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0008_acts_by_object")]
    operations = [install(HERE, "act_kinds_4", owner=GATE_OWNER)]
