"""Of the orders that are not done, those that were left alone longest are gone on with first."""

from django.db import migrations, models

from apps.erasure.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0009_backed_up")]
    operations = [
        migrations.RemoveIndex("orderrow", "erasure_order_due"),
        migrations.AddIndex(
            "orderrow",
            models.Index(condition=models.Q(("done_at", None)), fields=["touched_at"], name="erasure_order_due"),
        ),
        install(HERE, "erasures_due_rights"),
        install(HERE, "erasures_due_3", owner=GATE_OWNER),
    ]
