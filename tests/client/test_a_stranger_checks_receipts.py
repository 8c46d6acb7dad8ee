"""Files of a real instance, checked by the one-file program with Python alone, no packages and no network.

Each is checked three times over: plainly, watched (a socket, a process or a file to write ends it), and in a network
without interfaces where the machine allows one.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.program import NO_NETWORK, PLAIN_PYTHON, namespaces_work, run, said
from tests.ledger.material import WITNESS

HEADINGS = ["What was checked:", "How far it reaches:", "What it does not show:", "Content:", "Verdict:"]


def verdict(program: Path, *words: str | Path) -> tuple[int, str]:
    """The exit code, and the verdict of the one file."""
    done = run(program, "verify", "--json", *words)
    (report,) = json.loads(said(done))["files"]
    assert report["exit_code"] == done.returncode
    return done.returncode, report["verdict"]


def test_a_receipt_is_in_the_ledger_whose_key_one_had(program: Path, files: Path) -> None:
    for name in ("read", "refused", "mallory"):
        found = verdict(program, files / f"{name}.receipt.json", "--key", f"@{files / 'log.vkey'}")
        assert found == (0, "intact-in-ledger")


def test_a_key_may_be_given_as_it_is(program: Path, files: Path) -> None:
    key = (files / "log.vkey").read_text().split()[0]
    assert verdict(program, files / "read.receipt.json", "--key", key) == (0, "intact-in-ledger")


def test_without_a_key_of_ones_own_it_is_only_intact(program: Path, files: Path) -> None:
    done = run(program, "verify", files / "read.receipt.json")
    assert done.returncode == 0
    assert "The log's key came with the file" in said(done)
    assert verdict(program, files / "read.receipt.json") == (0, "intact-ledger-not-checked")


def test_under_another_key_it_is_not_theirs(program: Path, files: Path) -> None:
    key = f"@{files / 'other.vkey'}"
    assert verdict(program, files / "read.receipt.json", "--key", key) == (1, "unknown-key")


def test_a_policy_asks_for_witnesses(program: Path, files: Path, tmp_path: Path) -> None:
    log = (files / "log.vkey").read_text().strip()
    nobody = tmp_path / "nobody"
    nobody.write_text(f"log {log}\nquorum none\n")
    assert verdict(program, files / "read.receipt.json", "--policy", nobody) == (0, "intact-in-ledger")
    witness = str(WITNESS.verifier)
    somebody = tmp_path / "somebody"
    somebody.write_text(f"log {log}\nwitness w {witness}\nquorum w\n")
    assert verdict(program, files / "read.receipt.json", "--policy", somebody) == (1, "unknown-key")


def test_of_another_vault_it_is_not_theirs(program: Path, files: Path) -> None:
    whose = ["--vault", (files / "vault.txt").read_text(), "--key", f"@{files / 'log.vkey'}"]
    assert verdict(program, files / "read.receipt.json", *whose) == (0, "intact-in-ledger")
    assert verdict(program, files / "mallory.receipt.json", *whose) == (1, "unknown-key")


def test_one_that_is_not_yet_in_the_log_is_neither_a_fail_nor_a_pass(program: Path, files: Path) -> None:
    waiting = files / "waiting.receipt.json"
    assert verdict(program, waiting, "--key", f"@{files / 'log.vkey'}") == (2, "cant-check")
    assert verdict(program, waiting) == (0, "intact-ledger-not-checked")


@pytest.mark.parametrize("inside", [(), NO_NETWORK], ids=["watched", "watched in a network without interfaces"])
def test_no_network_no_package_no_file_is_touched(program: Path, files: Path, inside: tuple[str, ...]) -> None:
    if inside and not namespaces_work():
        pytest.skip("this account may not make a network namespace")
    words = ["verify", files / "read.receipt.json", "--key", f"@{files / 'log.vkey'}"]
    done = run(program, *words, watched=True, inside=inside)
    assert done.returncode == 0
    assert done.stderr.decode().strip() == PLAIN_PYTHON
    assert "Verdict: Intact and in the ledger." in said(done)


def test_a_conversation_is_checked_with_its_words_and_without(program: Path, files: Path, tmp_path: Path) -> None:
    key = f"@{files / 'log.vkey'}"
    for name, content in (("told", "content checked: "), ("untold", "content NOT checked")):
        done = run(program, "verify", files / f"{name}.conversation.jsonl", "--key", key, watched=True)
        assert done.returncode == 0, said(done)
        assert f"  {content}" in said(done)
        assert "Kanari" not in said(done)
    retold = tmp_path / "retold.jsonl"
    retold.write_text((files / "told.conversation.jsonl").read_text().replace("dinner", "supper"))
    assert verdict(program, retold, "--key", key) == (1, "altered")


def test_a_proof_of_a_fork_is_checked_like_any_file(program: Path, files: Path, tmp_path: Path) -> None:
    fork = files / "fork.json"
    done = run(program, "verify", fork, "--key", f"@{files / 'log.vkey'}")
    assert done.returncode == 1, "a script over many files never takes it for a pass"
    assert "Verdict: This log has forked." in said(done) and "Intact" not in said(done)
    assert "one key signed two histories of the log vault.example/log" in said(done)
    assert verdict(program, fork) == (1, "forked")
    assert verdict(program, fork, "--key", f"@{files / 'other.vkey'}") == (1, "unknown-key")
    no_fork = json.loads(fork.read_text())
    no_fork["second"] = no_fork["first"]
    (tmp_path / "fork.json").write_text(json.dumps(no_fork))
    assert verdict(program, tmp_path / "fork.json") == (1, "altered")


def test_its_limits_are_read_before_its_verdict(program: Path, files: Path) -> None:
    lines = said(run(program, "verify", files / "read.receipt.json", env={"LC_ALL": "C"})).splitlines()
    headings = [line for line in lines if line and not line.startswith(" ")][1:]
    assert [heading.partition(":")[0] + ":" for heading in headings] == HEADINGS
    assert lines[lines.index("Content:") + 1] == "  content NOT checked"
    assert lines[lines.index("Content:") + 2].startswith("Verdict: ")
    text = "\n".join(lines).lower()
    assert "certified" not in text and "verified" not in text
    assert "it does not say that the memory is true" in text


def test_it_tells_no_value_and_no_label(program: Path, files: Path) -> None:
    assert "Kanari" not in said(run(program, "verify", files / "read.receipt.json"))


def test_one_altered_file_among_others_decides(program: Path, files: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.json"
    altered.write_text((files / "read.receipt.json").read_text().replace("meal_planning", "care"))
    done = run(program, "verify", files / "read.receipt.json", altered, tmp_path / "missing")
    assert done.returncode == 1
    assert "  receipt: its digest is another: one of its members was changed" in said(done)
    assert run(program, "verify", files / "read.receipt.json", tmp_path / "missing").returncode == 2


def places(found: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of everything in a JSON document that is no list and no object."""
    if isinstance(found, dict | list):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from places(value, (*where, key))
    else:
        yield where


def changed(document: Any, where: tuple[Any, ...]) -> Any:
    """The document with one more letter, or one more, at a place."""
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] += 1 if isinstance(inner[where[-1]], int) else "0"
    return copy


def test_whatever_is_changed_is_altered_and_its_place_is_named(program: Path, files: Path, tmp_path: Path) -> None:
    document = json.loads((files / "read.receipt.json").read_text())
    made = {}
    for number, where in enumerate(places(document)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(changed(document, where)))
        made[str(path)] = where
    done = run(program, "verify", "--json", *made, "--key", f"@{files / 'log.vkey'}")
    reports = json.loads(said(done))["files"]
    assert (done.returncode, len(reports)) == (1, len(made)) and len(made) > 30
    for report in reports:
        where = made[report["file"]]
        if where == ("format",):
            assert report["verdict"] == "cant-check"
            continue
        assert report["verdict"] == "altered", where
        assert report["findings"][0]["where"].startswith(str(where[0])), where
