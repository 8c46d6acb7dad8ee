"""Whether a suggestion stands alone is asked in one go, as the act that approves it opens."""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0028_first_words_unsampled")]
    operations = [install(HERE, "near", "alike_2", "stands_alone", owner=GATE_OWNER)]
