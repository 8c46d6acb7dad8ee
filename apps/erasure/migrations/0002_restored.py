"""What a restored backup held again is erased again, by an order that says so."""

from django.db import migrations, models

BASES = [
    "wish",
    "not-needed",
    "consent-withdrawn",
    "objection",
    "unlawful",
    "legal-duty",
    "collected-from-a-child",
    "proposal",
    "retention",
    "restored",
]


class Migration(migrations.Migration):
    dependencies = [("erasure", "0001_initial")]
    operations = [
        migrations.RemoveConstraint("orderrow", "order_basis"),
        migrations.AddConstraint(
            "orderrow", models.CheckConstraint(condition=models.Q(("basis__in", BASES)), name="order_basis")
        ),
    ]
