"""A link goes by letter to whom it is for, its code to the same address, and how it goes to whoever may share."""

from datetime import timedelta
from typing import Any

import pytest

from apps.erasure import services as erasure
from apps.mail.models import LetterRow
from apps.mail.writing import compose
from apps.policy.erasing import Where
from apps.policy.ids import typed, untyped
from apps.policy.letters import Letter, unpack
from apps.policy.shares import CODE_LASTS, Code, Recipient, ShareState
from apps.policy.text import TextProblem
from apps.policy.types import Refused, Sent
from apps.policy.vocabulary import Refusal
from apps.shares import services as shares
from apps.shares import tasks
from apps.shares.services import making
from tests.cast import Vault
from tests.shares.links import GONE, lock, one, opened, shared, told
from vault.clock import utc_now
from vault.tokens import share_code, share_token


def letters(vault: Vault, kind: str) -> list[LetterRow]:
    return list(LetterRow.objects.filter(vault_id=vault.id, letter=kind).order_by("made_at"))


def read(letter: LetterRow) -> str:
    """A letter as it is read."""
    kind = Letter(letter.letter)
    return " ".join(str(compose(kind.value, unpack(kind, letter.facts), "ana@house.example").body).split())


def asked(answer: shares.Opened | shares.Challenge | Refused) -> shares.Challenge:
    """The code that is asked for."""
    assert isinstance(answer, shares.Challenge), answer
    return answer


def mailed_code(vault: Vault) -> str:
    """The code that was mailed last."""
    challenge = untyped("chl", letters(vault, "share-code")[-1].facts["challenge"])
    assert challenge is not None
    return share_code(challenge)


def test_whoever_is_named_with_an_address_is_sent_their_link(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva, Recipient("Ana")], code=Code.NONE, note="For Friday")
    assert made.mailed == (silva.address,)
    (letter,) = letters(alice, "share")
    assert (letter.address, letter.facts["who"], letter.facts["words"]) == (silva.address, "Alice", "For Friday")
    link = untyped("lnk", letter.facts["link"])
    assert link == made.links[0].link.link_id
    token = share_token(link, bytes.fromhex(letter.facts["salt"]))
    assert token == made.links[0].token
    assert token not in str(letter.facts), "a letter that waits holds what leads to it"
    assert isinstance(shares.open_(token, utc_now()), shares.Opened)


def test_no_label_and_no_value_stands_in_a_letter(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", "kitchen", recipients=[silva])
    shares.open_(made.links[0].token, utc_now())
    shares.stop(alice.holder, made.share.share_id, utc_now())
    said = " ".join(str(each.facts) for each in LetterRow.objects.filter(vault_id=alice.id))
    assert said
    assert not [
        each for name in ("time", "kitchen") for each in (alice.labels[name], alice.values[name]) if each in said
    ]


def test_a_named_recipient_is_asked_for_the_code_that_is_mailed_to_them(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva])
    (link,) = made.links
    assert made.share.code is Code.MAIL
    assert asked(shares.open_(link.token, utc_now())).mailed
    assert letters(alice, "share-code")[0].address == silva.address
    wrong = f"{(int(mailed_code(alice)) + 1) % 10**6:06}"
    told_so = asked(shares.open_(link.token, utc_now(), code=wrong))
    assert told_so.wrong and not told_so.mailed and told_so.fits is not None
    done = shares.open_(link.token, utc_now(), code=mailed_code(alice))
    assert isinstance(done, shares.Opened)
    assert [each.object for each in alice.receipts(kind="share.challenged")] == [typed("shr", made.share.share_id)]


def test_a_mailed_code_opens_once_and_for_its_minutes(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva])
    (link,), now = made.links, utc_now()
    shares.open_(link.token, now)
    code = mailed_code(alice)
    late = shares.open_(link.token, now + CODE_LASTS, code=code)
    assert late == shares.Challenge(Code.MAIL, wrong=True)
    assert isinstance(shares.open_(link.token, now, code=code), shares.Opened)
    again = asked(shares.open_(link.token, now, code=code))
    assert again.wrong and not again.mailed and again.fits is None


def test_the_code_is_mailed_again_but_not_at_once(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva])
    (link,), now = made.links, utc_now()
    first = asked(shares.open_(link.token, now))
    assert first.mailed
    again = asked(shares.knock(link.token, now))
    assert not again.mailed and again.until is not None
    assert len(letters(alice, "share-code")) == 1
    assert asked(shares.knock(link.token, now + timedelta(minutes=1))).mailed
    assert len(letters(alice, "share-code")) == 2


def test_whether_a_code_fits_and_when_another_goes_is_told_as_it_is(alice: Vault, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva], lasts=timedelta(hours=3))
    (link,), now = made.links, utc_now().replace(minute=0, second=1, microsecond=0)
    fits, minute = now + CODE_LASTS, now.replace(second=0) + timedelta(minutes=1)
    assert asked(shares.open_(link.token, now)) == shares.Challenge(Code.MAIL, mailed=True, fits=fits, until=minute)
    assert asked(shares.knock(link.token, now)) == shares.Challenge(Code.MAIL, fits=fits, until=minute)
    assert isinstance(shares.open_(link.token, now, code=mailed_code(alice)), shares.Opened)
    used = shares.Challenge(Code.MAIL, until=minute)
    assert asked(shares.open_(link.token, now)) == used, "it was used: none is under way, and none goes yet"
    sent = [asked(shares.knock(link.token, now + timedelta(minutes=each))) for each in range(1, 7)]
    assert [each.mailed for each in sent] == [True] * 5 + [False]
    hour = now.replace(second=0) + timedelta(hours=1)
    assert sent[-1].until == sent[-2].until == hour, "six went in this hour"
    assert sent[-1].fits == now + timedelta(minutes=5) + CODE_LASTS
    assert asked(shares.knock(link.token, hour)).mailed


# ---------------------------------------------------------------- to whoever shares
def test_each_opening_is_told_once(alice: Vault) -> None:
    share, token = one(alice, "time")
    opened(token, client="Firefox on Windows")
    opened(token)
    tasks.tell.run()
    tasks.tell.run()
    (first, second) = letters(alice, "share-opened")
    assert (first.facts["client"], first.facts["share"]) == ("Firefox on Windows", typed("shr", share.share_id))
    assert first.to_id == second.to_id == alice.holder.user_id


def test_what_was_left_is_told_as_it_was_after_that_opening(alice: Vault) -> None:
    _, token = one(alice, "time")
    for _ in range(3):
        opened(token)
    tasks.tell.run()
    by_time = sorted(letters(alice, "share-opened"), key=lambda each: each.facts["at"])
    assert [each.facts["left"] for each in by_time] == [2, 1, 0]
    first, second, last = (read(each) for each in by_time)
    assert "After that it could be opened 2 times more" in first and "could be opened once more" in second
    assert "That was the last time" in last and "you can stop sharing" in last, "whoever opened it can look again"


def test_what_has_ended_since_an_opening_is_not_told_as_though_it_stood(alice: Vault, admin: Any) -> None:
    for end in ("stop", "clock"):
        share, token = one(alice, "time")
        opened(token)
        if end == "stop":
            shares.stop(alice.holder, share.share_id, utc_now())
        else:
            admin.execute("UPDATE share SET expires_at = now() WHERE share_id = %s", [share.share_id])
        tasks.tell.run()
        letter = letters(alice, "share-opened")[-1]
        assert (letter.facts["share"], letter.facts["left"]) == (typed("shr", share.share_id), 2)
        said = read(letter)
        assert "It has ended since" in said
        assert "could be opened" not in said and "stop sharing" not in said


def test_how_it_ended_is_told(alice: Vault, admin: Any) -> None:
    by_press, _ = one(alice, "time")
    shares.stop(alice.holder, by_press.share_id, utc_now())
    spent, token = one(alice, "time", opens=1)
    opened(token)
    over, _ = one(alice, "time")
    admin.execute("UPDATE share SET expires_at = now() WHERE share_id = %s", [over.share_id])
    locked, token = one(alice, "time", code=Code.PIN, pin="482913")
    lock(alice.id, locked, token)
    tasks.expire.run()
    how = {each.facts["share"]: (each.facts["how"], each.facts["opens"]) for each in letters(alice, "share-stopped")}
    assert how == {
        typed("shr", by_press.share_id): ("stopped", 0),
        typed("shr", spent.share_id): ("used-up", 1),
        typed("shr", over.share_id): ("expired", 0),
        typed("shr", locked.share_id): ("locked", 0),
    }


# ---------------------------------------------------------------- what is not sent
@pytest.mark.parametrize(
    ("field", "named"),
    [
        ("address", [Recipient("Ana", "ana")]),
        ("name", [Recipient("", "ana@house.example")]),
        ("name", [Recipient("A\nB", "ana@house.example")]),
        ("recipients", [Recipient("Ana", "ana@house.example"), Recipient("Rui", "ANA@house.example")]),
        ("recipients", [Recipient("Ana"), Recipient("ana")]),
        ("recipients", [Recipient(f"Ana {n}") for n in range(6)]),
    ],
)
def test_whom_nobody_can_write_to_is_said_by_its_field(alice: Vault, field: str, named: list[Recipient]) -> None:
    with pytest.raises(TextProblem) as problem:
        shared(alice, "time", recipients=named)
    assert problem.value.field == field
    assert letters(alice, "share") == []


def test_a_code_by_mail_needs_an_address(alice: Vault, silva: Recipient) -> None:
    for named in ([], [Recipient("Ana")], [silva, Recipient("Ana")]):
        with pytest.raises(TextProblem, match="code"):
            shared(alice, "time", recipients=named, code=Code.MAIL)


def test_one_address_is_written_to_ten_times_a_day(alice: Vault, mallory: Vault) -> None:
    ana = Recipient("Ana", f"ana-{alice.id.hex[-12:]}@house.example")
    for _ in range(5):
        shared(alice, "time", recipients=[ana])
        shared(mallory, "time", recipients=[ana])
    done = shares.make(alice.holder, [alice.ids["time"]], utc_now(), recipients=[ana])
    assert isinstance(done, Refused)
    assert (done.reason, done.until is not None) == (Refusal.RATE_LIMITED, True)


def test_only_what_is_made_counts_for_how_many_may_be(
    alice: Vault, silva: Recipient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "SHARES_PER_HOUR", 2)
    now, sent = utc_now(), Sent("a-key", "digest")
    first = shared(alice, "time", sent=sent, now=now)
    for _ in range(3):
        assert shared(alice, "time", sent=sent, now=now).share == first.share
        with pytest.raises(TextProblem, match="opens"):
            shared(alice, "time", opens=0, recipients=[silva], now=now)
        assert shares.make(alice.holder, [alice.ids["pills"]], now, recipients=[silva]) == Refused(
            Refusal.NEVER_SHARED, "/memories/0"
        )
    shared(alice, "time", recipients=[silva], now=now)
    third = shares.make(alice.holder, [alice.ids["time"]], now, recipients=[silva])
    assert isinstance(third, Refused)
    assert third.reason is Refusal.RATE_LIMITED
    with pytest.raises(TextProblem, match="opens"):  # what is wrong is said all the same
        shared(alice, "time", opens=0, now=now)
    assert isinstance(shared(alice, "time", sent=sent, now=now), shares.Made)


# ---------------------------------------------------------------- sent again
def test_what_is_sent_again_is_answered_with_the_same_links(alice: Vault, silva: Recipient) -> None:
    sent = Sent("a-key", "digest")
    first = shared(alice, "time", recipients=[silva], sent=sent)
    again = shared(alice, "time", recipients=[silva], sent=sent)
    assert (again.share.share_id, again.links, again.mailed) == (first.share.share_id, first.links, first.mailed)
    assert len(letters(alice, "share")) == len(shares.shares(alice.holder, utc_now())) == 1
    other = shares.make(alice.holder, [alice.ids["time"]], utc_now(), recipients=[silva], sent=Sent("a-key", "other"))
    assert other == Refused(Refusal.IDEMPOTENCY_REUSE)


def test_two_who_send_the_same_key_have_tokens_of_their_own(alice: Vault, mallory: Vault) -> None:
    sent = Sent("a-key", "digest")
    mine, theirs = shared(alice, "time", sent=sent), shared(mallory, "time", sent=sent)
    assert mine.links[0].token != theirs.links[0].token


# ---------------------------------------------------------------- with what is erased
def test_with_the_vault_every_link_and_address_is_gone(alice: Vault, admin: Any, silva: Recipient) -> None:
    made = shared(alice, "time", recipients=[silva], code=Code.NONE, note="For Friday")
    opened(made.links[0].token)
    assert told(alice, made.share).state is ShareState.LIVE
    ended = erasure.end_vault(alice.holder, utc_now())
    assert not isinstance(ended, Refused)
    assert ended.order.counts["shares"] == 1
    assert shares.open_(made.links[0].token, utc_now()) == GONE
    for table in ("share", "share_item", "share_link", "share_opening"):
        assert admin.execute(f"SELECT count(*) FROM {table} WHERE vault_id = %s", [alice.id]).fetchone() == (0,)


def test_with_a_memory_its_line_goes_and_what_was_said_on_it(alice: Vault, admin: Any) -> None:
    made = shared(alice, "time", "kitchen", note="About my evenings")
    other = shared(alice, "kitchen", note="For Friday")
    done = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["time"]})), utc_now())
    assert not isinstance(done, Refused)
    assert (done.counts["shared"], done.counts["shares"]) == (1, 1)
    notes = dict(admin.execute("SELECT share_id, note FROM share WHERE vault_id = %s", [alice.id]).fetchall())
    assert notes == {made.share.share_id: "", other.share.share_id: "For Friday"}
