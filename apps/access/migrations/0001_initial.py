from django.db import migrations, models

from apps.ledger.sql import protect


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("memories", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClientRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "client_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("name", models.TextField()),
                ("domain", models.TextField(blank=True)),
                ("built_in", models.BooleanField(default=False)),
                ("paused", models.BooleanField(default=False)),
                ("registered_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "client",
            },
        ),
        migrations.CreateModel(
            name="ApiKeyRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "key_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("key_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("prefix", models.TextField()),
                ("hash", models.BinaryField()),
                ("made_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "api_key",
                "indexes": [models.Index(fields=["vault_id", "hash"], name="api_key_hash")],
            },
        ),
        migrations.CreateModel(
            name="GrantRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "grant_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("grant_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("recipient", models.TextField()),
                ("purpose", models.TextField()),
                ("category", models.TextField()),
                ("memory_ids", models.JSONField(default=list)),
                ("terms_version", models.IntegerField(default=1)),
                ("expires_at", models.DateTimeField()),
                ("reads_left", models.IntegerField(null=True)),
                ("paused", models.BooleanField(default=False)),
                ("revoked_at", models.DateTimeField(null=True)),
                ("request_id", models.UUIDField(null=True)),
                ("turn_id", models.UUIDField(null=True)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "db_table": "access_grant",
                "indexes": [models.Index(fields=["vault_id", "client_id", "-made_at"], name="grant_client")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reads_left", None), ("reads_left__gte", 0), _connector="OR"),
                        name="grant_reads",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PartRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "request_id",
                        "category",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("request_id", models.UUIDField()),
                ("category", models.TextField()),
                ("memory_ids", models.JSONField(default=list)),
                ("whole_category", models.BooleanField(default=False)),
                ("status", models.TextField(default="pending")),
                ("decided_at", models.DateTimeField(null=True)),
                ("cool_down_until", models.DateTimeField(null=True)),
                ("grant_id", models.UUIDField(null=True)),
            ],
            options={
                "db_table": "request_part",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "category__in",
                                [
                                    "ordinary",
                                    "ethnic-origin",
                                    "political-opinion",
                                    "belief",
                                    "trade-union",
                                    "genetic",
                                    "biometric",
                                    "health",
                                    "sex-life",
                                    "criminal-record",
                                ],
                            )
                        ),
                        name="part_category",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["pending", "granted", "partly_granted", "denied", "expired", "cancelled"])
                        ),
                        name="part_status",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RequestRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "request_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("request_id", models.UUIDField()),
                ("client_id", models.UUIDField()),
                ("recipient", models.TextField()),
                ("purpose", models.TextField()),
                ("purpose_note", models.TextField(blank=True)),
                ("ttl_seconds", models.IntegerField()),
                ("max_reads", models.IntegerField(null=True)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("turn_id", models.UUIDField(null=True)),
                ("fingerprint", models.BinaryField()),
                ("polled_at", models.DateTimeField(null=True)),
                ("interval_seconds", models.IntegerField(default=5)),
            ],
            options={
                "db_table": "access_request",
                "indexes": [models.Index(fields=["vault_id", "client_id", "-made_at"], name="request_client")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "purpose__in",
                                [
                                    "answer",
                                    "meal_planning",
                                    "scheduling",
                                    "travel",
                                    "shopping",
                                    "care",
                                    "finance",
                                    "personalisation",
                                ],
                            )
                        ),
                        name="request_purpose",
                    )
                ],
            },
        ),
        protect("client"),
        protect("api_key"),
        protect("access_request", gate="SELECT"),
        protect("request_part", gate="SELECT"),
        protect("access_grant", gate="SELECT, UPDATE"),
        migrations.RunSQL(
            [
                "ALTER TABLE api_key ADD FOREIGN KEY (vault_id, client_id) REFERENCES client",
                "ALTER TABLE access_request ADD FOREIGN KEY (vault_id, client_id) REFERENCES client",
                "ALTER TABLE access_grant ADD FOREIGN KEY (vault_id, client_id) REFERENCES client",
                "ALTER TABLE request_part ADD FOREIGN KEY (vault_id, request_id) REFERENCES access_request",
                "ALTER TABLE access_grant SET (fillfactor = 70)",
            ],
            migrations.RunSQL.noop,
        ),
    ]
