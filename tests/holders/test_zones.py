"""Which time zones are offered."""

from vault.zones import zones


def test_nobody_lives_in_the_zone_of_a_machine_or_of_a_placeholder() -> None:
    assert "Europe/Lisbon" in zones()
    assert not zones() & {"Factory", "localtime", "posixrules"}
