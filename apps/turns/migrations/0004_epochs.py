"""The vault's key is changed for turns' sake, too: it knows when one was erased, and that none is left under it."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.turns.sql import HERE

GATE_READS_TURNS = f"""
CREATE POLICY gate ON turn FOR SELECT TO {GATE_OWNER} USING (true);
GRANT SELECT (vault_id, epoch, erased_at) ON turn TO {GATE_OWNER};
"""


class Migration(migrations.Migration):
    dependencies = [("turns", "0003_erasure"), ("memories", "0015_epochs")]
    operations = [
        migrations.RunSQL(GATE_READS_TURNS, migrations.RunSQL.noop),
        install(HERE, "note_turn_erased", owner=GATE_OWNER),
        install(HERE, "note_turn_erased_trigger"),
    ]
