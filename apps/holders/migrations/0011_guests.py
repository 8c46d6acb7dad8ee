"""Somebody may try the instance without an account."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0010_keeping")]
    operations = [migrations.AddField("user", "guest_at", models.DateTimeField(null=True))]
