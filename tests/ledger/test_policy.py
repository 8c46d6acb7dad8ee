"""Whom a policy believes: C2SP tlog-policy, read strictly and evaluated as it says."""

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.keys import COSIGNATURE, ED25519, Signature, SigningKey, VerifierKey
from apps.ledger.format.merkle import EMPTY_ROOT
from apps.ledger.format.note import Note
from apps.ledger.format.policy import Policy
from apps.ledger.format.strict import Malformed, Unproven, inbase64
from tests.ledger.material import BYTES, LOG
from tests.ledger.test_checkpoint import SIGNED_8

NAMES = ["X1", "X2", "X3", "Y1", "Y2", "Y3"]
WITNESSES = {name: SigningKey(f"{name}.example", COSIGNATURE, name.encode() * 16) for name in NAMES}
LINES = {name: f"witness {name} {key.verifier}\n" for name, key in WITNESSES.items()}
W1, W2, W3 = (LINES[name] for name in NAMES[:3])
LOG_LINE = f"log {LOG.verifier}\n"

# The example of the standard.
EXAMPLE = (
    LOG_LINE
    + "".join(LINES.values())
    + """
group X-witnesses 2 X1 X2 X3
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""
)
TREE = Checkpoint(LOG.name, 0, EMPTY_ROOT)


def policy(text: str) -> Policy:
    return Policy.parse(text.encode())


def signed(*names: str, tree: Checkpoint = TREE, log: SigningKey | None = LOG, time: int = 7) -> bytes:
    text = tree.text.encode()
    found = [WITNESSES[name].sign(text, time) for name in names]
    return Note(tree.text, tuple(([log.sign(text)] if log else []) + found)).to_bytes()


def test_the_example_of_the_standard() -> None:
    found = policy(EXAMPLE)
    assert [party.key for party in found.logs] == [LOG.verifier]
    assert list(found.witnesses) == NAMES and found.witnesses["Y2"].key == WITNESSES["Y2"].verifier
    assert [(name, group.threshold) for name, group in found.groups.items()] == [
        ("X-witnesses", 2),
        ("Y-witnesses", 1),
        ("X-and-Y", 2),
    ]


@pytest.mark.parametrize("given", list(product([False, True], repeat=6)))
def test_the_quorum_of_the_example_is_two_of_x_and_one_of_y(given: tuple[bool, ...]) -> None:
    names = [name for name, there in zip(NAMES, given, strict=True) if there]
    assert policy(EXAMPLE).is_quorum(names) == (sum(given[:3]) >= 2 and any(given[3:]))


def test_a_checkpoint_with_a_quorum_is_accepted_and_one_short_of_it_is_not() -> None:
    found = policy(EXAMPLE).check(signed("X1", "X3", "Y2"))
    assert (found.checkpoint, found.logs) == (TREE, (LOG.verifier,))
    assert found.witnesses == {"X1": 7, "X3": 7, "Y2": 7}
    for names in ([], ["X1", "X3"], ["X1", "Y2"], ["Y1", "Y2", "Y3"], ["X1", "X1", "Y2"]):
        with pytest.raises(Unproven, match="no quorum"):
            policy(EXAMPLE).check(signed(*names))


def test_no_quorum_asks_for_the_log_alone_and_still_counts_who_cosigned() -> None:
    text = LOG_LINE + W1 + "quorum none\n"
    assert policy(text).check(signed()).witnesses == {}
    assert policy(text).check(signed("X1", "X2")).witnesses == {"X1": 7}


def test_the_log_itself_must_have_signed() -> None:
    for text in (EXAMPLE, LOG_LINE + W1 + "quorum none\n"):
        with pytest.raises(Unproven, match="the log itself"):
            policy(text).check(signed("X1", "X2", "Y1", log=None))
    with pytest.raises(Unproven, match="trusted key"):
        policy(LOG_LINE + "quorum none\n").check(signed("X1", log=None))


def test_a_log_signs_for_its_own_origin_alone() -> None:
    other = Checkpoint("other.example/log", 0, EMPTY_ROOT)
    with pytest.raises(Unproven, match="no log with the origin"):
        policy(LOG_LINE + "quorum none\n").check(signed(tree=other))
    second = SigningKey("other.example/log", ED25519, b"\x02" * 32)
    text = f"{LOG_LINE}log {second.verifier}\nquorum none\n"
    assert policy(text).check(signed(tree=other, log=second)).logs == (second.verifier,)
    with pytest.raises(Unproven):
        policy(text).check(signed(tree=other, log=LOG))


def test_logs_may_come_from_elsewhere() -> None:
    empty = policy("quorum none\n")
    with pytest.raises(Unproven, match="no log with the origin"):
        empty.check(signed())
    assert empty.check(signed(), [LOG.verifier]).logs == (LOG.verifier,)


def test_a_known_witnesss_bad_signature_rejects_even_what_has_a_quorum() -> None:
    bad = Signature("X2.example", WITNESSES["X2"].verifier.key_id, b"\x00" * 72).line().encode()
    with pytest.raises(Unproven, match=r"X2\.example"):
        policy(EXAMPLE).check(signed("X1", "X3", "Y2") + bad)


def test_a_witness_that_signed_twice_is_one_witness_and_its_later_time_stands() -> None:
    twice = signed("X1", time=9) + WITNESSES["X1"].sign(TREE.text.encode(), 5).line().encode()
    assert policy(LOG_LINE + W1 + "quorum X1\n").check(twice).witnesses == {"X1": 9}


def test_the_fixed_vector() -> None:
    _, log, witness = SIGNED_8.split("— ")
    keys = "log vault.example/log1+1072c9b4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4 https://vault.example/\n" + (
        "witness w1 witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4 https://witness.example/\n"
    )
    found = policy(keys + "quorum w1\n")
    assert found.check(SIGNED_8.encode()).witnesses == {"w1": 1_700_000_000}
    assert (found.logs[0].url, found.witnesses["w1"].url) == ("https://vault.example/", "https://witness.example/")
    for without in (log, witness):
        with pytest.raises(Unproven):
            found.check(SIGNED_8.replace(f"— {without}", "").encode())


@pytest.mark.parametrize(
    "text",
    [
        "quorum none\n",
        "quorum none",
        "\n# comment\n\t # another\n\t" + W1.replace(" ", " \t ").strip() + "   https://a.example/  \n\n quorum\tX1",
        W1.replace("X1", "all", 1) + W2.replace("X2", "any", 1) + "group group 2 all any\nquorum group\n",
        W1.replace("X1", "log", 1) + "group 1 1 log\nquorum 1\n",
    ],
)
def test_what_the_standard_allows_is_read(text: str) -> None:
    assert policy(text).quorum


def test_names_are_octets() -> None:
    line = f" {WITNESSES['X1'].verifier}\n".encode()
    for name, other in [(b"K", b"\xe2\x84\xaa"), (b"\x80", b"\x81"), (b"\xc3\xa9", b"e\xcc\x81")]:
        assert Policy.parse(b"witness " + name + line + b"quorum " + name).quorum
        with pytest.raises(Malformed):
            Policy.parse(b"witness " + name + line + b"quorum " + other)
    nbsp = b"\xc2\xa0"  # a space to Unicode, and a name here
    assert Policy.parse(b"witness " + nbsp + line + b"quorum " + nbsp).is_quorum(["\u00a0"])


DUPLICATE = SigningKey("impostor.example", COSIGNATURE, b"X1" * 16).verifier
PLAIN = SigningKey("X1.example", ED25519, b"X1" * 16).verifier


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "# quorum none\n", "quorum none\n\x01", "quorum none\r\n", "quorum none\x0b", "quorum none\x7f",
        "quibble w1\nquorum none\n", "Quorum none\n", "quorum\n", "quorum none none\n", "quorum none # comment\n",
        "quorum none\nquorum none\n", "quorum X1\n", f"quorum X1\n{W1}", W1, f"{W1}quorum x1\n",
        "log\nquorum none\n", "log garbage\nquorum none\n", f"{LOG_LINE}{LOG_LINE}quorum none\n",
        f"log {PLAIN} a b\nquorum none\n", f"log {WITNESSES['X1'].verifier}\nquorum none\n",
        f"witness X1\n{W1}quorum none\n", f"witness w {PLAIN}\nquorum none\n",
        f"{W1.strip()} url # comment\nquorum none\n",
        W1.replace("X1", "none", 1) + "quorum none\n", f"{W1}{W2.replace('X2', 'X1', 1)}quorum none\n",
        f"{W1}witness w {DUPLICATE}\nquorum none\n", f"{W1}{W1.replace('X1', 'w', 1)}quorum none\n",
        f"{W1}group X1 any X1\nquorum none\n", f"{W1}group g 1\nquorum none\n", f"{W1}group none any X1\nquorum none\n",
        f"{W1}group g 0 X1\nquorum g\n", f"{W1}group g -1 X1\nquorum g\n", f"{W1}group g 2 X1\nquorum g\n",
        f"{W1}group g 01 X1\nquorum g\n", f"{W1}group g +1 X1\nquorum g\n", f"{W1}group g {'9' * 5000} X1\nquorum g\n",
        f"{W1}group g any X2\nquorum g\n", f"group g any X1\n{W1}quorum g\n", f"{W1}group g any none X1\nquorum g\n",
        f"{W1}group g any X1 X1\nquorum g\n", f"{W1}{W2}group g any X1 X2\ngroup h any X1\nquorum g\n",
        f"{W1}group g any g\nquorum g\n", f"{W1}group g any X1\ngroup g any X1\nquorum g\n", "#" * 1_000_001,
    ],
)  # fmt: skip
def test_what_the_standard_forbids_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        policy(text)


def test_a_problem_names_its_line() -> None:
    with pytest.raises(Malformed, match="line 3 of the policy"):
        policy(f"# one\n{W1}group g 2 X1\nquorum g\n")


@given(BYTES)
def test_hostile_policies_raise_nothing_else(data: bytes) -> None:
    for tried in (data, EXAMPLE.encode() + data, b"witness " + data, b"group g " + data, b"quorum " + data):
        with suppress(Malformed):
            Policy.parse(tried).is_quorum([])


@given(BYTES)
def test_hostile_checkpoints_raise_nothing_else(data: bytes) -> None:
    for tried in (data, signed() + data, SIGNED_8.encode()[:50] + data):
        with suppress(Malformed, Unproven):
            policy(EXAMPLE).check(tried)


def test_thirty_two_of_each_and_deep_groups_are_no_trouble() -> None:
    keys = [SigningKey(f"w{at}.example", COSIGNATURE, bytes([at]) * 32).verifier for at in range(64)]
    text = "".join(f"witness w{at} {key}\n" for at, key in enumerate(keys)) + "group g0 1 w0\n"
    text += "".join(f"group g{at} all g{at - 1} w{at}\n" for at in range(1, 64)) + "quorum g63\n"
    names = [f"w{at}" for at in range(64)]
    assert policy(text).is_quorum(names)
    assert not any(policy(text).is_quorum(set(names) - {name}) for name in names[::9])


def test_a_key_of_another_kind_is_refused_with_its_number() -> None:
    """ML-DSA-44 (0x06) is not spoken: a policy that asks for it must say so, not pass it over."""
    key = inbase64(b"\x06" + b"k" * 1312)
    with pytest.raises(Malformed, match="0x06"):
        VerifierKey.parse(f"w.example+00000000+{key}")
