"""What happened to one memory is found by an index."""

from django.db import migrations

from apps.ledger.sql import HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0018_days")]
    operations = [install(HERE, "receipt_memory")]
