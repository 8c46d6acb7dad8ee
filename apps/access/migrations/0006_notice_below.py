"""A grant, and a yes that waits for a reviewer, say whose own notice stood below ours."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("access", "0005_desk")]

    operations = [
        migrations.AddField("grantrow", "notice_space", models.UUIDField(null=True)),
        migrations.AddField("grantrow", "notice_version", models.IntegerField(null=True)),
        migrations.AddField("reviewrow", "notice_space", models.UUIDField(null=True)),
        migrations.AddField("reviewrow", "notice_version", models.IntegerField(null=True)),
    ]
