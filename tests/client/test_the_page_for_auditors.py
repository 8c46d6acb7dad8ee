"""docs/verifying.md: every command on it does what the page says, on files of a real instance."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from apps.ledger.format.verdict import Verdict
from tests.client.program import namespaces_work
from tests.client.test_the_program_needs_only_python import a_checkout
from tests.ledger.files import VALUE, receipt_file, written

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs/verifying.md").read_text()
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
PASSED = "Verdict: Intact and in the ledger."
SHOWS = {
    "--opening": "content checked",
    "conversation": "Verdict: Receipts intact, events not checked.",
    "fork.json": "Verdict: This log has forked.",
}
SHOWN = re.findall(r"```\n(rcp_12.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where an auditor stands: a checkout, and the files under the names of the page."""
    made = a_checkout(tmp_path_factory.mktemp("auditor") / "checkout")
    shutil.copy(ROOT / "Makefile", made)
    subprocess.run(["make", "verifier", f"PYTHON={sys.executable}"], cwd=made, check=True, capture_output=True)
    shutil.copy(files / "read.receipt.json", made / "rcp_12.receipt.json")
    shutil.copy(files / "refused.receipt.json", made / "rcp_13.receipt.json")
    shutil.copy(files / "log.vkey", made)
    shutil.copy(files / "fork.json", made)
    shutil.copy(files / "gone.certificate.json", made / "ord_1.certificate.json")
    shutil.copy(files / "old.bundle.jsonl", made / "ledger_1-20.bundle.jsonl")
    shutil.copy(files / "new.bundle.jsonl", made / "ledger_1-21.bundle.jsonl")
    shutil.copy(files / "untold.conversation.jsonl", made / "conversation.conversation.jsonl")
    (made / "rcp_3.receipt.json").write_bytes(written(receipt_file()))
    (made / "memory.opening.json").write_bytes(VALUE.to_bytes())
    (made / "policy.txt").write_text(f"log {(files / 'log.vkey').read_text().strip()}\nquorum none\n")
    return made


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environ, capture_output=True, text=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_does_it(folder: Path, command: str) -> None:
    if command.startswith("unshare") and not namespaces_work():
        pytest.skip("this account may not make a network namespace")
    done = shell(command, folder)
    assert (done.returncode, done.stderr) == (int("fork.json" in command), ""), done.stdout + done.stderr
    if " verify " in command and "--json" not in command:
        assert next((shown for part, shown in SHOWS.items() if part in command), PASSED) in done.stdout


def test_what_it_shows_is_what_is_printed(folder: Path) -> None:
    """Line by line, ids, numbers and what is left out (…) aside."""
    (shown,) = SHOWN
    printed = shell("python3 muniment.pyz verify rcp_12.receipt.json --key @log.vkey", folder).stdout
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "…":
            pattern += r"(?:  .*\n)+"
        else:
            pattern += re.sub(r"\d+", r"\\d+", re.escape(line).replace("…", r"\S+?")) + r"\n"
    assert re.fullmatch(pattern, printed), printed


def test_it_lists_every_verdict_with_its_exit_code() -> None:
    for each in Verdict:
        assert f"| {each.heading} | `{each.value}` | {each.exit_code} |" in PAGE


def test_it_lists_every_member_of_a_report(folder: Path) -> None:
    document = json.loads(shell("python3 muniment.pyz verify --json rcp_12.receipt.json", folder).stdout)
    for name in (*document, *document["files"][0]):
        assert f"`{name}`" in PAGE, name
