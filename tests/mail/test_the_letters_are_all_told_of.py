"""Whoever runs an instance reads of every letter that it sends: to whom, and when."""

import re
from pathlib import Path

from apps.policy.letters import Letter
from apps.policy.wishes import AT_ONCE, SWITCHES

DOCS = Path(__file__).parents[2] / "docs" / "self-hosting.md"


def test_every_letter_stands_in_the_table_once_and_nothing_else() -> None:
    table = DOCS.read_text().partition("| letter | to | when |")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")]
    named = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row[1])]
    assert sorted(named) == sorted(each.value for each in Letter)
    assert all(cell.strip() for row in rows for cell in row[1:4])


def test_it_is_said_which_may_be_switched_off_and_which_come_in_quiet_hours() -> None:
    told = DOCS.read_text().partition("At `/you/mail` a person chooses which of")[2].partition("\n\n")[0]
    off, _, at_once = told.partition("but for")
    named = [set(re.findall(r"`([a-z-]+)`", part)) for part in (off, at_once)]
    assert named == [{each.value for each in Letter if SWITCHES[each]}, {each.value for each in AT_ONCE}]
