"""What was decided about suggestions is found by when."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0018_hidden")]
    operations = [
        migrations.AddIndex(
            "proposalrow",
            models.Index(
                condition=models.Q(("decided_at__isnull", False)),
                fields=["vault_id", "decided_at", "proposal_id"],
                name="proposal_decided",
            ),
        ),
    ]
