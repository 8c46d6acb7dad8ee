"""What a press on a link costs on the wire to PostgreSQL: pinned, so that it does not creep up."""

from pathlib import Path

from tests.fixtures import Household
from tests.surfaces.test_a_read_costs_few_round_trips import counted
from tests.surfaces.visitors import Visitor, fields, share, token_of

# the facts (where a link leads is remembered); the stamp; the release; the zone in which times are told
OPENING = 4


def test_the_press_and_another_look(home: Household, tmp_path: Path) -> None:
    made = share(home.holder, home.kitchen)
    Visitor().press(token_of(made))
    visitor = Visitor()
    form = fields(visitor.look(token_of(made)))
    for _ in ("the press", "another look"):
        with counted(tmp_path) as trips:
            assert visitor.send(form).status_code == 200
        assert trips == [OPENING]
