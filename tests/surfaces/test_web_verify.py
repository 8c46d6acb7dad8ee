"""`/verify` for a browser without script, and its like over REST: one answer, against this instance's own keys."""

import io
import json
import logging
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.ledger import services as ledger
from apps.ledger.format.verdict import Verdict
from apps.ledger.services import verifying
from tests.drivers import Http
from tests.e2e.files import bundle, forks
from tests.ledger.files import certificate_file, receipt_file, written
from tests.surfaces.web import text_of
from vault.clock import utc_now

STRANGE = written(receipt_file())  # of another instance's log


def posted(file: bytes) -> str:
    return text_of(Client().post("/verify", {"file": SimpleUploadedFile("a.json", file)}))


def sent(file: bytes) -> dict[str, Any]:
    answer = Client().post("/api/v1/receipts/verify", file, content_type="application/octet-stream")
    assert answer.status_code == 200
    return dict(answer.json())


def test_the_page_and_rest_say_the_same_of_each_verdict(live: None) -> None:
    rewritten = STRANGE.replace(b"value.read", b"value.rea_")
    for file in (STRANGE, rewritten, written(certificate_file()), b"{}", bundle(), *forks()):
        said, page = sent(file), posted(file)
        assert f'data-verdict="{said["verdict"]}"' in page
        for text in (said["heading"], said["says"], *said["checked"], *said["coverage"], *said["limits"]):
            assert text.replace("'", "&#x27;") in page
        for finding in said["findings"]:
            assert f"<b>{finding['where']}</b>" in page
    assert sent(b"{}")["verdict"] == Verdict.CANT_CHECK
    assert sent(STRANGE.replace(b"value.read", b"value.rea_"))["findings"][0]["where"] == "receipt"


def test_the_answer_stands_in_its_order_and_the_verdict_first_for_who_listens(live: None) -> None:
    page = posted(STRANGE)
    order = ["What was checked", "How far it reaches", "What it does not show"]
    places = [*(page.index(f"<h2>{each}") for each in order), page.index('id="verdict"')]
    assert places == sorted(places), "it is read in the order in which it is seen"
    told = page[page.index('role="status"') : places[0]]
    assert sent(STRANGE)["heading"].replace("'", "&#x27;") in told
    assert "Verified" not in page and "certified" not in page


@pytest.mark.parametrize(("file", "says"), [(None, "Choose a file first."), (b"", "Choose a file first.")])
def test_without_a_file_the_page_says_what_to_do(live: None, file: bytes | None, says: str) -> None:
    page = posted(file) if file is not None else text_of(Client().post("/verify"))
    assert says in page and 'aria-label="The answer" tabindex="-1" hidden>' in " ".join(page.split())


def test_a_file_that_is_too_large_is_not_checked_here(live: None) -> None:
    large = STRANGE + b" " * verifying.MOST_BYTES
    assert "larger than is checked here" in posted(large)
    answer = Client().post("/api/v1/receipts/verify", large, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    many = bundle().replace(b"\n", b"\n" + b'{"x":1}\n' * 200_000, 1)
    assert verifying.MOST_BYTES < len(many) < verifying.MOST_BYTES_OF_LINES
    assert sent(many)["verdict"] == Verdict.ALTERED


def test_an_instance_checks_so_many_files_a_minute_and_no_more(live: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "CHECKS_PER_MINUTE", 0)
    assert "Too many files are being checked here" in posted(STRANGE)
    answer = Client().post("/api/v1/receipts/verify", STRANGE, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-checks")
    assert 1 <= int(answer.headers["Retry-After"]) <= 120


def test_nothing_of_the_file_is_logged_or_kept(live: None, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    name = "my-secret-receipt.json"
    Client().post("/verify", {"file": SimpleUploadedFile(name, STRANGE)})
    sent(STRANGE)
    digest = json.loads(STRANGE)["digest"]
    assert digest not in caplog.text and name not in caplog.text


def test_nobody_needs_a_cookie_to_check(live: None) -> None:
    for client in (Client(), Client(enforce_csrf_checks=True)):
        looked = client.get("/verify")
        answered = client.post("/verify", {"file": SimpleUploadedFile("a.json", STRANGE)})
        assert looked.status_code == answered.status_code == 200
        assert not looked.cookies and not answered.cookies
    assert Http().send("POST", "receipts/verify", {"x": 1}).status_code == 200


def test_the_pages_policy_lets_nothing_inline_in_and_nothing_out(live: None) -> None:
    policy = set(Client().get("/verify").headers["Content-Security-Policy"].split("; "))
    assert {"script-src 'self'", "style-src 'self'", "connect-src 'none'", "form-action 'self'"} <= policy
    saved = Client().get("/verify.html")
    assert f'content="{saved.headers["Content-Security-Policy"]}"' in text_of(saved).replace("&#x27;", "'")


def test_the_program_is_handed_out_whole(live: None) -> None:
    answer = Client().get("/verify/muniment.pyz")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="muniment.pyz"'
    assert answer.content == ledger.program()
    assert "__main__.py" in zipfile.ZipFile(io.BytesIO(answer.content)).namelist()


def test_a_service_answers_with_a_report_for_any_bytes(live: None) -> None:
    for file in (b"", b"\n" * 1000, b"\xff" * 100, b"[" * 100_000):
        report = ledger.verify_file(io.BytesIO(file), utc_now())
        assert report is not None and report.verdict is Verdict.CANT_CHECK  # type: ignore[union-attr]
