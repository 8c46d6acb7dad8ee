"""What a space settles of shares."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0011_guests")]
    operations = [
        migrations.AddField(
            "spacepolicyrow", "share_hours_most", models.PositiveIntegerField(default=720, db_default=720)
        ),
        migrations.AddField(
            "spacepolicyrow", "share_opens_most", models.PositiveIntegerField(default=50, db_default=50)
        ),
    ]
