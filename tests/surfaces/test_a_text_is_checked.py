"""A text is checked against what was corrected: where it stands, and what is so instead, as far as the caller knows."""

import secrets
import time
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import untyped
from tests.drivers import Http
from tests.fixtures import Household
from vault.clock import utc_now


@pytest.fixture
def holder(home: Household) -> Http:
    return Http(holder=home.holder)


def keep(home: Household, subject: str, *values: str, **more: Any) -> str:
    """A memory that said these, one after the other."""
    http = Http(holder=home.holder)
    body = {"label": subject, "subject": subject, "value": values[0], "on_purpose": True, **more}
    made = str(http.call("POST", "memories", body)["id"])
    for value in values[1:]:
        assert http.call("PATCH", f"memories/{made}", {"value": value, "on_purpose": True}, If_Match="*")
    return made


def by_holder(home: Household, *texts: str) -> Any:
    return Http(holder=home.holder).call("POST", "check", {"texts": list(texts)})


def by_client(home: Household, *texts: str, purpose: str = "meal_planning") -> Any:
    body = {"texts": list(texts), "purpose": purpose}
    return Http(home.key).call("POST", "check", body, Idempotency_Key=secrets.token_hex(8))


def places(told: Any) -> list[tuple[int, int, int, str]]:
    return [(each["text"], each["line"], each["column"], each["words"]) for each in told["finds"]]


def test_it_says_where_and_what_is_so_instead_with_a_receipt(home: Household, holder: Http) -> None:
    town = keep(home, "home.town", "Leeds", "Porto")
    told = by_holder(home, "# Travel\nShe lives in LEEDS, not far from the sea.\n", "Nothing here.")
    assert places(told) == [(0, 2, 14, "leeds")]
    (found,), (value,) = told["finds"], told["values"]
    assert (found["memory"], found["subject"], found["version"], found["instead"]) == (town, "home.town", 1, town)
    assert (value["memory"], value["value"]) == (town, "Porto")
    assert holder.call("GET", f"receipts/{value['receipt']}")["kind"] == "value.shown"


def test_values_of_several_words_are_found_over_line_ends_and_other_signs(home: Household) -> None:
    keep(home, "doctor", "Dr. Ana Silva, room 12", "Dr. Rui Costa, room 3")
    told = by_holder(home, "Ask “Dr ana\n  SILVA (room 12)” about it. Ana Silva of room 12? No.")
    assert places(told) == [(0, 1, 6, "dr ana silva room 12")]


@pytest.mark.parametrize("written", ["912345678", "912-345-678", "00351 912 345 678", "912 345 678"])
def test_a_long_number_is_found_however_it_is_grouped_and_once(home: Household, written: str) -> None:
    keep(home, "phone", "+351 912 345 678", "+351 933 333 333")
    keep(home, "doctor.phone", "Dr Silva, +351 211 000 999")
    told = by_holder(home, f"Call 211 000 999 or\n {written}, not 933333333.")
    assert places(told) == [(0, 2, 2, written)]
    assert [each["value"] for each in told["values"]] == ["+351 933 333 333"]
    assert len(by_holder(home, "+351 912 345 678")["finds"]) == 1


def test_a_symbol_that_was_replaced_twice_leads_to_the_living_one(home: Household) -> None:
    keep(home, "symbol.old_api", "old_api", "new_api")
    last = keep(home, "symbol.new_api", "new_api", "newest_api")
    told = by_holder(home, "import lib\nlib.old_api()\nnew_api(1)\nnewest_api(2)\nold_api_2()\n")
    assert places(told) == [(0, 2, 5, "old_api"), (0, 3, 1, "new_api")]
    assert {each["instead"] for each in told["finds"]} == {last}
    assert [each["value"] for each in told["values"]] == ["newest_api"]


def test_symbols_that_replace_each_other_in_a_circle_have_none_instead(home: Household) -> None:
    keep(home, "symbol.a_one", "a_one", "b_two")
    keep(home, "symbol.b_two", "b_two", "a_one")
    assert {each["instead"] for each in by_holder(home, "a_one and b_two")["finds"]} <= {None}


def test_a_symbol_is_found_wherever_code_has_it_and_in_no_other_name(home: Household) -> None:
    keep(home, "symbol.old_api", "old_api", "new_api")
    code = "old_api(); x = old_api-1\nself.old_api('./lib/old_api')\r\nmy_old_api old_apis old_api2 _old_api old-api\n"
    assert [each[1:3] for each in places(by_holder(home, code))] == [(1, 1), (1, 16), (2, 6), (2, 21)]


def test_a_symbol_that_is_written_otherwise_is_another_one(home: Household) -> None:
    """Where the memory's label says how it is written; else case is not known."""
    keep(home, "symbol.session-", "Session", "Connection", label="Session")
    keep(home, "symbol.old_api", "old_api", "new_api")
    assert places(by_holder(home, "session = db.Session()\nSESSION = 1\nOLD_API")) == [
        (0, 1, 14, "session"),
        (0, 3, 1, "old_api"),
    ]


@pytest.mark.parametrize(
    ("old", "code", "column"),
    [
        ("parse_blob", "x = mod.parse_blob(y)", 9),
        ("parse_blob", "self.parse_blob", 6),
        ("parse_blob", "x/parse_blob/y", 3),
        ("parse_blob", "self.parse\u200b_blob()", 6),
        ("fetchUser", "await api.fetchUser(1)", 11),
        ("fetchUser", "from 'src/api/fetchUser.js'", 15),
        ("compute_hash", "tests/compute_hash.py", 7),
        ("frob_widget", "lib::frob_widget(); lib.frob_widgets()", 6),
        ("frob_widget", "lib->frob_widget()", 6),
        ("lib.old", "return self.lib.old()", 13),
        ("std::old", "lib::std::old()", 6),
        ("old_api", "y = old_api-1", 5),
        ("parse_blob()", "mod.parse_blob(x)", 5),
    ],
)
@pytest.mark.parametrize("named", [("The parser", "work.parser"), (None, "decision.7"), (None, "symbol.it")])
def test_a_name_of_code_is_found_in_code_whatever_its_memory_is_called(
    home: Household, old: str, code: str, column: int, named: tuple[str | None, str]
) -> None:
    label, subject = named
    made = keep(home, subject, old, "something_else", label=label or old.removesuffix("()"))
    (found,) = by_holder(home, f"First line.\n{code}\n")["finds"]
    assert (found["line"], found["column"], found["memory"], found["instead"]) == (2, column, made, made)


@pytest.mark.parametrize("word", ["Leeds", "NASA", "fetch"])
def test_a_plain_word_in_code_is_no_find_but_for_a_symbol(home: Household, word: str) -> None:
    keep(home, "some.thing", word, "quite another")
    code = f"self.{word}(x) lib/{word}/y {word.lower()}.org lib::{word}"
    assert by_holder(home, code)["finds"] == []
    keep(home, "symbol.it", word, "another_one", label="A function")
    assert {each["subject"] for each in by_holder(home, code)["finds"]} == {"symbol.it"}


def test_a_memory_labelled_with_a_name_of_code_is_found_in_the_same_case_alone(home: Household) -> None:
    keep(home, "work.parser", "parse_blob", "read_blob", label="parse_blob")
    keep(home, "home.town", "Leeds", "Porto", label="Leeds")
    told = by_holder(home, "PARSE_BLOB = mod.Parse_Blob; parse_blob(); LEEDS")
    assert places(told) == [(0, 1, 30, "parse_blob"), (0, 1, 44, "leeds")]


def test_a_symbol_that_was_renamed_back_is_alive_and_the_one_between_is_not(home: Household) -> None:
    name = keep(home, "symbol.a_one", "a_one", "b_two", "a_one")
    told = by_holder(home, "a_one b_two")
    assert places(told) == [(0, 1, 7, "b_two")]
    assert [(each["memory"], each["value"]) for each in told["values"]] == [(name, "a_one")]


def test_what_is_said_now_is_no_find(home: Household) -> None:
    keep(home, "home.town", "Leeds", "Porto", "Leeds")
    assert by_holder(home, "Leeds")["finds"] == []
    keep(home, "work.town", "Braga", "Faro")
    keep(home, "born.in", "Braga")
    assert by_holder(home, "Braga")["finds"] == []


def test_a_piece_of_a_dotted_name_is_a_find_for_symbols_alone(home: Household) -> None:
    keep(home, "home.town", "Leeds", "Porto")
    assert by_holder(home, "leeds.example.org and x.leeds")["finds"] == []


@pytest.mark.parametrize("short", ["5", "tea", "ok"])
def test_one_short_word_is_not_looked_for(home: Household, short: str) -> None:
    keep(home, "some.thing", short, "something else")
    assert by_holder(home, f"{short} {short}")["finds"] == []


def test_what_was_put_away_has_nothing_instead(home: Household, holder: Http) -> None:
    town = keep(home, "home.town", "Leeds", "Porto")
    holder.call("PATCH", f"memories/{town}", {"state": "withdrawn"}, If_Match="*")
    told = by_holder(home, "Porto or Leeds")
    assert [(each["words"], each["instead"]) for each in told["finds"]] == [("porto", None), ("leeds", None)]
    assert told["values"] == []


def test_a_client_is_told_of_what_its_grant_covers_by_a_read_of_it(home: Household) -> None:
    town, work = keep(home, "home.town", "Leeds", "Porto"), keep(home, "work.town", "Braga", "Faro")
    text = "From Leeds to Braga."
    nothing = {"finds": [], "values": [], "covered": 0, "handling": by_holder(home, "")["handling"]}
    assert by_client(home, text) == nothing
    wish = home.as_client().ask([town])
    home.as_holder().decide(wish.request, {"ordinary": [town]}, reads=2)
    assert by_client(home, text, purpose="travel")["finds"] == []
    told = by_client(home, text)
    assert [(each["memory"], each["words"]) for each in told["finds"]] == [(town, "leeds")]
    assert told["covered"] == 1
    (value,) = told["values"]
    assert (value["memory"], value["value"]) == (town, "Porto")
    (line,) = Http(home.key).call("GET", "receipts?kind=value.read")["items"]
    assert (f"rcp_{line['seq']}", line["memory"]) == (value["receipt"], town)
    assert work not in str(told)
    assert Http(home.key).call("GET", "grants")["items"][0]["reads_left"] == 1
    assert by_client(home, "Nothing of it.")["finds"] == []
    assert Http(home.key).call("GET", "grants")["items"][0]["reads_left"] == 1
    assert len(by_client(home, text)["finds"]) == 1
    assert by_client(home, text) == nothing, "the grant is used up"


def test_what_a_client_may_not_read_changes_nothing_it_is_told(home: Household) -> None:
    """Another memory that says Leeds now, or replaced the new symbol, is not there for it."""
    town, old = keep(home, "home.town", "Leeds", "Porto"), keep(home, "symbol.old_api", "old_api", "new_api")
    wish = home.as_client().ask([town, old])
    home.as_holder().decide(wish.request, {"ordinary": [town, old]}, reads=None)
    before = by_client(home, "Leeds old_api")
    keep(home, "born.in", "Leeds")
    keep(home, "symbol.new_api", "new_api", "newest_api")
    after = by_client(home, "Leeds old_api")
    assert after["finds"] == before["finds"]
    assert [each["value"] for each in after["values"]] == ["Porto", "new_api"]
    assert by_holder(home, "Leeds")["finds"] == []


def test_special_and_attested_ones_are_checked_for_no_client(home: Household) -> None:
    pills = keep(home, "pills", "twelve units at noon", "ten units at noon", category="health")
    budget = keep(home, "budget", "seventy euros a week", "ninety euros a week", claim="budget")
    client, as_holder = home.as_client(), home.as_holder()
    wish = client.ask([budget], categories=["health"])
    as_holder.decide(wish.request, {"ordinary": [budget], "special:health": [pills]}, reads=None)
    text = "Twelve units at noon, seventy euros a week"
    assert by_client(home, text)["finds"] == []
    assert {each["memory"] for each in by_holder(home, text)["finds"]} == {pills, budget}


def test_a_proposed_text_that_was_never_kept_is_not_known(home: Household, holder: Http) -> None:
    assert by_holder(home, "anything at all")["finds"] == []


def test_a_client_sends_an_idempotency_key_and_the_holder_does_not(home: Household) -> None:
    body = {"texts": ["Leeds"]}
    assert Http(home.key).call("POST", "check", body).code == "idempotency-key-required"
    assert Http(holder=home.holder).send("POST", "check", body).status_code == 200


def test_a_repeated_check_spends_one_read(home: Household) -> None:
    town = keep(home, "home.town", "Leeds", "Porto")
    wish = home.as_client().ask([town])
    home.as_holder().decide(wish.request, {"ordinary": [town]}, reads=2)
    body = {"texts": ["Leeds"], "purpose": "meal_planning"}
    first, again = (Http(home.key).call("POST", "check", body, Idempotency_Key="one") for _ in range(2))
    assert first["finds"] == again["finds"] != []
    assert Http(home.key).call("GET", "grants")["items"][0]["reads_left"] == 1
    other = {**body, "texts": ["In Leeds"]}
    assert Http(home.key).call("POST", "check", other, Idempotency_Key="one").code == "idempotency-reuse"


@pytest.mark.parametrize("texts", [[], [""] * 201, ["x" * (256 * 1024 + 1)], [7], "Leeds"], ids=range(5))
def test_too_much_or_no_text_is_refused_by_its_name(home: Household, texts: Any) -> None:
    told = Http(holder=home.holder).send("POST", "check", {"texts": texts}).json()
    assert (told["code"], told["errors"][0]["pointer"].split("/")[1]) == ("validation", "texts")


def test_a_hundred_thousand_characters_are_checked_soon(home: Household) -> None:
    for number in range(20):
        keep(home, f"place.number-{number}", *(f"the {word} place of {number}" for word in ("old", "older", "new")))
    text = "The quick brown fox jumps over lib.api and lives in a place with 3,5 cm of rain; it's fine.\n" * 1100
    assert len(text) > 100_000
    before = utc_now()
    told = by_holder(home, text + "It was the old place of 7.")
    assert places(told) == [(0, 1101, 8, "the old place of 7")]
    assert (utc_now() - before).total_seconds() < 5


def test_whoever_acts_for_the_holder_is_told_nothing_of_what_is_sealed_from_them(home: Household) -> None:
    from tests.holders.people import acting, newcomer  # the seat of somebody else

    town = keep(home, "home.town", "Leeds", "Porto")
    guardian = acting(home.holder, newcomer("Rosa"))
    assert len(memories.check_texts(guardian, ["Leeds"]).finds) == 1
    town_id = untyped("mem", town)
    assert town_id is not None
    memories.seal_from_guardians(home.holder, town_id, utc_now())
    assert memories.check_texts(guardian, ["Leeds"]).finds == ()
    assert len(memories.check_texts(home.holder, ["Leeds"]).finds) == 1


@pytest.mark.parametrize(
    ("kept", "text", "column"),
    [
        ("28 cm", "A pan of 28cm, please", 10),
        ("28cm", "A pan of 28 cm, please", 10),
        ("17 March 1962", "born 1962-03-17 in Leeds", 6),
        ("1962-03-17", "born 17th of March, 1962", 6),
        ("17/03/1962", "born March 17, 1962", 6),
        ("7:15 pm", "supper at 19:15", 11),
        ("19:15", "supper at 7.15pm", 11),
        ("two cups of flour", "take 2 cups of flour", 6),
        ("2 cups of flour", "take two cups of flour", 6),
        ("12,500 a year", "paid 12500 a year", 6),
        ("PT50 0002 0123", "to PT5000020123 then", 4),
        ("Lodz", "train to Łódź", 10),
        ("a parttime job", "has a part-time job", 5),
    ],
)
def test_what_is_kept_is_found_in_the_other_forms_it_is_written_in(
    home: Household, kept: str, text: str, column: int
) -> None:
    keep(home, "some.thing", kept, "quite another one")
    (found,) = by_holder(home, f"First line.\n{text}\n")["finds"]
    assert (found["line"], found["column"], found["version"]) == (2, column, 1)


@pytest.mark.parametrize(
    ("kept", "text", "is_found"),
    [
        ("99 bottles", "ninety-nine bottles", True),
        ("99 bottles", "ninety nine bottles", True),
        ("20 bottles", "twenty bottles", True),
        ("twenty bottles", "20 bottles", True),
        ("ninety-nine bottles", "99 bottles", False),
        ("twenty-one bottles", "21 bottles", False),
        ("100 bottles", "a hundred bottles", False),
        ("950 euros a month", "nine hundred and fifty euros a month", False),
        ("EUR 95 a month", "ninety-five euros a month", False),
    ],
)
def test_words_are_numbers_up_to_ninety_nine_and_digits_words_up_to_20(
    home: Household, kept: str, text: str, is_found: bool
) -> None:
    keep(home, "some.thing", kept, "quite another one")
    assert bool(by_holder(home, text)["finds"]) is is_found


def test_another_form_of_what_is_said_now_is_no_find(home: Household) -> None:
    keep(home, "pan", "28cm", "28 cm")
    keep(home, "supper", "at 7:15 pm", "at 19:15 sharp")
    assert by_holder(home, "a pan of 28 cm; supper at 19:15 sharp")["finds"] == []
    assert places(by_holder(home, "28cm")) == [(0, 1, 1, "28cm")]


def test_a_client_finds_other_forms_too(home: Household) -> None:
    pan = keep(home, "kitchen.pan", "A pan of 28 cm", "A pan of 30 cm")
    wish = home.as_client().ask([pan])
    home.as_holder().decide(wish.request, {"ordinary": [pan]}, reads=2)
    assert places(by_client(home, "Take a pan of 28cm.")) == [(0, 1, 6, "a pan of 28 cm")]


def test_a_text_full_of_numbers_is_checked_soon(home: Household) -> None:
    keep(home, "long", "28 cm and 3 dl and two cups and 7:15 pm and 17 March 1962", "none of it")
    text = "28cm 3dl 2 cups 19:15 1962-03-17, 12500 a-b\n" * 2500
    begun = time.process_time()
    by_holder(home, text)
    assert time.process_time() - begun < 5
