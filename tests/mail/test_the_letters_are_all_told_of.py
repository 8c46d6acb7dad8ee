"""Whoever runs an instance reads of every letter that it sends: to whom, and when."""

import re
from pathlib import Path

from apps.policy.letters import Letter

DOCS = Path(__file__).parents[2] / "docs" / "self-hosting.md"


def test_every_letter_stands_in_the_table_once_and_nothing_else() -> None:
    table = DOCS.read_text().partition("| letter | to | when |")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")]
    named = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row[1])]
    assert sorted(named) == sorted(each.value for each in Letter)
    assert all(cell.strip() for row in rows for cell in row[1:4])
