"""A disguise is seen through: what looks like a corrected value is that value, whichever characters it is written with.

Protects the holder from letters of other alphabets, letters set apart, strokes and characters that nobody sees.
"""

from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.twins import TWINS
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.drivers import Http
from vault.clock import utc_now

LEEDS = "Leeds"
LIKE: dict[str, list[str]] = defaultdict(list)
for twin, letter in TWINS.items():
    if twin != "\u101d":  # a letter of a script without blanks, seen through within a word alone
        LIKE[letter.lower()].append(twin)


def forms(letter: str) -> st.SearchStrategy[str]:
    """One letter as it may be written so that it looks the same, or is not seen to be another."""
    wide, bold = chr(ord(letter) + 0xFEE0), chr(0x1D400 + ord(letter) - (65 if letter.isupper() else 71))
    seen = st.sampled_from([letter, letter.swapcase(), wide, bold, *LIKE[letter.lower()]])
    return st.tuples(seen, st.sampled_from(["", "", "\u200b", "\u0336", "\u2060"])).map("".join)


WORN = st.tuples(st.tuples(*map(forms, LEEDS)), st.sampled_from(["", "", " ", ".", "\u2009", " - "])).map(
    lambda each: each[1].join(each[0])
)


def corrected(vault: Vault) -> None:
    """The holder lived in Leeds, and said that it is Porto."""
    vault.keep("home", LEEDS, label="Home town", subject="home.town", on_purpose=True)
    assert isinstance(memories.correct(vault.holder, vault.ids["home"], value="Porto", now=utc_now()), Memory)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(WORN, min_size=5, max_size=5), st.sampled_from(["{}", "I live in {}", "in {}, as I told you"]))
def test_however_it_is_written_it_is_not_taken_back_unasked(alice: Vault, worn: list[str], around: str) -> None:
    if "home" not in alice.ids:
        corrected(alice)
    for each in worn:
        done = memories.correct(alice.holder, alice.ids["home"], value=around.format(each), now=utc_now())
        assert done == Refused(Refusal.ECHO, "/value"), ascii(each)


@pytest.mark.parametrize(
    "worn",
    [
        "L\u0435\u0435ds",
        "L e e d s",
        "Le\u200beds",
        "ＬＥＥＤＳ",
        "L\u0336e\u0336e\u0336d\u0336s\u0336",
        "\u13deeed\u0455",
        "LEED\ua731",
        "\U0001f17b\U0001f174\U0001f174\U0001f173\U0001f182",
        "\U0001f1f1\U0001f1ea\U0001f1ea\U0001f1e9\U0001f1f8",
        "\u0141eeds",
        "Lee\u0111s",
        "L\u0247\u0247ds",
        "Lee\u0257s",
        "Lee-ds",
        "Leeds" + "".join(chr(0xE0100 + each) for each in range(30)),
    ],
)
def test_a_client_s_suggestion_in_it_is_marked_and_approved_by_the_holder_s_express_deed_alone(
    alice: Vault, cook: Assistant, worn: str
) -> None:
    corrected(alice)
    for words in (
        {"target": alice.ids["home"], "directive": Directive.CORRECT},
        {"label": "Town", "subject": "a.town"},
    ):
        given_ = {"known": [alice.ids["home"]]} if "target" in words else {}
        made = memories.propose(cook.caller, value=worn, now=utc_now(), **words, **given_)
        assert isinstance(made, Proposal)
        assert MarkKind.ECHO in [each.kind for each in alice.noticed(made).marks]
        assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")
        (item,) = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now()).items
        assert item.done is memories.Done.NEEDS_ATTENTION
    assert memories.show(alice.holder, [alice.ids["home"]]).values[0].value == "Porto"


def test_a_text_that_says_it_so_is_found_to_bring_it_back(alice: Vault) -> None:
    corrected(alice)
    got = Http(holder=alice.holder).call("POST", "check", {"texts": ["He lives in\n L\u0435\u0435ds or L e e d s."]})
    assert got
    assert [(each["line"], each["column"]) for each in got["finds"]] == [(2, 2), (2, 11)]


@pytest.mark.parametrize(
    "text", ["I live in P\u043erto now, not L\u0435\u0435ds.", "F\u043erget my kitchen.", "Actually it is P\u03bfrto."]
)
def test_a_text_in_it_asks_for_nothing(alice: Vault, cook: Assistant, text: str) -> None:
    routed = access.route_text(cook.caller, text, now=utc_now(), derived_from=[])
    assert isinstance(routed, access.RoutedProposal)
    assert routed.proposal is None
    assert "look like others" in routed.routed.why
