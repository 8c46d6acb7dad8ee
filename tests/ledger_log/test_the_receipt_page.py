"""The page of a receipt says where it stands in the log, and its file is checked where it was made."""

import io

from django.test import Client

from apps.ledger import services as ledger
from apps.ledger.format.verdict import Verdict
from tests.cast import Vault, new_vault
from tests.ledger_log.test_receipt_files import file_of
from tests.pages import WebHolder
from tests.surfaces.web import text_of
from vault.clock import utc_now


def page_of(vault: Vault, seq: int) -> str:
    return " ".join(text_of(WebHolder(vault.holder).browser.get(f"/receipts/rcp_{seq}")).split())


def test_before_it_is_logged_the_page_says_so(publisher: ledger.Publisher, alice: Vault) -> None:
    page = page_of(alice, 2)
    assert "Not yet in the log" in page and "The proof" not in page
    publisher.integrate()
    assert "Not yet in the log" in page_of(alice, 2)


def test_then_it_names_leaf_checkpoint_and_witnesses(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    new_vault("Bob")
    publisher.step(everything=True)
    file = file_of(alice, 2)
    page = page_of(alice, 2)
    upto = file["leaf"]["seq"]
    assert f"<dd>{file['leaf']['index']}, which pins line {upto}" in page
    assert "<dd> 2 leaves </dd>" in page and "<dd> vault.example/log </dd>" in page
    assert "<dt>witnesses</dt><dd>none</dd>" in page and "none asked for" in page


def test_the_page_holds_every_fact_of_the_file(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    file, page = file_of(alice, 2), page_of(alice, 2)
    facts = [*map(str, file["receipt"].values()), file["digest"], file["chain_hash"], file["previous_chain_hash"]]
    facts += [file["leaf"]["tag"], file["leaf"]["pseudonym_key"], *file["segment"], *file["keys"].values()]
    facts += [*file["limits"], *file["proof"].split()]
    assert not [fact for fact in facts if fact.replace("'", "&#x27;") not in page]


def test_its_file_is_intact_where_it_was_made(publisher: ledger.Publisher, alice: Vault) -> None:
    waiting = WebHolder(alice.holder).browser.get("/receipts/rcp_2.receipt.json").content
    publisher.step(everything=True)
    file = WebHolder(alice.holder).browser.get("/receipts/rcp_2.receipt.json").content
    verdicts = []
    for each in (file, waiting, file.replace(b'"kind": "', b'"kind": "x')):
        answer = Client().post("/api/v1/receipts/verify", each, content_type="application/json").json()
        verdicts.append((answer["verdict"], answer["says"]))
    assert verdicts[0] == (
        Verdict.IN_LEDGER,
        "This receipt is unaltered and is line 2 of this vault's ledger.",
    )
    assert [each for each, _ in verdicts[1:]] == [Verdict.CANT_CHECK, Verdict.ALTERED]
    assert all(vkey in text_of(Client().get("/verify.html")) for vkey in ledger.vkeys())


def test_a_bundle_is_checked_where_it_was_made(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    made = ledger.bundle(alice.id, alice.holder.actor, utc_now())
    report = ledger.verify_file(io.BytesIO(b"".join(made.parts)), utc_now())
    assert report and report.verdict is Verdict.IN_LEDGER
