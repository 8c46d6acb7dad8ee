"""The planner keeps no samples of words, keys and hashes, and lets go of those it has."""

from django.db import migrations

from apps.erasure.sql import HERE
from apps.ledger.sql import install


class Migration(migrations.Migration):
    dependencies = [
        ("erasure", "0007_sent_again"),
        ("access", "0009_at_home"),
        ("holders", "0011_guests"),
        ("ledger", "0021_endings"),
        ("mail", "0001_letters"),
        ("memories", "0022_looks_since"),
        ("turns", "0004_epochs"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]
    operations = [install(HERE, "no_samples")]
