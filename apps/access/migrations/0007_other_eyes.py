"""Who opened a file in an emergency reviews no decision in it."""

from django.db import migrations

from apps.access.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("access", "0006_notice_below"), ("holders", "0006_emergencies")]
    operations = [install(HERE, "desk_3", owner=GATE_OWNER)]
