"""The one-file program, with Python alone, gives each file of the corpus the verdict and the place that stand there."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.client.program import run, said
from tests.ledger.corpus.make import CORPUS

CASES = [json.loads(line) for line in CORPUS.read_text().splitlines()]


def known(case: dict[str, Any]) -> str:
    """What the caller knew, and added: cases alike in it are given in one command."""
    return json.dumps([case[name] for name in ("keys", "policy", "vault", "openings")])


def options(case: dict[str, Any], folder: Path) -> list[str | Path]:
    """That as options; policies and openings are files."""
    made: list[str | Path] = [word for key in case["keys"] for word in ("--key", key)]
    if case["policy"] is not None:
        (folder / "policy").write_text(case["policy"])
        made += ["--policy", folder / "policy"]
    if case["vault"] is not None:
        made += ["--vault", case["vault"]]
    for number, opening in enumerate(case["openings"]):
        (folder / f"opening {number}").write_bytes(opening.encode())
        made += ["--opening", folder / f"opening {number}"]
    return made


def test_every_file_gets_its_verdict(program: Path, tmp_path: Path) -> None:
    answered = 0
    for _, group in groupby(sorted(CASES, key=known), key=known):
        cases = list(group)
        for number, case in enumerate(cases):
            (tmp_path / f"{number}.json").write_bytes(case["file"].encode())
        names = [tmp_path / f"{number}.json" for number in range(len(cases))]
        done = run(program, "verify", "--json", *options(cases[0], tmp_path), *names)
        reports = json.loads(said(done))["files"]
        for case, report in zip(cases, reports, strict=True):
            found = (report["verdict"], [each["where"] for each in report["findings"]])
            assert found == (case["verdict"], case["where"]), case["name"]
            answered += 1
    assert answered == len(CASES) > 50
