"""What each person wishes of mail, and up to when it is told to them what was handed over."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mail", "0002_outside"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(model_name="digestrow", name="told_until", field=models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="WishesRow",
            fields=[
                (
                    "to",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("off", models.JSONField(default=list)),
                ("receipts", models.CharField(max_length=16)),
                ("hour", models.PositiveSmallIntegerField()),
                ("quiet_from", models.TimeField(null=True)),
                ("quiet_until", models.TimeField(null=True)),
                ("phrase", models.CharField(blank=True, default="", max_length=60)),
                ("version", models.PositiveIntegerField()),
            ],
            options={
                "db_table": "mail_wishes",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("hour__lte", 23)), name="mail_wishes_hour"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("quiet_from", None), ("quiet_until", None)),
                            models.Q(("quiet_from__isnull", False), ("quiet_until__isnull", False)),
                            _connector="OR",
                        ),
                        name="mail_wishes_quiet",
                    ),
                ],
            },
        ),
        migrations.RunSQL("ALTER TABLE mail_wishes ALTER COLUMN phrase SET STATISTICS 0", migrations.RunSQL.noop),
    ]
