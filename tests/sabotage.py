"""Every promise can fail: each property file has a named way of breaking the product that must turn it red.

`python -m tests.sabotage [property …]` breaks the product once for each, in a pytest process and a database of its own,
and demands that the named test fails by what it asserts. A break that stays green fails the run: the test measured
nothing. Beside it the same tests run unbroken, and must be green: what is red anyway proves nothing either.

The breaks are in tests/breaks.py. This module is also the pytest plugin that applies one: MUNIMENT_SABOTAGE names it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import hypothesis
import pytest

from tests.breaks import SABOTAGES, Sabotage

ROOT = Path(__file__).resolve().parent.parent
CHOSEN = "MUNIMENT_SABOTAGE"


# ---------------------------------------------------------------- the plugin
@pytest.fixture(scope="session", autouse=True)
def _broken(request: pytest.FixtureRequest) -> Iterator[None]:
    """The product, broken as chosen, for as long as the process lives."""
    chosen = os.environ.get(CHOSEN)
    if not chosen:
        yield
        return
    from tests import databases

    request.getfixturevalue("django_db_setup")
    found = SABOTAGES[int(chosen)]  # a property may have several
    hypothesis.settings.register_profile("broken", phases=[hypothesis.Phase.generate])  # red is enough: no shrinking
    hypothesis.settings.load_profile("broken")
    with databases.connect("postgres", autocommit=True) as admin, pytest.MonkeyPatch.context() as patch:
        found.break_(admin, patch)
        yield


# ---------------------------------------------------------------- the run
@dataclass(frozen=True)
class Outcome:
    """What became of the named test: how many of its cases failed by an assertion, broke, or passed."""

    failed: int
    broke: int
    passed: int
    said: str


def run(chosen: Sabotage | None, *tests: Sabotage) -> Outcome:
    """Run the named tests of `tests`, with the product broken as `chosen` or whole."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        nodes = [f"{each.path}::{each.red}" for each in tests]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.sabotage", "-n", "0"]
        command += ["--tb=short", "-p", "no:cacheprovider", f"--junitxml={report}", *nodes]
        command += ["--maxfail=1"] if chosen else []
        env = {**os.environ, CHOSEN: str(SABOTAGES.index(chosen)) if chosen else ""}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        if not report.exists():
            return Outcome(0, 1, 0, said)
        cases = list(ElementTree.parse(report).iter("testcase"))
    failures = {case: case.find("failure") for case in cases}
    failed = [case for case, why in failures.items() if why is not None and _asserted(why.get("message", ""))]
    broke = [case for case in cases if case.find("error") is not None]
    broke += [case for case, why in failures.items() if why is not None and case not in failed]
    passed = [case for case in cases if len(case.findall("*")) == 0 or case.find("system-out") is not None]
    return Outcome(len(failed), len(broke), len([case for case in passed if case not in failed + broke]), said)


def _is_red(broken: Sabotage, outcome: Outcome) -> bool:
    red = outcome.failed > 0 and outcome.broke == 0
    print(f"{'red' if red else 'GREEN':8} {broken.property}: {broken.how}", flush=True)
    if not red:
        print(outcome.said[-3000:])
    return red


def _asserted(message: str) -> bool:
    """Did the test say no, rather than fall over?"""
    return "AssertionError" in message or message.startswith(("assert", "Failed: DID NOT RAISE"))


def main(names: list[str]) -> int:
    """0 when every break turned its test red, and none was red before."""
    chosen = [each for each in SABOTAGES if not names or each.property in names]
    unknown = set(names) - {each.property for each in SABOTAGES}
    if unknown:
        print(f"There is no sabotage for {', '.join(sorted(unknown))}; there is one for each file of tests/properties.")
        return 1
    with ThreadPoolExecutor(2) as pool:
        whole, broken = pool.submit(run, None, *chosen), [pool.submit(run, each, each) for each in chosen]
        survived = [each for each, done in zip(chosen, broken, strict=True) if not _is_red(each, done.result())]
        unbroken = whole.result()
    print(f"{'whole':8} {unbroken.passed} cases of the same {len(chosen)} tests are green")
    if unbroken.failed or unbroken.broke or not unbroken.passed:
        print(
            unbroken.said[-6000:], "\nThese tests must be green on the whole product, or red proves nothing.", sep="\n"
        )
        return 1
    for each in survived:
        print(f"\n{each.path}::{each.red} did not notice that {each.how}.")
    print(f"\n{len(chosen) - len(survived)} of {len(chosen)} breaks turned their promise red.")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
