"""Links over chosen ordinary memories, and what was opened by them."""

from django.db import migrations, models

from apps.ledger.sql import protect

# What the web role changes of a share that stands: never until when, how often, over what or for whom it opens. What is
# left of its openings only the gate writes.
CHANGES = "terms_version, note, pin, tries_left, stopped_at, locked_at, ended_at"
LINK_CHANGES = "name, address, stopped_at, challenge_id, challenged_at, notes"
# Words of people, and hashes: the planner keeps no samples of them.
UNSAMPLED = (
    "share.sender",
    "share.note",
    "share.pin",
    "share.key",
    "share.sent",
    "share_link.name",
    "share_link.address",
    "share_link.token_hash",
    "share_opening.client",
)


class Migration(migrations.Migration):
    initial = True

    dependencies = [("ledger", "0022_shares"), ("memories", "0023_shares")]

    operations = [
        migrations.CreateModel(
            name="ShareItemRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id",
                        "share_id",
                        "memory_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("share_id", models.UUIDField()),
                ("memory_id", models.UUIDField()),
                ("version", models.IntegerField()),
                ("place", models.SmallIntegerField()),
            ],
            options={
                "db_table": "share_item",
                "indexes": [models.Index(fields=["vault_id", "memory_id"], name="share_item_of")],
            },
        ),
        migrations.CreateModel(
            name="ShareLinkRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "link_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("link_id", models.UUIDField()),
                ("share_id", models.UUIDField()),
                ("place", models.SmallIntegerField()),
                ("name", models.TextField(blank=True)),
                ("address", models.TextField(blank=True)),
                ("token_hash", models.BinaryField()),
                ("stopped_at", models.DateTimeField(null=True)),
                ("challenge_id", models.UUIDField(null=True)),
                ("challenged_at", models.DateTimeField(null=True)),
                ("notes", models.SmallIntegerField(default=0)),
            ],
            options={
                "db_table": "share_link",
                "indexes": [models.Index(fields=["vault_id", "share_id"], name="share_link_of")],
                "constraints": [models.UniqueConstraint(fields=("vault_id", "token_hash"), name="share_link_token")],
            },
        ),
        migrations.CreateModel(
            name="ShareOpeningRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "opening_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("opening_id", models.UUIDField()),
                ("share_id", models.UUIDField()),
                ("link_id", models.UUIDField()),
                ("opened_at", models.DateTimeField()),
                ("views", models.IntegerField()),
                ("last_view_at", models.DateTimeField(null=True)),
                ("client", models.TextField(blank=True)),
                ("told_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "share_opening",
                "indexes": [
                    models.Index(fields=["vault_id", "share_id", "-opened_at"], name="share_opening_of"),
                    models.Index(
                        condition=models.Q(("told_at", None)), fields=["opened_at"], name="share_opening_untold"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShareRow",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "vault_id", "share_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("vault_id", models.UUIDField()),
                ("share_id", models.UUIDField()),
                ("terms_version", models.IntegerField(default=1)),
                ("made_at", models.DateTimeField()),
                ("made_by", models.TextField()),
                ("sender", models.TextField()),
                ("note", models.TextField(blank=True)),
                ("code", models.TextField()),
                ("pin", models.TextField(blank=True)),
                ("expires_at", models.DateTimeField()),
                ("opens_most", models.IntegerField()),
                ("opens_left", models.IntegerField()),
                ("tries_left", models.IntegerField()),
                ("stopped_at", models.DateTimeField(null=True)),
                ("locked_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("key", models.BinaryField(null=True)),
                ("sent", models.BinaryField(null=True)),
            ],
            options={
                "db_table": "share",
                "indexes": [
                    models.Index(fields=["vault_id", "-made_at"], name="share_made"),
                    models.Index(
                        condition=models.Q(("ended_at", None), ("locked_at", None), ("stopped_at", None)),
                        fields=["expires_at"],
                        name="share_open",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("code__in", ["none", "mail", "pin"])), name="share_code"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("opens_left__gte", 0), ("opens_left__lte", models.F("opens_most"))),
                        name="share_opens",
                    ),
                    models.CheckConstraint(condition=models.Q(("tries_left__gte", 0)), name="share_tries"),
                    models.UniqueConstraint(
                        condition=models.Q(("key__isnull", False)), fields=("vault_id", "key"), name="share_key"
                    ),
                ],
            },
        ),
        protect("share", web=f"SELECT, INSERT, DELETE, UPDATE ({CHANGES})", gate="SELECT, UPDATE (opens_left)"),
        protect("share_item", web="SELECT, INSERT, DELETE", gate="SELECT"),
        protect("share_link", web=f"SELECT, INSERT, DELETE, UPDATE ({LINK_CHANGES})", gate="SELECT"),
        protect("share_opening", web="SELECT, DELETE, UPDATE (told_at)", gate="SELECT, INSERT, UPDATE"),
        migrations.RunSQL(
            [
                "ALTER TABLE share_item ADD FOREIGN KEY (vault_id, share_id) REFERENCES share",
                "ALTER TABLE share_link ADD FOREIGN KEY (vault_id, share_id) REFERENCES share",
                "ALTER TABLE share_opening ADD FOREIGN KEY (vault_id, link_id) REFERENCES share_link",
                "ALTER TABLE share SET (fillfactor = 70)",
                *(f"ALTER TABLE {column.replace('.', ' ALTER ')} SET STATISTICS 0" for column in UNSAMPLED),
            ],
            migrations.RunSQL.noop,
        ),
    ]
