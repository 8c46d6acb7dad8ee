"""An audit says the same over REST, on its page, by the operator's command and, of a bundle, by the program."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.ledger.format.audit import audit_bundle
from apps.ledger.services.program import program
from apps.policy.erasing import Where
from apps.policy.types import Refused
from apps.policy.vocabulary import Role
from tests.cast import Vault
from tests.client.program import run
from tests.drivers import Http
from tests.holders.people import acting
from tests.ledger.test_bundle import made
from tests.pages import WebHolder
from vault.clock import utc_now


@pytest.fixture
def erased(alice: Vault) -> Vault:
    erasure.order(alice.holder, Where(ids=frozenset({alice.ids["time"]})), utc_now())
    return alice


def left(vault: Vault, admin: Any) -> None:
    """A word of what was erased is there again."""
    admin.execute(
        "UPDATE memory SET label = 'Left' WHERE vault_id = %s AND memory_id = %s", [vault.id, vault.ids["time"]]
    )


def command(*vaults: str) -> tuple[int, str]:
    said, code = StringIO(), 0
    try:
        call_command("erasure_audit", *(word for each in vaults for word in ("--vault", each)), "--json", stdout=said)
    except SystemExit as end:
        code = int(str(end.code))
    return code, said.getvalue()


def test_rest_and_the_page_and_the_command_say_the_same(erased: Vault, admin: Any) -> None:
    for found, code in ((False, 0), (True, 1)):
        if found:
            left(erased, admin)
        told = Http(holder=erased.holder).call("GET", "erasures/audit")
        page = WebHolder(erased.holder).browser.get("/erasures/audit").content.decode()
        ended, said = command(f"vlt_{erased.id.hex}")
        (document,) = json.loads(said)["vaults"]
        assert (told["exit_code"], ended) == (code, code)
        assert {name: document[name] for name in told} == told
        for sentence in (*told["coverage"], *(each["where"] for each in told["findings"])):
            assert sentence in page
        verdict = "Something is left." if found else "Nothing is left,"
        assert 0 < page.index("How far it reaches") < page.index(verdict)


def test_of_many_vaults_the_worst_decides(erased: Vault, mallory: Vault, admin: Any) -> None:
    left(erased, admin)
    assert command(f"vlt_{mallory.id.hex}")[0] == 0
    assert command(f"vlt_{mallory.id.hex}", f"vlt_{erased.id.hex}")[0] == 1


def test_without_a_name_it_looks_at_every_vault_there_is_or_was(
    erased: Vault, mallory: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not isinstance(erasure.end_vault(mallory.holder, utc_now()), Refused)
    left(erased, admin)
    code, said = command()
    verdicts = {each["vault"]: each["verdict"] for each in json.loads(said)["vaults"]}
    assert (code, verdicts[f"vlt_{erased.id.hex}"], verdicts[f"vlt_{mallory.id.hex}"]) == (1, "findings", "clean")
    assert len(verdicts) == admin.execute("SELECT count(*) FROM sealed.chain_head").fetchone()[0]
    monkeypatch.delitem(settings.DATABASES, "log")
    with pytest.raises(CommandError, match="MUNIMENT_DB_LOG_URL is not set") as no:
        command()
    assert no.value.returncode == 2


@pytest.mark.parametrize("name", ["vlt_1", "vlt_" + "0" * 32])
def test_a_vault_that_is_none_is_no_pass(live: None, name: str) -> None:
    with pytest.raises(CommandError) as no:
        command(name)
    assert no.value.returncode == 2


def test_nobody_else_is_told(erased: Vault, mallory: Vault) -> None:
    assert WebHolder(erased.holder).browser.get("/erasures/audit").status_code == 200
    seat = acting(erased.holder, mallory.holder, Role.GUARDIAN)
    assert Http().send("GET", "erasures/audit").status_code == 401
    assert seat.acting and Http(holder=mallory.holder).call("GET", "erasures/audit")["coverage"][0].startswith("0 ")


def test_the_program_says_it_of_a_bundle(erased: Vault, tmp_path: Path) -> None:
    pyz, bundle, part = tmp_path / "muniment.pyz", tmp_path / "a.bundle.jsonl", tmp_path / "part.bundle.jsonl"
    pyz.write_bytes(program())
    for path, first in ((bundle, None), (part, 4)):
        path.write_bytes(b"".join(ledger.bundle(erased.id, erased.holder.actor, utc_now(), first).parts))
    done = run(pyz, "erasure-audit", "--json", bundle)
    (report,) = json.loads(done.stdout)["files"]
    assert (done.returncode, report["verdict"]) == (0, "clean")
    assert report["coverage"][1] == "1 memory was erased, by 1 order."
    done = run(pyz, "erasure-audit", bundle, part)
    assert done.returncode == 2, "what came before the first receipt is unknown"
    assert "Receipts before 4 are not in the bundle" in done.stdout.decode()
    bundle.write_bytes(bundle.read_bytes().replace(b"memory.erased", b"memory.erasex"))
    done = run(pyz, "erasure-audit", bundle, tmp_path / "nowhere")
    assert (done.returncode, done.stdout.count(b"Verdict: unaudited.")) == (2, 2)


def test_a_value_that_left_after_it_was_ordered_gone_is_found_in_a_bundle() -> None:
    """Whoever keeps the ledger wrote it so: the bundle holds, and what it says is not as it should be."""
    order, memory = "ord_" + "1" * 32, "mem_" + "2" * 32
    lines = made(
        {},
        {"kind": "erasure.ordered", "object": order},
        {"kind": "value.read", "memory": memory, "actor": "cli_" + "3" * 32},
        {"kind": "memory.erased", "memory": memory, "object": order},
        {"kind": "erasure.certified", "object": order},
        {"kind": "value.shown", "memory": memory},
        {"kind": "memory.corrected", "memory": memory},
        {"kind": "memory.erased", "memory": memory, "object": order},
    )
    found = audit_bundle(lines)
    assert [each.where for each in found.findings] == ["3", "6", "7", "8"]
    assert found.verdict.exit_code == 1
