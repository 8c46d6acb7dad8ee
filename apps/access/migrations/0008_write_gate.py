"""A client may be marked as one that runs locally."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("access", "0007_other_eyes"),
    ]

    operations = [
        migrations.AddField(
            model_name="clientrow",
            name="local",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
