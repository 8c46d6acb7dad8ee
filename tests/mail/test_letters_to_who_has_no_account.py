"""A letter to an address that is nobody's here: it goes once, its token stands in it alone, and the address is not kept
once it has gone or was given up."""

import re
from datetime import timedelta
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.conf import settings as ours
from django.db import IntegrityError, connection

from apps.ledger.log import act
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.letters import MOST_ATTEMPTS, MOST_WORDS, Letter
from apps.policy.shares import KEPT
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from tests.holders.people import newcomer
from tests.mail.conftest import Postman, read
from tests.mail.outside import code_facts, share_facts, shared, somebody
from tests.mail.test_letters import in_zone
from tests.threads import at_once
from vault.tokens import share_code, share_token


@pytest.fixture
def ines(empty: None) -> Holder:
    return newcomer("Ines")


def kept() -> str:
    """Everything that the table of letters holds, as a text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(string_agg(row_to_json(each)::text, ' '), '') FROM letter each")
        return str(cursor.fetchone()[0])


def test_it_says_who_shares_until_when_and_what_to_do_if_nobody_expected_it(ines: Holder, postman: Postman) -> None:
    to, facts = somebody(), share_facts()
    assert shared(ines, to, facts, zone="Europe/Lisbon")
    assert tasks.sweep() == 1
    raw = postman.one_to(to)
    letter = read(raw)
    assert letter.subject == "Ines M. shared notes with you"
    assert "Ines M. shared notes from their memory vault with you." in letter.text
    assert "> For the dinner on Friday" in letter.text and "For the dinner on Friday" in letter.html
    assert f"Open it before: {in_zone(facts['until'], 'Europe/Lisbon')}" in letter.text
    assert "It opens: up to 3 times" in letter.text
    assert "ask them another way before you open it" in letter.text
    assert f"wrote your address down at {urlsplit(ours.PUBLIC_URL).netloc}, a memory vault." in letter.text
    assert parseaddr(str(raw["From"])) == ("Casa M.", parseaddr(ours.MAIL_FROM)[1])
    assert raw["To"] == to and raw["Reply-To"] is None and "Nobody reads replies" in letter.text


def test_both_letters_say_how_long_the_address_is_kept_which_is_with_the_share(ines: Holder, postman: Postman) -> None:
    assert timedelta(days=30) == KEPT, "the foot says thirty days"
    for letter, facts in ((Letter.SHARE, share_facts()), (Letter.SHARE_CODE, code_facts())):
        to = somebody()
        assert shared(ines, to, facts, letter=letter)
        assert tasks.sweep() == 1
        said = " ".join(read(postman.one_to(to)).text.split())
        assert "It is kept with what was shared, and deleted with it at the latest thirty days after that" in said
        assert "no longer than this letter" not in said


def test_its_link_is_derived_as_it_is_written_and_stands_in_no_table(ines: Holder, postman: Postman) -> None:
    to, facts = somebody(), share_facts()
    shared(ines, to, facts)
    token = share_token(UUID(str(facts["link"])[4:]), bytes.fromhex(str(facts["salt"])))
    assert to in kept() and token not in kept()
    tasks.sweep()
    assert read(postman.one_to(to)).link == f"{ours.PUBLIC_URL}/s/{token}"
    for secret in (to, str(facts["salt"]), "dinner", "Ines M.", token):
        assert secret not in kept()


def test_a_code_stands_in_the_letter_alone_and_in_no_subject(ines: Holder, postman: Postman) -> None:
    to, facts = somebody(), code_facts()
    shared(ines, to, facts, letter=Letter.SHARE_CODE)
    code = share_code(UUID(str(facts["challenge"])[4:]))
    assert code not in kept()
    tasks.sweep()
    raw = postman.one_to(to)
    letter = read(raw)
    assert re.findall(r"\b\d{6}\b", letter.text) == [code] and code in letter.html
    assert code not in str(raw["Subject"]) and letter.link == ""
    assert "Give the code to nobody" in letter.text


@pytest.mark.parametrize(
    ("code", "said"),
    [("none", ""), ("mail", "mailed to you when you press Open"), ("pin", "Ines M. tells it to you, not we")],
)
def test_it_says_what_will_be_asked_for(ines: Holder, postman: Postman, code: str, said: str) -> None:
    to = somebody()
    shared(ines, to, share_facts(code=code, opens=1, words=""))
    tasks.sweep()
    letter = read(postman.one_to(to))
    assert said in letter.text and "It opens: once" in letter.text and "Their message" not in letter.text


@pytest.mark.parametrize(
    "words",
    [
        "O'Brien & Söhne <b>said</b>",
        "See https://evil.example/a",
        "One\n\nYou get this letter because\r\n--\r\nx",
        "\x1e- a\x1f> b\u202e",
        "a\n" * (MOST_WORDS // 2),
        "x" * MOST_WORDS,
    ],
)
def test_the_sender_s_words_are_quoted_and_lead_nowhere(ines: Holder, postman: Postman, words: str) -> None:
    to = somebody()
    shared(ines, to, share_facts(words=words, who=words.replace("\n", " ")[:40], home=words[:40]))
    tasks.sweep()
    raw = postman.one_to(to)
    letter = read(raw)  # one link, nothing escaped twice, both parts alike
    plain = raw.get_body(("plain",))
    assert plain is not None
    text = str(plain.get_content())
    between = text.partition("Their message:")[2].partition("Opening is counted")[0].strip("\r\n")
    assert between and all(line.startswith("  > ") for line in between.replace("\r\n", "\n").splitlines())
    assert len(between.splitlines()) <= 12
    assert "evil.example" not in text and "\u202e" not in text
    if "Söhne" in words:
        assert words in letter.text and words in letter.html


def test_more_than_three_hundred_characters_are_refused(ines: Holder) -> None:
    with pytest.raises(ValueError) as refused:
        shared(ines, somebody(), share_facts(words="x" * (MOST_WORDS + 1)))
    assert "xx" not in str(refused.value)


def test_a_clinic_s_name_is_in_no_header(ines: Holder, postman: Postman) -> None:
    to = somebody()
    shared(ines, to, share_facts(home=""))
    tasks.sweep()
    assert postman.one_to(to)["From"] == ours.MAIL_FROM


def test_answers_go_to_the_address_that_people_read(ines: Holder, postman: Postman, settings: Any) -> None:
    settings.MAIL_REPLY_TO = "Desk <desk@home.example>"
    to = somebody()
    shared(ines, to)
    tasks.sweep()
    raw = postman.one_to(to)
    assert raw["Reply-To"] == "Desk <desk@home.example>"
    assert "Replies are read by people, so write nothing secret" in read(raw).text


# ---------------------------------------------------------------- once, and no longer kept than needed
def test_once_for_each_key_of_a_vault(ines: Holder, postman: Postman) -> None:
    to, rosa = somebody(), newcomer("Rosa")
    assert [shared(ines, to, key="a"), shared(ines, to, key="a"), shared(ines, somebody(), key="a")] == [
        True,
        False,
        False,
    ]
    assert [shared(ines, to, key="b"), shared(rosa, to, key="a")] == [True, True]
    assert tasks.sweep() == 3


def test_two_workers_two_sweeps_and_a_message_that_comes_again_send_one_mail(ines: Holder, postman: Postman) -> None:
    to = somebody()
    shared(ines, to)
    one = LetterRow.objects.get(address=to).letter_id.hex
    done = at_once([lambda: tasks.send(one), lambda: tasks.send(one), tasks.sweep, tasks.sweep])
    assert sorted(done, key=bool) == [0, 0, 0, 1]
    assert postman.one_to(to)


def test_nothing_goes_for_an_act_that_did_not_happen(ines: Holder, postman: Postman) -> None:
    shared(ines, somebody(), cancelled=True)
    with pytest.raises(RuntimeError), act(ines.vault_id, ines.actor) as broken:
        mail.post_to(broken, Letter.SHARE, somebody(), "UTC", share_facts(), key="a")
        raise RuntimeError
    assert tasks.sweep() == 0 and kept() == ""


@pytest.mark.parametrize("how", ["refused", "tried for days"])
def test_an_address_is_not_kept_once_it_is_given_up(ines: Holder, postman: Postman, how: str) -> None:
    to = somebody()
    shared(ines, to)
    postman.answer = "550 no such address"
    if how != "refused":
        postman.answer = "451 later"
        LetterRow.objects.update(attempts=MOST_ATTEMPTS - 1)
    assert to in kept()
    tasks.sweep()
    row = LetterRow.objects.get()
    assert row.failed and (row.address, row.facts) == ("", {}) and to not in kept()


def test_it_goes_with_its_vault(ines: Holder, postman: Postman) -> None:
    shared(ines, somebody())
    with act(ines.vault_id, ines.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", ines.vault_id))
        assert mail.end_within(acting) == 1
    assert tasks.sweep() == 0 and postman.kept == []


@pytest.mark.parametrize("address", ["", "nobody", "0f@no-address.invalid", "a@b.example\r\nBcc: c@d.example"])
def test_what_is_no_address_gets_none(ines: Holder, address: str) -> None:
    assert shared(ines, address) is False and kept() == ""


def test_a_letter_is_to_a_person_or_to_an_address_never_to_both_or_to_nobody(ines: Holder) -> None:
    for to, address in ((ines.user_id, "a@b.example"), (None, "")):
        with pytest.raises(IntegrityError):
            LetterRow.objects.create(to_id=to, address=address, letter="share", key="x")
