"""A SECURITY DEFINER function uses its own names, whatever lies on the caller's search path.

The controls show that the same tricks do work on functions that are written less carefully.
"""

from collections.abc import Iterator

import pytest

from tests.gate.cast import Connection, Vault, count_receipts, hand_over


@pytest.fixture
def careless(admin: Connection) -> Iterator[None]:
    """A database where the gate's role may make temporary tables and a schema of its own."""
    name = admin.info.dbname
    admin.execute(f'GRANT TEMP ON DATABASE "{name}" TO muniment_gate')
    admin.execute("CREATE SCHEMA hijack")
    admin.execute("GRANT CREATE, USAGE ON SCHEMA hijack TO muniment_gate")
    admin.execute("CREATE TABLE hijack.ledger (vault_id uuid)")
    yield
    admin.execute(f'REVOKE TEMP ON DATABASE "{name}" FROM muniment_gate')
    admin.execute("DROP SCHEMA hijack CASCADE")


OPERATOR = """
CREATE FUNCTION hijack.never(uuid, uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN RAISE NOTICE 'ran as %', current_user; RETURN true; END $$;
CREATE OPERATOR hijack.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = hijack.never);
GRANT EXECUTE ON FUNCTION hijack.never(uuid, uuid) TO PUBLIC
"""


def test_a_temporary_table_does_not_swallow_a_receipt(
    careless: None, admin: Connection, gate: Connection, vault: Vault
) -> None:
    gate.execute("CREATE TEMP TABLE receipt (LIKE pg_class)")
    gate.execute("CREATE TEMP TABLE chain_head (x int)")
    gate.execute("SET search_path = pg_temp, public")
    hand_over(gate, vault, vault.memories[0])
    assert count_receipts(admin, vault) == 1


def test_a_function_that_forgot_pg_temp_loses_its_receipt(careless: None, admin: Connection, gate: Connection) -> None:
    admin.execute(
        "CREATE FUNCTION hijack.write() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = hijack AS"
        " $$ BEGIN INSERT INTO ledger VALUES (gen_random_uuid()); END $$"
    )
    admin.execute("GRANT EXECUTE ON FUNCTION hijack.write() TO muniment_gate")
    gate.execute("CREATE TEMP TABLE ledger (vault_id uuid)")
    gate.execute("GRANT INSERT ON ledger TO postgres")
    gate.execute("SELECT hijack.write()")
    assert admin.execute("SELECT count(*) FROM hijack.ledger").fetchone() == (0,)


def test_an_operator_of_the_caller_is_not_run(
    careless: None, admin: Connection, gate: Connection, vault: Vault
) -> None:
    heard: list[str] = []
    gate.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
    for statement in OPERATOR.strip().split(";\n"):
        gate.execute(statement)
    gate.execute("SET search_path = hijack, pg_catalog")
    hand_over(gate, vault, vault.memories[0])
    assert heard == []


def test_a_function_without_a_search_path_runs_the_caller_s_operator(
    careless: None, admin: Connection, gate: Connection
) -> None:
    heard: list[str] = []
    gate.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
    for statement in OPERATOR.strip().split(";\n"):
        gate.execute(statement)
    admin.execute(
        "CREATE FUNCTION hijack.careless() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS"
        " $$ BEGIN RETURN gen_random_uuid() = gen_random_uuid(); END $$"
    )
    admin.execute("GRANT EXECUTE ON FUNCTION hijack.careless() TO muniment_gate")
    gate.execute("SET search_path = hijack, pg_catalog")
    gate.execute("SELECT hijack.careless()")
    assert heard == ["ran as postgres"]
