"""Every file of the corpus is answered with the verdict that stands beside it, and the finding names the place."""

import json
from typing import Any

import pytest

from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.policy import Policy
from apps.ledger.format.verdict import Trust
from apps.ledger.format.verifying import verify
from tests.ledger.corpus.make import CORPUS, corpus

CASES = [json.loads(line) for line in CORPUS.read_text().splitlines()]


def trust_of(case: dict[str, Any]) -> Trust:
    policy = None if case["policy"] is None else Policy.parse(case["policy"].encode())
    return Trust(tuple(map(VerifierKey.parse, case["keys"])), policy, case["vault"])


@pytest.mark.parametrize("case", CASES, ids=[each["name"] for each in CASES])
def test_each_file_gets_its_verdict(case: dict[str, Any]) -> None:
    report = verify(case["file"].encode(), trust_of(case), [each.encode() for each in case["openings"]])
    found = (report.verdict.value, [each.where for each in report.findings])
    assert found == (case["verdict"], case["where"]), report.lines()


def test_the_corpus_is_the_one_that_its_script_makes() -> None:
    assert CORPUS.read_text() == corpus(), "run python -m tests.ledger.corpus.make"
