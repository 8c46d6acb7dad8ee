"""Whether anything sealed is still there of what was erased can be asked."""

from django.db import migrations

from apps.erasure.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0005_searching"), ("memories", "0014_erasure")]
    operations = [install(HERE, "left_of_erased", owner=GATE_OWNER)]
