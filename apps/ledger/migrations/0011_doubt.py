"""What the guard could not find out, where the console and `/readyz` can say it."""

from django.db import migrations

from apps.ledger.sql import HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0010_growing")]
    operations = [install(HERE, "doubt")]
