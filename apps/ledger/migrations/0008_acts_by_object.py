"""What was done with one object is found by an index."""

from django.db import migrations

from apps.ledger.sql import HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_people")]
    operations = [install(HERE, "receipt_acts")]
