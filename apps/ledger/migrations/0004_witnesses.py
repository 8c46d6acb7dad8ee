"""What the log's witnesses said: its policies, cosignatures, quorums and refusals."""

from django.db import migrations

from apps.ledger.sql import HERE, install


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_instance_log")]
    operations = [install(HERE, "log_witnesses")]
