"""What a turn costs on the wire to PostgreSQL, counted where libpq speaks: pinned, so that it does not creep up.

However many memories are offered and handed over, the log of the turn is written in one statement an act.
"""

from pathlib import Path

from apps.turns import services as turns
from tests.cast import QUESTION, Vault
from tests.surfaces.test_a_read_costs_few_round_trips import counted
from vault.clock import utc_now

ASK, DECIDE, ANSWER = 21, 46, 51  # at most


def test_a_turn_s_three_steps(alice: Vault, tmp_path: Path) -> None:
    first = turns.ask(alice.holder, QUESTION, utc_now())  # registers the vault's own client
    assert first.request_id
    for names in (["kitchen"], ["kitchen", "time", "dislikes"]):
        with counted(tmp_path) as asking:
            asked = turns.ask(alice.holder, QUESTION, utc_now())
        chosen = frozenset(alice.ids[name] for name in names)
        with counted(tmp_path) as deciding:
            turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
        with counted(tmp_path) as answering:
            list(turns.answer(alice.holder, asked.turn_id, utc_now()))
        spent = (*asking, *deciding, *answering)
        assert all(found <= most for found, most in zip(spent, (ASK, DECIDE, ANSWER), strict=True)), spent
