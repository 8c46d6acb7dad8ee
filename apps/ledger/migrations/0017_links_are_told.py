"""That a client was told of an edge, or of whom or what a memory is about, may be recorded; and what bars an erasure
goes by the words that the vocabulary has for it.
"""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0016_erasure")]
    operations = [install(HERE, "act_kinds_11", owner=GATE_OWNER)]
