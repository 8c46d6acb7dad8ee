"""docs/api.md as printed: its quickstart and its Python run against the real web process, the holder at a browser."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from apps.policy.ids import typed
from tests.e2e.conftest import ROOT, Ines

pytestmark = pytest.mark.e2e

GUIDE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
PAN = "One 24 cm frying pan, one pot, no oven"
PATIENCE_SECONDS = 60


def printed(language: str, about: str = "") -> str:
    """The guide's blocks of this language that say `about`, in their order."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    return "\n".join(each for each in blocks if about in each)


@pytest.fixture
def key(open_browser: Callable[..., Page], ines: Ines) -> str:
    """A key got as the guide says: sign in, open Assistants, register one, copy its key."""
    page = open_browser(signed_in=False)
    page.goto("/")
    page.get_by_label("Email").fill(ines.email)
    page.get_by_label("Password").fill(ines.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Assistants").first.click()
    page.get_by_role("link", name="Connect an assistant").click()
    page.get_by_label("Name").fill("Quickstart")
    page.get_by_role("button", name="Make its key").click()
    return page.locator("#key").inner_text().strip()


def test_the_quickstart_runs_as_printed(open_browser: Callable[..., Page], site: str, key: str, tmp_path: Path) -> None:
    """Only the two values that its first lines ask the reader to fill in are filled in."""
    script, filled = re.subn(r"^V=\S+", f"V={site}", printed("bash"), flags=re.MULTILINE)
    script, keys = re.subn(r"^KEY=\S+", f"KEY={key}", script, flags=re.MULTILINE)
    assert (filled, keys) == (1, 1)
    page, said = open_browser(), []
    shell = ["bash", "-euo", "pipefail", "-c", script]
    with (
        (tmp_path / "errors").open("wb") as errors,
        subprocess.Popen(shell, cwd=tmp_path, stdout=subprocess.PIPE, stderr=errors, text=True) as run,
    ):
        assert run.stdout is not None
        for line in run.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith(f"{site}/requests/"):
                page.goto(line.strip())
                page.get_by_role("button", name="Allow", exact=True).click()
                expect(page.get_by_text("Done. You can close this.")).to_be_visible()
    assert run.returncode == 0, (said, (tmp_path / "errors").read_text())
    assert "granted" in said
    assert any(PAN in line for line in said)
    assert said[-1].startswith("sha256:")
    assert said[-1] == said[-2]  # what the reader computed is what the read named
    told, sample = json.loads((tmp_path / "read.json").read_text()), json.loads(printed("json", "handed_over"))
    assert told.keys() == sample.keys()
    assert told["receipt"].keys() == sample["receipt"].keys()
    for name, shown in sample["handed_over"][0].items():
        got = told["handed_over"][0][name]
        assert got == shown or str(shown).startswith(("mem_", "gra_", "rcp_")), name


def test_the_python_runs_as_printed(ines: Ines, site: str, key: str) -> None:
    address = f"{site}/mcp/{typed('vlt', ines.holder.vault_id)}"
    run = [sys.executable, "-c", printed("python"), address, key]
    done = subprocess.run(run, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert all(re.match(r"mem_[0-9a-f]{32} \S", line) for line in lines)
    assert "Thyroid tablets" not in done.stdout
