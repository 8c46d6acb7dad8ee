"""A suggestion may come from whoever opened a share."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0023_shares")]
    operations = [migrations.AddField("proposalrow", "by_link", models.BooleanField(default=False, db_default=False))]
