"""How many wrong codes were typed by a link, and when the last one was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("shares", "0001_initial")]

    operations = [
        migrations.AddField("sharelinkrow", "wrong", models.SmallIntegerField(default=0, db_default=0)),
        migrations.AddField("sharelinkrow", "wrong_at", models.DateTimeField(null=True)),
        migrations.RunSQL("GRANT UPDATE (wrong, wrong_at) ON share_link TO muniment_app", migrations.RunSQL.noop),
    ]
