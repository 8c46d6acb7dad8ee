import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("ledger", "0001_ledger"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="DirectoryRow",
            fields=[
                ("credential_hash", models.BinaryField(primary_key=True, serialize=False)),
                ("vault_id", models.UUIDField()),
                ("kind", models.CharField(max_length=16)),
            ],
            options={
                "db_table": "directory",
            },
        ),
        migrations.CreateModel(
            name="SpaceRow",
            fields=[
                ("space_id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("kind", models.CharField(choices=[("household", "household"), ("clinic", "clinic")], max_length=16)),
                ("name", models.CharField(max_length=120)),
            ],
            options={
                "db_table": "space",
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(blank=True, max_length=120)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("is_staff", models.BooleanField(default=False)),
                ("is_active", models.BooleanField(default=True)),
                ("date_joined", models.DateTimeField(auto_now_add=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "db_table": "user",
            },
        ),
        migrations.CreateModel(
            name="VaultRow",
            fields=[
                ("vault_id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
                (
                    "holder",
                    models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL),
                ),
                ("space", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="holders.spacerow")),
            ],
            options={
                "db_table": "vault",
            },
        ),
        # The directory is looked up by hash and never changed: a credential is added or taken away.
        migrations.RunSQL("REVOKE UPDATE ON directory FROM muniment_app", migrations.RunSQL.noop),
        migrations.RunSQL("REVOKE DELETE ON vault, space FROM muniment_app", migrations.RunSQL.noop),
    ]
