"""What search will hold of a candidate is kept beside it, so that an approval reads nothing."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_write_gate")]
    operations = [
        install(HERE, "candidate_tables"),
        install(HERE, "index_candidate", "index_approved", "shred_3", owner=GATE_OWNER),
    ]
