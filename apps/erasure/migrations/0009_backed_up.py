"""When a backup was made last is known to the instance."""

from django.db import migrations, models

from apps.erasure.sql import HERE
from apps.ledger.sql import install


class Migration(migrations.Migration):
    dependencies = [("erasure", "0008_no_samples")]
    operations = [
        migrations.CreateModel(
            name="BackedUpRow",
            fields=[
                ("what", models.TextField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
            options={"db_table": "backed_up"},
        ),
        install(HERE, "backed_up_rights"),
    ]
