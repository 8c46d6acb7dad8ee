"""Tables are written anew by a role that reads none of them."""

from django.db import migrations, models

from apps.erasure.sql import HERE
from apps.ledger.sql import install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0003_whole_vault"), ("turns", "0004_epochs")]
    operations = [
        migrations.CreateModel(
            name="ReclaimedRow",
            fields=[
                ("relation", models.TextField(primary_key=True, serialize=False)),
                ("changes", models.BigIntegerField()),
                ("at", models.DateTimeField()),
            ],
            options={"db_table": "reclaimed"},
        ),
        install(HERE, "reclaim_rights"),
    ]
