"""Letters that wait or went, and when each person's next digest is due. Who belongs to whom is never changed."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("holders", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="DigestRow",
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
                ("due_at", models.DateTimeField(db_index=True)),
            ],
            options={"db_table": "digest"},
        ),
        migrations.CreateModel(
            name="LetterRow",
            fields=[
                (
                    "letter_id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("vault_id", models.UUIDField(null=True)),
                ("letter", models.CharField(max_length=32)),
                ("facts", models.JSONField(default=dict)),
                ("key", models.CharField(max_length=160)),
                ("made_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("due_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("sent_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, default="", max_length=64)),
                ("failed", models.BooleanField(default=False)),
                (
                    "to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "db_table": "letter",
                "indexes": [
                    models.Index(
                        condition=models.Q(("failed", False), ("sent_at", None)), fields=["due_at"], name="letter_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("to", "letter", "key"), name="letter_once"),
                    models.CheckConstraint(
                        condition=models.Q(("sent_at", None), ("failed", False), _connector="OR"),
                        name="letter_one_end",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sent_at", None), ("facts", {}), _connector="OR"), name="letter_emptied"
                    ),
                ],
            },
        ),
    ]
