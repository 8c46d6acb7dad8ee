"""The corpus: files, what the one who checks them knows, and the answer that every verifier of ours must give.

    python -m tests.ledger.corpus.make

writes `files.jsonl` beside this file, always the same bytes. A line is a JSON object:

    name      what the file is, in words
    file      its text
    keys      the vkeys that the caller already had
    policy    the text of their tlog-policy, or null
    vault     whose ledger it should be (`vlt_…`), or null
    openings  openings' files, as texts
    verdict   as `--json` has it
    where     where the findings are, in order; empty where there is none

The answers are written down here by hand, not taken from a verifier.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from apps.ledger.format.fork import Fork
from apps.ledger.format.receipt_file import LIMITS, UNPINNED
from apps.ledger.format.strict import inbase64
from tests.ledger.corpus.cases import (
    ALTERED,
    CANT,
    FORK,
    INTACT,
    OTHER,
    OTHERS,
    UNCHECKED,
    UNKNOWN,
    Json,
    case,
    turned,
    with_,
    without,
)
from tests.ledger.corpus.certificates import altered_certificates, certificates
from tests.ledger.files import (
    ALICE,
    BOB,
    ENTRIES,
    FORKED,
    LOG_KEY,
    OTHER_LOG_KEY,
    QUORUM_OF_TWO,
    VALUE,
    WITNESSES,
    nodes_of,
    receipt_file,
    signed,
    written,
)

CORPUS = Path(__file__).with_name("files.jsonl")


def intact() -> Iterator[Json]:
    file, late, first = receipt_file(), receipt_file(seq=8, witnesses=2), receipt_file(seq=1)
    yield case("a receipt, with the log's key", file, INTACT)
    yield case("the vault's first receipt", first, INTACT)
    yield case("a receipt that is its leaf's own, with two witnesses", late, INTACT)
    yield case("the same on one line, members sorted", json.dumps(late, sort_keys=True), INTACT)
    yield case("the same under a policy of two of three", late, INTACT, keys=(), policy=QUORUM_OF_TWO)
    yield case("a file of the vault it should be of", file, INTACT, vault=ALICE)
    yield case("a receipt without any key", file, UNCHECKED, keys=())
    yield case("under a policy that names no log", late, UNCHECKED, keys=(), policy="quorum none\n")
    yield case("a witness's key alone is known", late, UNCHECKED, keys=(str(WITNESSES[0].verifier),))
    yield case("not yet in the log, nothing known", receipt_file(seq=9, pinned=False), UNCHECKED, keys=())


def not_theirs() -> Iterator[Json]:
    file, one = receipt_file(), receipt_file(seq=8, witnesses=1)
    yield case("another log's key is known", file, UNKNOWN, keys=(str(OTHER_LOG_KEY.verifier),))
    yield case("signed by another key under the log's name", receipt_file(log=OTHER_LOG_KEY), UNKNOWN)
    yield case("one witness where two are asked for", one, UNKNOWN, policy=QUORUM_OF_TWO)
    yield case("no witness where two are asked for", file, UNKNOWN, policy=QUORUM_OF_TWO)
    yield case("of another vault", receipt_file(BOB, 2), UNKNOWN, vault=ALICE)
    yield case("a log's key is asked for, and nothing is signed yet", receipt_file(seq=9, pinned=False), CANT)
    yield case("the same under a policy", receipt_file(seq=9, pinned=False), CANT, keys=(), policy=QUORUM_OF_TWO)


def other_kinds() -> Iterator[Json]:
    file = receipt_file()
    yield case("a newer format", with_(file, "format", "muniment-receipt-file/2"), CANT)
    yield case("no format", without(file, "format"), CANT)
    yield case("a format that is a number", with_(file, "format", 1), CANT)
    yield case("somebody else's JSON", '{"format": "sigsum/1"}', CANT)
    yield case("nothing", "", CANT)
    yield case("words", "Dear auditor, all is well.\n", CANT)
    yield case("a list", "[]", CANT)
    yield case("a number", "1e400", CANT)


def altered_members() -> Iterator[Json]:
    file = receipt_file(witnesses=2)
    for name in ("actor", "category", "form", "kind", "object", "on_behalf_of", "purpose", "reason", "recipient"):
        yield case(f"receipt.{name} is another", with_(file, f"receipt.{name}", "x"), ALTERED, "receipt")
    for name in ("request", "turn", "v"):
        yield case(f"receipt.{name} is another", with_(file, f"receipt.{name}", "x"), ALTERED, "receipt")
    for name in ("commitment", "memory", "salt", "time", "vault"):
        said = file["receipt"][name]
        other = said.replace("2026", "2027") if name == "time" else turned(said)
        yield case(f"receipt.{name} is another", with_(file, f"receipt.{name}", other), ALTERED, "receipt")
        yield case(f"receipt.{name} is none", with_(file, f"receipt.{name}", said[:-1]), ALTERED, f"receipt.{name}")
    for name in ("seq", "version"):
        yield case(f"receipt.{name} is another", with_(file, f"receipt.{name}", 7), ALTERED, "receipt")
        for other in (-1, 2**53, "3", True, None):
            changed = with_(file, f"receipt.{name}", other)
            yield case(f"receipt.{name} is {other!r}", changed, ALTERED, f"receipt.{name}")
    yield case("receipt.seq is 0", with_(file, "receipt.seq", 0), ALTERED, "receipt.seq")
    yield case("a receipt with a member more", with_(file, "receipt.note", "-"), ALTERED, "receipt.note")
    yield case(
        "a receipt with a member less",
        with_(file, "receipt", without(file["receipt"], "turn")),
        ALTERED,
        "receipt.turn",
    )
    for name in ("digest", "chain_hash"):
        yield case(f"{name} is another", with_(file, name, turned(file[name])), ALTERED, name)
    changed = with_(file, "previous_chain_hash", turned(file["previous_chain_hash"]))
    yield case("previous_chain_hash is another", changed, ALTERED, "chain_hash")
    for name in ("digest", "chain_hash", "previous_chain_hash"):
        yield case(f"{name} in capitals", with_(file, name, file[name].upper()), ALTERED, name)
        yield case(f"{name} is cut off", with_(file, name, file[name][:-2]), ALTERED, name)
    for name in without(file, "format"):
        yield case(f"without {name}", without(file, name), ALTERED, name)
        yield case(f"{name} is null", with_(file, name, None), ALTERED, name)
    yield case("with a member more", {**file, "note": "certified"}, ALTERED, "note")
    yield case("with the log's word and its proof", {**file, "log": "not yet in the log"}, ALTERED, "segment")
    yield case("a limit less", with_(file, "limits", file["limits"][1:]), ALTERED, "limits")
    yield case("a limit in other words", with_(file, "limits.0", "It shows everything."), ALTERED, "limits")
    yield case("a limit that is a number", with_(file, "limits.0", 1), ALTERED, "limits[0]")


def altered_ties() -> Iterator[Json]:
    file = receipt_file(witnesses=2)
    for at, digest in enumerate(file["segment"]):
        yield case(f"segment[{at}] is another", with_(file, f"segment.{at}", turned(digest)), ALTERED, "segment")
        yield case(f"segment[{at}] is none", with_(file, f"segment.{at}", digest[2:]), ALTERED, f"segment[{at}]")
    one, two, *rest = file["segment"]
    yield case("a segment with one dropped", with_(file, "segment", [two, *rest]), ALTERED, "segment")
    yield case("a segment with one twice", with_(file, "segment", [one, one, two, *rest]), ALTERED, "segment")
    yield case("a segment out of order", with_(file, "segment", [two, one, *rest]), ALTERED, "segment")
    for name in ("tag", "chain_hash"):
        yield case(
            f"leaf.{name} is another", with_(file, f"leaf.{name}", turned(file["leaf"][name])), ALTERED, f"leaf.{name}"
        )
    yield case("leaf.seq is another", with_(file, "leaf.seq", 7), ALTERED, "leaf.seq")
    yield case("leaf.seq is 0", with_(file, "leaf.seq", 0), ALTERED, "leaf.seq")
    yield case("leaf.index is another", with_(file, "leaf.index", 4), ALTERED, "leaf.index")
    changed = with_(file, "leaf.pseudonym_key", turned(file["leaf"]["pseudonym_key"]))
    yield case("leaf.pseudonym_key is another", changed, ALTERED, "leaf.pseudonym_key")
    yield case("a leaf with a member more", with_(file, "leaf.vault", ALICE), ALTERED, "leaf.vault")
    proof = file["proof"]
    at = proof.index("\n\n") + 2
    yield case(
        "the proof's index is another", with_(file, "proof", proof.replace("index 5", "index 4")), ALTERED, "leaf.index"
    )
    yield case("the proof is of another version", with_(file, "proof", proof.replace("@v1", "@v2")), ALTERED, "proof")
    other = proof.replace("index 5\n", f"index 5\n{inbase64(b'h' * 32)}\n")
    yield case("the proof has a hash more", with_(file, "proof", other), ALTERED, "proof")
    other = proof.replace("index 5\n", "extra AAAA\nindex 5\n")
    yield case("the proof bears what nobody vouches for", with_(file, "proof", other), ALTERED, "proof")
    yield case(
        "the checkpoint is of another size", with_(file, "proof", proof.replace("\n11\n", "\n12\n")), ALTERED, "proof"
    )
    yield case("the log's signature is gone", with_(file, "proof", _less(proof, 2)), ALTERED, "keys." + _id(file, 0))
    yield case("a witness's signature is gone", with_(file, "proof", _less(proof, 3)), ALTERED, "keys." + _id(file, 1))
    changed = with_(file, "proof", proof[:at] + signed(ENTRIES[:10], 2).decode())
    yield case("an older checkpoint under the same hashes", changed, ALTERED, "proof")
    yield case("a checkpoint of a forked history", receipt_file(entries=FORKED), INTACT)
    keys = file["keys"]
    for at in range(3):
        name = _id(file, at)
        yield case(f"key {at} is not listed", with_(file, "keys", without(keys, name)), ALTERED, "keys")
        changed = with_(file, "keys", {**keys, name: str(OTHER_LOG_KEY.verifier)})
        yield case(f"key {at} is another", changed, ALTERED, f"keys.{name}")
    other_id = f"{OTHER_LOG_KEY.verifier.key_id:08x}"
    changed = with_(file, "keys", {**keys, other_id: str(OTHER_LOG_KEY.verifier)})
    yield case("a key is listed that has not signed", changed, ALTERED, f"keys.{other_id}")


def _id(file: Json, at: int) -> str:
    return list(file["keys"])[at]


def _less(proof: str, line: int) -> str:
    """The proof with one signature less: the last empty line is line 1, and they follow it."""
    head, _, lines = proof.rpartition("\n\n")
    kept = lines.splitlines(keepends=True)
    return f"{head}\n\n{''.join(kept[: line - 2] + kept[line - 1 :])}"


def exchanged() -> Iterator[Json]:
    """Parts of two files that each hold."""
    file, near, theirs = receipt_file(), receipt_file(seq=4), receipt_file(BOB, 3)
    link = ("receipt", "digest", "chain_hash", "previous_chain_hash")
    for name in link:
        where = {"previous_chain_hash": "chain_hash"}.get(name, name)
        yield case(f"the {name} of the next receipt", with_(file, name, near[name]), ALTERED, where)
        yield case(f"the {name} of another vault", with_(file, name, theirs[name]), ALTERED, where)
    yield case(
        "all of the next receipt but its ties", {**file, **{name: near[name] for name in link}}, ALTERED, "segment"
    )
    yield case(
        "all of another vault's receipt but its ties",
        {**file, **{name: theirs[name] for name in link}},
        ALTERED,
        "leaf.pseudonym_key",
    )
    yield case(
        "the ties of another vault's receipt",
        {**theirs, **{name: file[name] for name in link}},
        ALTERED,
        "leaf.pseudonym_key",
    )
    yield case("another vault's leaf", with_(file, "leaf", theirs["leaf"]), ALTERED, "leaf.index")
    yield case("another vault's proof", with_(file, "proof", theirs["proof"]), ALTERED, "leaf.index")
    yield case("the next receipt's segment", with_(file, "segment", near["segment"]), ALTERED, "segment")
    bare = {**file, "log": "not yet in the log", "limits": [*LIMITS, UNPINNED]}
    for name in ("segment", "leaf", "proof", "keys"):
        del bare[name]
    yield case("its ties were taken away", bare, CANT)
    yield case("and its log says something else", with_(bare, "log", "in the log"), ALTERED, "log")
    yield case("and its limit was taken away too", with_(bare, "limits", list(LIMITS)), ALTERED, "limits")


def hostile() -> Iterator[Json]:
    text = written(receipt_file()).decode()
    begin = '{\n  "format": "muniment-receipt-file/1",'
    assert text.startswith(begin)
    yield case(
        "a member twice", text.replace(begin, begin + '\n  "format": "muniment-receipt-file/1",'), ALTERED, "file"
    )
    yield case("a member of the receipt twice", text.replace('"seq": 3', '"seq": 4, "seq": 3', 1), ALTERED, "file")
    yield case("a number with a fraction", text.replace('"seq": 3', '"seq": 3.0', 1), ALTERED, "file")
    yield case("a number with an exponent", text.replace('"seq": 3', '"seq": 3e0', 1), ALTERED, "file")
    yield case("not a number", text.replace('"seq": 3', '"seq": NaN', 1), ALTERED, "file")
    yield case("without end", text.replace('"seq": 3', '"seq": -Infinity', 1), ALTERED, "file")
    yield case("a number of five thousand digits", text.replace('"seq": 3', f'"seq": {"9" * 5000}', 1), ALTERED, "file")
    yield case("minus nought", text.replace('"version": 1', '"version": -0', 1), ALTERED, "file")
    yield case("cut off", text[:-3], ALTERED, "file")
    yield case("something after it", text + "{}", ALTERED, "file")
    yield case("a comma too many", text[:-2] + ",\n}", ALTERED, "file")
    yield case("half a letter", text.replace('"reason": "-"', '"reason": "\\ud800"'), ALTERED, "file")
    yield case("nested without end", text.replace('"segment": [', '"segment": [' + "[" * 10_000, 1), ALTERED, "file")
    yield case("lists within lists", "[" * 10_000, CANT)
    yield case("a byte order mark", "\ufeff" + text, ALTERED, "file")


def openings() -> Iterator[Json]:
    opening = VALUE.to_bytes().decode()
    yield case("a value that the receipt is of", receipt_file(), INTACT, openings=(opening,))
    yield case("the same, without the log's key", receipt_file(), UNCHECKED, keys=(), openings=(opening,))
    yield case("a receipt of something else", receipt_file(seq=4), OTHER, "opening[0]", openings=(opening,))
    for name, other in {
        "value": VALUE.value + " ",
        "key": b"k" * 32,
        "version": 2,
        "category": "health",
        "attested": True,
        "memory": turned(VALUE.memory),
        "vault": BOB,
    }.items():
        changed = replace(VALUE, **{name: other}).to_bytes().decode()
        yield case(f"another {name}", receipt_file(), OTHER, "opening[0]", openings=(changed,))
    yield case("two openings, one of another value", receipt_file(), OTHER, "opening[1]", openings=(opening, changed))
    yield case(
        "another value, the log's key not known", receipt_file(), OTHER, "opening[0]", keys=(), openings=(changed,)
    )
    yield case("another value, another log's key", receipt_file(), UNKNOWN, keys=OTHERS, openings=(changed,))
    yield case("an opening where a receipt's file belongs", opening, CANT)
    broken = opening.replace('"key": "', '"key": "0')
    yield case("an opening with a key too long", receipt_file(), CANT, "opening[0].key", openings=(broken,))
    yield case("no opening at all", receipt_file(), CANT, "opening[0]", openings=("the frying pan",))
    yield case("nothing for an opening", receipt_file(), CANT, "opening[0]", openings=("",))
    shown = json.dumps({"values": [], "openings": [json.loads(opening)]})
    yield case("an answer that holds an opening", receipt_file(), CANT, "opening[0].format", openings=(shown,))
    two = ("the frying pan", changed)
    yield case("no opening, and another value", receipt_file(), OTHER, "opening[0]", "opening[1]", openings=two)


def forks() -> Iterator[Json]:
    same = Fork.make(LOG_KEY.verifier, signed(ENTRIES[:9]), signed(FORKED[:9]))
    grown = Fork.make(LOG_KEY.verifier, signed(ENTRIES), signed(FORKED, 1), nodes_of(FORKED))
    for name, fork in (("of one size", same), ("of two sizes", grown)):
        file = json.loads(fork.to_bytes())
        yield case(f"a fork {name}", fork.to_bytes().decode(), FORK)
        yield case(f"a fork {name}, no key known", file, FORK, keys=())
        yield case(f"a fork {name}, another key known", file, UNKNOWN, keys=OTHERS)
        yield case(f"a fork {name}, of another log", {**file, "log": str(OTHER_LOG_KEY.verifier)}, ALTERED, "first")
        for note in ("first", "second"):
            changed = file[note].replace("vault", "fault", 1)
            yield case(f"a fork {name}, {note} altered", {**file, note: changed}, ALTERED, note)
        for member in without(file, "format"):
            yield case(f"a fork {name} without {member}", without(file, member), ALTERED, member)
        yield case(f"a fork {name} with a member more", {**file, "why": "x"}, ALTERED, "why")
    two = json.loads(grown.to_bytes())
    yield case(
        "no fork: one checkpoint twice",
        {**json.loads(same.to_bytes()), "second": signed(ENTRIES[:9]).decode()},
        ALTERED,
        "second",
    )
    yield case("no fork: one history, two sizes", {**two, "second": signed(ENTRIES[:9]).decode()}, ALTERED, "root")
    honest = {**two, "first": signed(FORKED[:9]).decode(), "root": inbase64(b"r" * 32)}
    yield case("no fork: a root out of the air", honest, ALTERED, "root")
    yield case(
        "a fork with its notes exchanged", {**two, "first": two["second"], "second": two["first"]}, ALTERED, "root"
    )
    yield case(
        "a fork with a witness's signature on it", {**two, "second": signed(FORKED, 1).decode()}, ALTERED, "second"
    )
    yield case("a fork with a hash less", {**two, "hashes": two["hashes"][1:]}, ALTERED, "root")


PARTS: tuple[Callable[[], Iterator[Json]], ...] = (
    intact,
    not_theirs,
    other_kinds,
    altered_members,
    altered_ties,
    exchanged,
    hostile,
    openings,
    forks,
    certificates,
    altered_certificates,
)


def corpus() -> str:
    """The whole of it, as it stands in the file."""
    return "".join(json.dumps(each, sort_keys=True) + "\n" for part in PARTS for each in part())


if __name__ == "__main__":
    CORPUS.write_text(corpus())
