"""A letter may go to an address that is nobody's account; the address, and what a letter said, go when it has gone or
is given up.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

OPEN = models.Q(("failed", False), ("sent_at", None))


class Migration(migrations.Migration):
    dependencies = [("mail", "0001_letters")]

    operations = [
        migrations.AlterField(
            model_name="letterrow",
            name="to",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="letterrow", name="address", field=models.CharField(blank=True, default="", max_length=254)
        ),
        migrations.AddField(
            model_name="letterrow", name="zone", field=models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.RunSQL("UPDATE letter SET facts = '{}' WHERE failed", migrations.RunSQL.noop),
        migrations.RunSQL("ALTER TABLE letter ALTER COLUMN address SET STATISTICS 0", migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="letterrow", name="letter_emptied"),
        migrations.AddConstraint(
            model_name="letterrow",
            constraint=models.CheckConstraint(condition=OPEN | models.Q(facts={}), name="letter_emptied"),
        ),
        migrations.AddConstraint(
            model_name="letterrow",
            constraint=models.UniqueConstraint(
                condition=models.Q(to=None), fields=("vault_id", "letter", "key"), name="letter_once_outside"
            ),
        ),
        migrations.AddConstraint(
            model_name="letterrow",
            constraint=models.CheckConstraint(
                condition=models.Q(to__isnull=False, address="", zone="")
                | models.Q(to=None) & (OPEN & ~models.Q(address="") | ~OPEN & models.Q(address="")),
                name="letter_to_one",
            ),
        ),
    ]
