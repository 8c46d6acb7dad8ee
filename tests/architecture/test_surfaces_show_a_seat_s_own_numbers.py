"""A surface that a person looks at asks for the ledger as their seat follows it, never for the chain's own numbers.

What is a client's own, or needs the deed of taking files away, which is the holder's alone, may.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CHAIN = {"receipts", "receipt", "last_seq"}
BY_CLIENTS = {"apps/mcp/resources.py", "apps/mcp/tools.py"}


def calls(path: Path) -> Iterator[ast.Call]:
    """Calls of the ledger's services that answer with numbers of the chain."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHAIN:
            on = node.func.value
            if isinstance(on, ast.Name) and on.id in ("ledger", "ledger_services"):
                yield node


def test_only_clients_are_answered_by_the_chain_s_numbers() -> None:
    found = {
        (str(path.relative_to(ROOT)), ast.unparse(node.args[1]))
        for surface in ("web", "api", "mcp")
        for path in sorted((ROOT / "apps" / surface).rglob("*.py"))
        for node in calls(path)
    }
    assert {each for each in found if each[0] not in BY_CLIENTS} == {("apps/api/views/receipts.py", "party.actor")}


def test_that_one_is_a_client_s() -> None:
    """It answers with the client's own receipts: by its actor, or with `own`."""
    for node in calls(ROOT / "apps/api/views/receipts.py"):
        named = {each.arg for each in node.keywords}
        assert "own" in named or None in named, ast.unparse(node)
