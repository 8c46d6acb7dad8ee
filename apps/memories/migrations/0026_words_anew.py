"""Words are made otherwise, by one list of the scripts without blanks and by no stemmer that two threads share: what search
holds is made anew by the clock.
"""

from django.db import migrations

from apps.ledger.sql import GATE_OWNER, install
from apps.memories.sql import HERE


class Migration(migrations.Migration):
    dependencies = [("memories", "0025_first_words")]
    operations = [
        install(HERE, "index_anew_rights"),
        install(HERE, "index_anew", "index_anew_now", owner=GATE_OWNER),
    ]
