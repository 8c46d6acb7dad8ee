"""A press opens, once; the same browser looks again for fifteen minutes, and that is counted apart."""

import secrets
from datetime import timedelta
from typing import Any

import pytest
from django.core import signing

from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.shares import services as shares
from apps.web import visitors
from apps.web.views import visiting
from tests.fixtures import BUDGET, INSULIN, KITCHEN, TIME, Household
from tests.surfaces.visitors import NOWHERE, Visitor, fields, headers_of, owner, share, token_of, told
from vault.clock import utc_now
from vault.tokens import share_code


def counted(home: Household, made: shares.Made) -> tuple[int, list[int]]:
    """How often it can be opened still, and the views of each opening, newest first."""
    found = shares.share(home.holder, made.share.share_id, utc_now())
    assert found is not None
    return found.share.opens_left, [each.views for each in shares.openings(home.holder, made.share.share_id)]


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """What was signed is older by now."""
    real = signing.time.time
    monkeypatch.setattr(signing.time, "time", lambda: real() + by.total_seconds())


def test_the_press_hands_over_what_was_shared_and_nothing_else(home: Household) -> None:
    made = share(home.holder, home.kitchen, home.budget, note="For the dinner on Friday")
    answer = Visitor().press(token_of(made))
    page = told(answer)
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    assert KITCHEN in page and "For the dinner on Friday" in page and f"{home.holder.name} shared this" in page
    assert "Confirmed: that there is a budget, never the number." in page
    assert not [each for each in (BUDGET, TIME, INSULIN) if each in page]
    assert counted(home, made) == (2, [0])


def test_a_reload_is_a_look_and_no_opening(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    form = fields(visitor.look(token_of(made)))
    for _ in range(3):
        assert KITCHEN in told(visitor.send(form))
    assert counted(home, made) == (2, [2])


def test_coming_back_by_the_link_within_the_quarter_of_an_hour_is_a_look_too(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen, opens=1), Visitor()
    assert KITCHEN in told(visitor.press(token_of(made)))
    assert KITCHEN in told(visitor.press(token_of(made)))
    assert counted(home, made) == (0, [1])


def test_another_browser_is_another_opening(home: Household) -> None:
    made = share(home.holder, home.kitchen, opens=2)
    answers = [Visitor().press(token_of(made)).status_code for _ in range(3)]
    assert answers == [200, 200, 404]
    assert counted(home, made) == (0, [0, 0])


def test_a_press_that_is_sent_again_elsewhere_or_later_opens_nothing_more(home: Household) -> None:
    """A second click before the answer came, or a page that a browser restores: it asks once more instead."""
    made = share(home.holder, home.kitchen)
    form = fields(Visitor().look(token_of(made)))
    assert Visitor().send(form).status_code == 200
    again = Visitor().send(form)
    assert again.status_code == 409 and "it is counted once more" in told(again)
    assert counted(home, made) == (2, [0])
    assert Visitor().send(fields(again)).status_code == 200


@pytest.mark.parametrize("nonce", ["", "x", "another link's"])
def test_a_press_that_no_page_was_shown_for_opens_nothing(home: Household, nonce: str) -> None:
    made = share(home.holder, home.kitchen)
    if nonce.startswith("another"):
        nonce = fields(Visitor().look(token_of(share(home.holder, home.time))))["nonce"]
    answer = Visitor().send({"token": token_of(made), "nonce": nonce})
    assert answer.status_code == 403 and "Nothing was opened or counted" in told(answer)
    assert counted(home, made) == (3, [])
    assert KITCHEN in told(Visitor().send(fields(answer))), "its own nonce is good"


def test_what_keeps_the_quarter_of_an_hour_is_signed_and_kept_from_scripts(home: Household, settings: Any) -> None:
    for secure in (False, True):
        settings.SECURE = secure
        made = share(home.holder, home.kitchen)
        (cookie,) = Visitor().press(token_of(made)).cookies.values()
        assert (cookie["path"], cookie["samesite"], cookie["httponly"], bool(cookie["secure"])) == (
            *("/s", "Strict", True, secure),
        )
        assert cookie["max-age"] == 15 * 60
        assert token_of(made) not in str(cookie)


def test_it_serves_for_its_own_link_and_only_as_it_was_signed(home: Household) -> None:
    first, second = share(home.holder, home.kitchen), share(home.holder, home.time)
    visitor = Visitor()
    visitor.press(token_of(first))
    (name,) = visitor.browser.cookies
    visitor.browser.cookies[name] = visitor.browser.cookies[name].value[:-1] + "x"
    assert visitor.press(token_of(first)).status_code == 200
    assert counted(home, first)[0] == 1, "a cookie that was changed is none"
    assert TIME in told(visitor.press(token_of(second)))
    assert counted(home, second)[0] == 2
    assert KITCHEN in told(visitor.press(token_of(first))), "each link has its own"
    assert counted(home, first) == (1, [1, 0])


def test_after_a_quarter_of_an_hour_it_is_another_opening(home: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    form = fields(visitor.look(token_of(made)))
    visitor.send(form)
    later(monkeypatch, timedelta(minutes=15, seconds=1))
    assert visitor.send(form).status_code == 409, "a reload is not a press"
    assert counted(home, made) == (2, [0])
    assert visitor.press(token_of(made)).status_code == 200
    assert counted(home, made) == (1, [0, 0])


def test_what_has_left_the_share_is_not_in_another_look(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen, home.time), Visitor()
    visitor.press(token_of(made))
    time = untyped("mem", home.time)
    assert time is not None
    memories.correct(home.holder, time, value="Twenty minutes", now=utc_now())
    page = told(visitor.press(token_of(made)))
    assert KITCHEN in page and TIME not in page and "Twenty minutes" not in page


def test_times_are_told_with_their_place_and_exactly(home: Household) -> None:
    page = Visitor().press(token_of(share(home.holder, home.kitchen))).content.decode()
    assert page.count("<time datetime=") == 3 and 'Z">' in page
    assert home.holder.time_zone in page


def test_one_address_may_press_so_often_a_minute_and_one_link_takes_so_many(
    home: Household, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, nowhere = share(home.holder, home.kitchen), secrets.token_hex(16)
    monkeypatch.setattr(visitors, "PRESSES_PER_TOKEN", 2)
    for token in (token_of(made), nowhere):
        answers = [Visitor().press(token) for _ in range(3)]
        assert [each.status_code == 429 for each in answers] == [False, False, True]
        assert "Nothing was opened" in told(answers[2])
    assert counted(home, made)[0] == 1
    settings.SHARE_PRESSES_PER_MINUTE = 2
    here = Visitor("192.0.2.7"), Visitor("192.0.2.7"), Visitor("192.0.2.7"), Visitor("192.0.2.8")
    answers = [each.press(secrets.token_hex(16)) for each in here]
    assert [each.status_code for each in answers] == [404, 404, 429, 404]


def test_nothing_is_opened_while_nothing_is_stamped(home: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    from apps.ledger import services as ledger

    def held(*_: object, **__: object) -> None:
        raise ledger.OnHold

    made, nowhere = share(home.holder, home.kitchen), Visitor().press(NOWHERE)
    with monkeypatch.context() as on_hold:
        on_hold.setattr(shares, "open_", held)
        answer = Visitor().press(token_of(made))
    assert (answer.status_code, answer.content) == (404, nowhere.content), "as a link that leads nowhere"
    assert headers_of(answer) == headers_of(nowhere) and counted(home, made) == (3, [])
    assert "wait a minute" in told(answer) and "ledger" not in told(answer), "a visitor has none"
    assert Visitor().press(token_of(made)).status_code == 200, "and in a minute it opens"


# ---------------------------------------------------------------- codes
def test_a_pin_is_asked_for_and_opens(home: Household) -> None:
    made = share(home.holder, home.kitchen, code=shares.Code.PIN, pin="731946")
    visitor = Visitor()
    asked = visitor.press(token_of(made))
    assert asked.status_code == 200 and "told you a PIN" in told(asked) and KITCHEN not in told(asked)
    wrong = visitor.send(fields(asked), code="731947")
    assert "This is not the code" in told(wrong) and counted(home, made) == (3, [])
    assert KITCHEN in told(visitor.send(fields(wrong), code="731946"))
    assert counted(home, made) == (2, [0])


def test_after_five_wrong_ones_the_link_waits_and_says_for_how_long(home: Household) -> None:
    made = share(home.holder, home.kitchen, code=shares.Code.PIN, pin="731946")
    wrong = [Visitor().press(token_of(made), code="000001").status_code for _ in range(5)]
    assert wrong == [200, 200, 200, 200, 429]
    waits = Visitor().press(token_of(made), code="731946")
    assert waits.status_code == 429 and "takes the next one in 15 minutes" in told(waits) and KITCHEN not in told(waits)
    assert counted(home, made) == (3, [])
    page = told(owner(home.holder).get(f"/shares/{typed('shr', made.share.share_id)}"))
    assert "<dt>Wrong codes</dt>" in page and "5 typed, none of which opened it" in page


def test_a_mailed_code_goes_to_whom_the_link_is_for_and_stands_on_no_page(
    home: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = utc_now()
    monkeypatch.setattr(visiting, "utc_now", lambda: now)  # all of it in one minute
    to = shares.Recipient("Rosa", f"{secrets.token_hex(6)}@mail.example")
    made = share(home.holder, home.kitchen, recipients=[to], code=shares.Code.MAIL)
    asked = Visitor().press(token_of(made))
    page = told(asked)
    assert "six digits" in page and "Rosa" not in page and to.address not in page and KITCHEN not in page
    assert "on its way" in page and "They fit for 15 minutes" in page and "Another code can be sent in a minute" in page
    again = Visitor().send(fields(asked), do="mail-again")
    assert again.status_code == 200 and "Six digits were mailed" in told(again) and "on its way" not in told(again)
    (code,) = LetterRow.objects.filter(vault_id=home.holder.vault_id, letter="share-code")
    challenge = untyped("chl", code.facts["challenge"])
    assert challenge is not None
    assert KITCHEN in told(Visitor().send(fields(again), code=share_code(challenge)))
    for more in ({}, {"code": share_code(challenge)}):
        used = told(Visitor().press(token_of(made), **more))
        assert (
            "none that were mailed fit now" in used and "on its way" not in used and "can be sent in a minute" in used
        )
    assert "No code fits now" in used


# ---------------------------------------------------------------- notes
def test_a_note_is_left_and_waits_for_the_owner(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    page = visitor.press(token_of(made))
    assert "Leave a note" in told(page)
    left = visitor.browser.post("/s", {"token": token_of(made), "note": "Bring a lid.\r\nA large one."})
    assert left.status_code == 200 and "Your note is left" in told(left)
    (waiting,) = memories.proposals(home.holder)
    assert waiting.label
    again = visitor.browser.post("/s", {"token": token_of(made)})
    assert KITCHEN in told(again), "Look again needs no other opening"
    assert counted(home, made) == (2, [1])


def test_its_card_says_who_left_it_and_offers_what_fits_a_note(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    visitor.press(token_of(made))
    visitor.browser.post("/s", {"token": token_of(made), "note": "Bring a lid."})
    (waiting,) = memories.proposals(home.holder)
    browser = owner(home.holder)
    shown = browser.post("/inbox/show", {"proposal": typed("prp", waiting.proposal_id)})
    for page in (told(browser.get("/inbox")), told(shown)):
        assert "Left by whoever opened a share of: Kitchen equipment" in page
        assert "Made from:" not in page and "it may ask again" not in page and "Reject<" in page


@pytest.mark.parametrize("text", ["", "   ", "x" * 5_000])
def test_a_note_that_cannot_be_kept_comes_back_with_why(home: Household, text: str) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    visitor.press(token_of(made))
    answer = visitor.browser.post("/s", {"token": token_of(made), "note": text})
    assert answer.status_code == 400 and 'id="note_error"' in told(answer) and f">{text}</textarea>" in told(answer)
    assert not memories.proposals(home.holder)


def test_a_link_takes_three_notes_and_a_fourth_is_not_lost(home: Household) -> None:
    made, visitor = share(home.holder, home.kitchen), Visitor()
    visitor.press(token_of(made))
    left = [visitor.browser.post("/s", {"token": token_of(made), "note": f"Note {each}"}) for each in range(4)]
    assert [each.status_code for each in left] == [200, 200, 200, 429]
    assert "as many notes" in told(left[3]) and ">Note 3</textarea>" in told(left[3])
    assert len(memories.proposals(home.holder)) == 3
    assert "Leave a note" not in told(visitor.press(token_of(made)))


def test_the_page_says_until_when_a_note_can_be_left(home: Household) -> None:
    page = told(Visitor().press(token_of(share(home.holder, home.kitchen, opens=1))))
    until = page[page.index("you can look again until ") :].split("</time>")[0].partition("<time")[2]
    assert f"You can leave it here until <time{until}</time>" in page


@pytest.mark.parametrize("opens", [1, 3])
def test_a_note_that_comes_too_late_is_not_lost(home: Household, monkeypatch: pytest.MonkeyPatch, opens: int) -> None:
    made, visitor = share(home.holder, home.kitchen, opens=opens), Visitor()
    visitor.press(token_of(made))
    later(monkeypatch, timedelta(minutes=15, seconds=1))
    late = visitor.browser.post("/s", {"token": token_of(made), "note": "Bring <b>a lid"})
    assert late.status_code == 404 and "within fifteen minutes of opening" in told(late)
    assert "Bring &lt;b&gt;a lid</textarea>" in late.content.decode() and KITCHEN not in told(late)
    assert not memories.proposals(home.holder) and counted(home, made) == (opens - 1, [0])


def test_a_note_that_comes_too_often_or_while_nothing_is_stamped_is_not_lost(
    home: Household, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.ledger import services as ledger

    def held(*_: object, **__: object) -> None:
        raise ledger.OnHold

    made, visitor = share(home.holder, home.kitchen), Visitor()
    visitor.press(token_of(made))
    note = {"token": token_of(made), "note": "Bring a lid"}
    with monkeypatch.context() as on_hold:
        on_hold.setattr(shares, "leave_note", held)
        answer = visitor.browser.post("/s", note)
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "60"
    assert "Nothing can be kept just now" in told(answer) and ">Bring a lid</textarea>" in told(answer)
    settings.SHARE_PRESSES_PER_MINUTE = 0
    often = visitor.browser.post("/s", note)
    assert often.status_code == 429 and ">Bring a lid</textarea>" in told(often) and KITCHEN not in told(often)
    settings.SHARE_PRESSES_PER_MINUTE = 30
    assert "Your note is left" in told(visitor.browser.post("/s", note)), "and is left from there"


def test_who_opened_nothing_leaves_no_note(home: Household) -> None:
    made = share(home.holder, home.kitchen)
    answers = [Visitor().send({"token": each}, note="Hello") for each in (token_of(made), NOWHERE)]
    assert [each.status_code for each in answers] == [404, 404] and answers[0].content == answers[1].content
    assert ">Hello</textarea>" in told(answers[0])
    assert not memories.proposals(home.holder)
