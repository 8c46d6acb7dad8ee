"""The one question that reaches over vaults is answered to a space's reviewers alone, in columns that name nobody."""

from typing import Any

import psycopg
import pytest

from apps.ledger.tickets import issue
from tests import databases
from tests.cast import Assistant, Vault
from tests.clinics import Clinic, allow

COLUMNS = (
    "vault_id review_id client_name client_domain initials number category memories purpose asked_at asked_seconds"
    " decided_at decided_by tier_from tier_until until reads due_at closes_at granted_before denied_before"
    " returned_before own waits outcome"
).split()


def asked(space: Any, ticket: str) -> list[tuple[Any, ...]]:
    with databases.connect("app", autocommit=True) as web:
        return web.execute("SELECT * FROM gate.desk(%s, %s, NULL, 500)", [space, ticket]).fetchall()


def test_its_columns_are_these_and_no_more(casa: Clinic, leo: Vault, bot: Assistant, admin: Any) -> None:
    allow(bot, "pills")
    query = "SELECT * FROM gate.desk(%s, %s, NULL, 500)"
    found = admin.execute(query, [casa.space_id, issue(casa.space_id, f"rev_{casa.rita.user_id.hex}", "-")])
    assert [each.name for each in found.description] == COLUMNS
    (row,) = found.fetchall()
    said = repr(row)
    names = [*leo.secrets, *leo.labels.values(), "Brandt", leo.holder.user_id.hex, str(leo.holder.user_id)]
    assert [each for each in names if each in said] == []
    assert not [each for each in leo.ids.values() if each in row or each.hex in said]


def test_it_is_answered_to_a_reviewer_of_that_space_and_to_nobody_else(
    casa: Clinic, leo: Vault, bot: Assistant
) -> None:
    allow(bot, "pills")
    rita = f"rev_{casa.rita.user_id.hex}"
    assert len(asked(casa.space_id, issue(casa.space_id, rita, "-"))) == 1, "the control"
    nobody = (f"rev_{leo.holder.user_id.hex}", f"rev_{casa.admin.user_id.hex}")
    assert [asked(casa.space_id, issue(casa.space_id, each, "-")) for each in nobody] == [[], []]
    wrong = [
        issue(casa.space_id, f"hld_{casa.rita.user_id.hex}", "-"),
        issue(casa.space_id, f"adm_{casa.rita.user_id.hex}", "-"),
        issue(casa.space_id, f"cli_{casa.rita.user_id.hex}", "-"),
        issue(casa.space_id, "rev_", "-"),
        issue(leo.id, rita, "-"),
        f"{casa.space_id}|{rita}|-|9999999999|{'0' * 64}",
        "",
    ]
    for ticket in wrong:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            asked(casa.space_id, ticket)


def test_without_it_a_ticket_for_the_space_shows_no_row_of_a_vault(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    with databases.connect("app") as web:
        ticket = issue(casa.space_id, f"rev_{casa.rita.user_id.hex}", "-")
        web.execute(psycopg.sql.SQL("SET LOCAL muniment.ticket = {}").format(psycopg.sql.Literal(ticket)))
        for table in ("review", "request_part", "access_request", "memory", "client"):
            assert web.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
