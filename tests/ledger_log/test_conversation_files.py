"""The conversation as a file: a stranger checks it with nothing else, and whatever is changed in it is named."""

import copy
import hashlib
import hmac
import itertools
import json
import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import CONTENT_NOT_CHECKED, Report, Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.memories import services as memories
from apps.policy.types import Refused, Turn
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from tests.cast import QUESTION, Vault, give, new_vault, register
from tests.peers import openai
from tests.turns.files import Line, bytes_of, changed, exported, lines_of, made_up, told_again
from vault.clock import utc_now


def lived(vault: Vault) -> Turn:
    """A turn with two ordinary memories and a special one, answered, and answered again without one of them."""
    asked = turns.ask(vault.holder, QUESTION, utc_now())
    special = {Category.HEALTH: frozenset({vault.ids["pills"]})}
    ordinary = frozenset({vault.ids["kitchen"], vault.ids["budget"]})
    turns.decide(vault.holder, asked.turn_id, ordinary=ordinary, special=special, now=utc_now())
    list(turns.answer(vault.holder, asked.turn_id, utc_now()))
    again = turns.without(vault.holder, asked.turn_id, vault.ids["kitchen"], utc_now())
    assert not isinstance(again, Refused)
    list(turns.answer(vault.holder, again.turn_id, utc_now()))
    found = turns.turn(vault.holder, asked.turn_id)
    assert found is not None
    return found


@pytest.fixture
def turn(publisher: ledger.Publisher, alice: Vault, model: openai.Model) -> Turn:
    """Lived through and in the log, with a client's receipts in between."""
    cook = register(alice, "Cook")
    give(cook, "time", reads=None)
    cook.read("time")
    found = lived(alice)
    cook.read("time")
    publisher.step(everything=True)
    return found


def trusting(vault: Vault) -> Trust:
    return Trust(keys=(VerifierKey.parse(ledger.vkeys()[0]),))


# ---------------------------------------------------------------- it holds
@pytest.mark.parametrize("which", ["one", "all"])
def test_a_stranger_can_check_it(alice: Vault, turn: Turn, which: str) -> None:
    for content in (True, False):
        data = exported(alice, turn.turn_id if which == "one" else None, content=content)
        report = verify(data, trusting(alice))
        said = Verdict.IN_LEDGER if content else Verdict.EVENTS_NOT_CHECKED
        assert (report.verdict, report.findings) == (said, ()), report.says
        assert report.content.startswith("content checked: the words" if content else CONTENT_NOT_CHECKED)
        said = Verdict.NOT_CHECKED if content else Verdict.EVENTS_NOT_CHECKED
        assert verify(data, Trust()).verdict is said
        assert verify(data, Trust(vault="vlt_" + "0" * 32)).verdict is Verdict.UNKNOWN_KEY


def test_it_holds_every_word_and_what_was_sent_byte_for_byte(
    alice: Vault,
    turn: Turn,
    model: openai.Model,
) -> None:
    events = [line["event"] for line in lines_of(exported(alice)) if "event" in line]
    sent = [each["body"]["sent"].encode() for each in events if each["kind"] == "prompt"]
    assert sent == model.raw
    assert next(each["body"]["text"] for each in events if each["kind"] == "answered") == turn.answer


def test_what_was_left_out_is_in_no_prompt_behind(alice: Vault, turn: Turn) -> None:
    events = [line["event"] for line in lines_of(exported(alice)) if "event" in line]
    last = [each["body"]["sent"] for each in events if each["kind"] == "prompt"][-1]
    (left,) = [each["body"] for each in events if each["kind"] == "left_out"]
    assert left["memory"] == alice.mem("kitchen")
    assert alice.values["kitchen"] not in last and turn.answer not in last
    assert alice.values["pills"] in last, "the control: the others are"


def test_without_content_it_says_nothing(alice: Vault, turn: Turn) -> None:
    text = exported(alice, content=False).decode()
    said = [QUESTION, turn.answer, turn.model, *alice.secrets, *alice.labels.values()]
    assert [each for each in said if each in text] == []
    assert '"key"' not in text and '"body"' not in text
    manifest = lines_of(text.encode())[0]
    assert "no word of the conversation" in manifest["limits"][0]


def test_without_the_key_it_says_nothing_of_the_events_because_anybody_could_have_made_them(
    alice: Vault, turn: Turn
) -> None:
    """The receipts bind the events under the turn's key alone: what holds without it is the receipts."""
    data = exported(alice, turn.turn_id, content=False)
    forged = bytes_of(made_up(lines_of(data)))
    for trust in (trusting(alice), Trust()):
        report = verify(data, trust)
        assert verify(forged, trust) == report, "it cannot tell them apart, so it says the same of both"
        assert report.verdict is Verdict.EVENTS_NOT_CHECKED
        assert "The receipts hold" in report.says and "cannot be checked without the turn's key" in report.says
        told = "\n".join(report.lines())
        assert "Intact" not in told and "unaltered" not in told and " events:" not in told
        assert "anybody could have left some out, or made some up" in "\n".join(report.limits)


def test_its_first_line_says_what_the_file_holds(alice: Vault, turn: Turn) -> None:
    assert "whoever has the file can read the conversation" in lines_of(exported(alice))[0]["limits"][0]


def test_a_client_s_receipts_are_in_it_by_their_digests_alone(alice: Vault, turn: Turn) -> None:
    lines = lines_of(exported(alice))
    receipts = [line["receipt"] for line in lines if "receipt" in line]
    assert {each["turn"] for each in receipts} == set(lines[0]["turns"])
    actors = {each["actor"] for each in receipts if each["kind"] == "value.read"}
    assert len(actors) == 1


def test_a_client_that_puts_the_turn_s_id_on_its_own_read_is_not_in_it(
    publisher: ledger.Publisher, alice: Vault, turn: Turn
) -> None:
    clinic = register(alice, "Clinic")
    give(clinic, "time", reads=None)
    clinic.read("time", turn=f"trn_{turn.turn_id.hex}")
    lived(alice)
    publisher.step(everything=True)
    report = verify(exported(alice), trusting(alice))
    assert report.verdict is Verdict.IN_LEDGER, (report.says, report.findings)


def test_one_that_nobody_has_answered_yet_holds_too(publisher: ledger.Publisher, alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    publisher.step(everything=True)
    report = verify(exported(alice, asked.turn_id), trusting(alice))
    assert report.verdict is Verdict.IN_LEDGER
    assert any("Not answered" in each for each in report.coverage)


def test_before_the_log_holds_it_the_file_says_so(publisher: ledger.Publisher, alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    data = exported(alice, asked.turn_id)
    assert lines_of(data)[-1] == {"log": "not yet in the log"}
    assert verify(data, Trust()).verdict is Verdict.NOT_CHECKED
    assert verify(data, Trust(keys=(VerifierKey.parse(ledger.vkeys()[0]),))).verdict is Verdict.CANT_CHECK


# ---------------------------------------------------------------- and whatever is changed is named
def leaves(found: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every text, number and truth in some JSON."""
    if isinstance(found, dict | list):
        for name in found if isinstance(found, dict) else range(len(found)):
            yield from leaves(found[name], (*path, name))
    else:
        yield path


def flipped(found: Any) -> Any:
    """Another value, one character or bit away."""
    if isinstance(found, bool):
        return not found
    if isinstance(found, int):
        return found ^ 1
    at = len(found) // 2
    return found[:at] + ("1" if found[at : at + 1] != "1" else "2") + found[at + 1 :]


def is_altered(report: Report) -> bool:
    """Found to be altered, at a place; or, where the format's own name is another, not checked."""
    return report.verdict is Verdict.ALTERED and bool(report.findings[0].where)


@pytest.mark.parametrize("content", [True, False])
def test_any_changed_member_is_named(alice: Vault, turn: Turn, content: bool) -> None:
    lines = lines_of(exported(alice, content=content))
    tried = 0
    for number, line in enumerate(lines):
        for path in leaves(line):
            if path == ("format",):
                continue  # another format is one this program does not know
            other = copy.deepcopy(lines)
            inside: Any = other[number]
            for name in path[:-1]:
                inside = inside[name]
            inside[path[-1]] = flipped(inside[path[-1]])
            assert is_altered(verify(bytes_of(other), Trust())), (number, path)
            tried += 1
    assert tried > 400 if content else tried > 200


def test_any_flipped_bit_is_seen(alice: Vault, turn: Turn) -> None:
    data = exported(alice)
    for at in random.Random(7).sample(range(len(data)), 400):
        other = bytearray(data)
        other[at] ^= 1 << at % 7
        assert verify(bytes(other), Trust()).exit_code != 0, at


def events(lines: list[Line]) -> list[int]:
    return [number for number, line in enumerate(lines) if "event" in line]


def receipts(lines: list[Line]) -> list[int]:
    return [number for number, line in enumerate(lines) if "receipt" in line]


@pytest.mark.parametrize("kind", [events, receipts], ids=["events", "receipts"])
@pytest.mark.parametrize("content", [True, False])
def test_one_dropped_doubled_or_moved_is_named(
    alice: Vault, turn: Turn, kind: Callable[[list[Line]], list[int]], content: bool
) -> None:
    lines = lines_of(exported(alice, content=content))
    for number in kind(lines):
        last = number == kind(lines)[-1] or (kind is events and "event" not in lines[number + 1])
        if content or not last or kind is receipts:
            assert is_altered(verify(bytes_of([*lines[:number], *lines[number + 1 :]]), Trust())), number
        assert is_altered(verify(bytes_of([*lines[: number + 1], *lines[number:]]), Trust())), number
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert is_altered(verify(bytes_of(swapped), Trust())), number


def test_one_cut_short_is_named_wherever_it_is_cut(alice: Vault, turn: Turn) -> None:
    data = exported(alice)
    lines = data.splitlines(keepends=True)
    for number in range(1, len(lines)):
        assert is_altered(verify(b"".join(lines[:number]), Trust())), number
    assert is_altered(verify(data[:-1], Trust()))
    assert is_altered(verify(data + b"{}\n", Trust()))


@pytest.mark.parametrize("kind", [events, receipts], ids=["events", "receipts"])
def test_another_s_is_named(
    publisher: ledger.Publisher,
    alice: Vault,
    turn: Turn,
    kind: Callable[[list[Line]], list[int]],
) -> None:
    """Of the same instance and log, and good in its own file."""
    mallory = new_vault("Mallory")
    foreign = lived(mallory)
    publisher.step(everything=True)
    mine, theirs = lines_of(exported(alice)), lines_of(exported(mallory, foreign.turn_id))
    for number in kind(mine):
        for other in kind(theirs):
            assert is_altered(verify(bytes_of([*mine[:number], theirs[other], *mine[number + 1 :]]), Trust()))


def test_a_turn_taken_away_or_put_in_another_s_place_is_named(alice: Vault, turn: Turn) -> None:
    lines = lines_of(exported(alice))
    starts = [number for number, line in enumerate(lines) if "turn" in line]
    first, second, rest = (
        lines[starts[0] : starts[1]],
        lines[starts[1] : receipts(lines)[0]],
        lines[receipts(lines)[0] :],
    )
    for body in ([*second, *rest], [*first, *rest], [*second, *first, *rest]):
        assert is_altered(verify(bytes_of([lines[0], *body]), Trust()))
    assert is_altered(changed(exported(alice), lambda them: them[0]["turns"].reverse()))


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "asked": lambda body: body.update(question="Something else?"),
    "prompt": lambda body: body.update(sent=body["sent"].replace("pan", "pot") + " "),
    "offered": lambda body: body["memories"].pop(),
    "handed_over": lambda body: body.update(commitment="0" * 64),
    "answered": lambda body: body.update(text="Roast it."),
    "left_out": lambda body: body.update(category="health"),
    "decided": lambda body: body["parts"][0]["memories"].clear(),
}


def test_whoever_has_the_keys_of_the_file_cannot_rewrite_what_was_said(alice: Vault, turn: Turn) -> None:
    """Every digest and chain hash made anew: the receipts in the log are of the words as they were."""
    as_it_was = lines_of(exported(alice))
    told_again(as_it_was)
    assert verify(bytes_of(as_it_was), Trust()).exit_code == 0, "the control: told again as it was, it holds"
    for kind, change in CHANGES.items():
        lines = copy.deepcopy(as_it_was)
        for line in lines:
            if line.get("event", {}).get("kind") == kind:
                change(line["event"]["body"])
        assert lines != as_it_was
        told_again(lines)
        report = verify(bytes_of(lines), Trust())
        assert is_altered(report), kind
        assert "trn_" in report.findings[0].where


def test_a_receipt_hidden_among_the_digests_is_missed(alice: Vault, turn: Turn) -> None:
    lines = lines_of(exported(alice))
    kinds = set()
    for number in receipts(lines):
        text = bytes_of([lines[number]["receipt"]])[:-1]
        kinds.add(lines[number]["receipt"]["kind"])
        hidden = {"digests": [hashlib.sha256(text).hexdigest()]}
        assert is_altered(verify(bytes_of([*lines[:number], hidden, *lines[number + 1 :]]), Trust()))
    assert kinds >= {"turn.asked", "turn.answered", "request.made", "request.decided", "grant.made", "value.read"}


def test_a_question_cannot_be_guessed_without_the_key(alice: Vault, turn: Turn) -> None:
    """The file without content holds nothing that tells a right guess from a wrong one; with the key it is one look."""
    kept = exported(alice, turn.turn_id, content=False).decode()
    with_key = lines_of(exported(alice, turn.turn_id))
    event = bytes_of([next(line["event"] for line in with_key if "event" in line)])[:-1]
    known = [b"", b"\0" * 32, turn.turn_id.bytes, alice.id.bytes, *(bytes.fromhex(each) for each in salts(with_key))]
    for guess in (QUESTION.encode(), b"question\n" + QUESTION.encode(), event, b"muniment-event/1\n" + event):
        assert hashlib.sha256(guess).hexdigest() not in kept
        assert not [key for key in known if hmac.new(key, guess, hashlib.sha256).hexdigest() in kept]
    key = bytes.fromhex(with_key[1]["turn"]["key"])
    assert hmac.new(key, b"muniment-event/1\n" + event, hashlib.sha256).hexdigest() in kept, "the control"


def salts(lines: list[Line]) -> list[str]:
    return [line["receipt"]["salt"] for line in lines if "receipt" in line]


NONSENSE = ["[]", "1", '"x"', "{}", '{"event":{}}', '{"turn":{}}', '{"chain_hash":"","receipt":{}}']


def test_nonsense_in_any_place_is_a_report_and_no_crash(alice: Vault, turn: Turn) -> None:
    lines = exported(alice, turn.turn_id).splitlines(keepends=True)
    for number, line in itertools.product(range(1, len(lines)), NONSENSE):
        assert is_altered(verify(b"".join([*lines[:number], line.encode() + b"\n", *lines[number + 1 :]]), Trust()))


def test_bodies_of_any_shape_are_a_report_and_no_crash(alice: Vault, turn: Turn) -> None:
    lines = lines_of(exported(alice, turn.turn_id))
    for number in events(lines):
        for path in leaves(lines[number]["event"]["body"]):
            for value in (None, [], {}, 3, "x", [{}]):
                other = json.loads(json.dumps(lines))
                inside = other[number]["event"]["body"]
                for name in path[:-1]:
                    inside = inside[name]
                inside[path[-1]] = value
                told_again(other)
                assert verify(bytes_of(other), Trust()).exit_code == 1


def test_decided_on_the_request_s_own_page_or_by_the_clock_it_holds_too(
    publisher: ledger.Publisher, alice: Vault
) -> None:
    """The ordinary part is decided elsewhere; nobody decides the special one, and its time is over."""
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert asked.request_id
    kitchen = {Category.ORDINARY: access.Decision(frozenset({alice.ids["kitchen"]}))}
    access.decide(alice.holder, asked.request_id, kitchen, utc_now())
    access.expire(alice.id, asked.request_id, utc_now() + timedelta(days=2))
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    publisher.step(everything=True)
    report = verify(exported(alice, asked.turn_id), trusting(alice))
    assert report.verdict is Verdict.IN_LEDGER, report.findings
    assert not [each for each in report.coverage if "Not answered" in each]


def test_which_memories_were_chosen_is_bound_only_once_it_is_answered(
    publisher: ledger.Publisher, alice: Vault
) -> None:
    """A stated limit: before that, whoever has the file's keys can name others of what was offered."""
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())

    def choose_another(lines: list[Line]) -> None:
        (body,) = [line["event"]["body"] for line in lines if line.get("event", {}).get("kind") == "decided"]
        (part,) = [each for each in body["parts"] if each["memories"]]
        part["memories"] = [alice.mem("time")]
        told_again(lines)

    assert changed(exported(alice, asked.turn_id), choose_another).verdict is Verdict.NOT_CHECKED
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert is_altered(changed(exported(alice, asked.turn_id), choose_another))


def test_a_value_is_bound_to_its_hand_over_by_an_opening(alice: Vault, turn: Turn) -> None:
    """Also in the file that has no words: the auditor is shown one value, and nothing else."""
    ids = [alice.ids["kitchen"], alice.ids["dislikes"]]
    given = {
        each["memory"]: json.dumps(each).encode() for each in memories.show(alice.holder, ids, openings=True).openings
    }
    used, unused = given[alice.mem("kitchen")], given[alice.mem("dislikes")]
    for content in (True, False):
        data = exported(alice, turn.turn_id, content=content)
        report = verify(data, trusting(alice), [used])
        assert (report.verdict, report.findings) == (Verdict.IN_LEDGER if content else Verdict.EVENTS_NOT_CHECKED, ())
        assert f"{alice.mem('kitchen')}, version 1, with the value you added" in report.content
        assert verify(data, trusting(alice), [unused]).verdict is Verdict.OTHER_VALUE, "it was not handed over here"
