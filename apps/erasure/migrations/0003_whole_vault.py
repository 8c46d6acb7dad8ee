"""A vault that was erased leaves its certificate to whoever has the secret that was shown then."""

from django.db import migrations, models

from apps.erasure.sql import HERE
from apps.ledger.sql import GATE_OWNER, install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0002_restored"), ("memories", "0017_end_vault")]
    operations = [
        migrations.AddField("orderrow", "link_hash", models.BinaryField(null=True)),
        migrations.AddIndex(
            "orderrow",
            models.Index(
                condition=models.Q(("link_hash__isnull", False)), fields=["link_hash"], name="erasure_order_link"
            ),
        ),
        install(HERE, "erasure_by_link", owner=GATE_OWNER),
    ]
