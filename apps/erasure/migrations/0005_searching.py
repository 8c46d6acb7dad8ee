"""An order whose words are being looked for is left to whoever looks, for a quarter of an hour."""

from django.db import migrations

from apps.erasure.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0004_reclaim")]
    operations = [install(HERE, "erasures_due_2", owner=GATE_OWNER)]
