"""A space settles for how many days what is kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0009_unseat")]
    operations = [migrations.AddField("spacepolicyrow", "keeping", models.JSONField(db_default={}, default=dict))]
