"""Cases of certificates of erasures: whole ones, and each member changed to what could stand there or could not."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.ledger.corpus.cases import (
    ALTERED,
    CANT,
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
from tests.ledger.files import (
    ALICE,
    BOB,
    CERTIFIES,
    VALUE,
    carols_receipt,
    certificate_file,
    certificate_file_before,
    written,
)


def certificates() -> Iterator[Json]:
    file, waiting = certificate_file(), certificate_file(pinned=False)
    yield case("a certificate, with the log's key", file, INTACT)
    yield case("a certificate that was cosigned", certificate_file(witnesses=2), INTACT)
    yield case("the same on one line, members sorted", json.dumps(file, sort_keys=True), INTACT)
    yield case("a certificate without any key", file, UNCHECKED, keys=())
    yield case("a certificate, another log's key known", file, UNKNOWN, keys=OTHERS)
    yield case("a certificate of another vault", file, UNKNOWN, vault=ALICE)
    yield case("a certificate of the vault it should be of", file, INTACT, vault=file["certificate"]["vault"])
    yield case("a certificate not yet in the log", waiting, UNCHECKED, keys=())
    yield case("the same, and a key is asked for", waiting, CANT)
    yield case("a certificate and a value", file, OTHER, "opening[0]", openings=(VALUE.to_bytes().decode(),))
    for part in ("certificate", "receipt"):
        newer = re.sub(r"/\d+$", "/9", file[part]["format"])
        yield case(f"a newer {part}", with_(file, f"{part}.format", newer), CANT)
        yield case(
            f"a {part} of another format", with_(file, f"{part}.format", "muniment-fork/1"), ALTERED, f"{part}.format"
        )
        bare = with_(file, part, without(file[part], "format"))
        yield case(f"a {part} without its format", bare, ALTERED, f"{part}.format")
        for other in (None, [], "x", 1):
            yield case(f"{part} is {other!r}", with_(file, part, other), ALTERED, part)
        yield case(f"a certificate's file without {part}", without(file, part), ALTERED, part)
    before = certificate_file_before()
    yield case("a certificate in the format before this one", before, INTACT)
    newest = with_(before, "certificate.format", file["certificate"]["format"])
    yield case("the same, said to be in the newest", newest, ALTERED, "certificate.not_overwritten")
    older = with_(file, "certificate.format", before["certificate"]["format"])
    yield case("a certificate said to be in the format before", older, ALTERED, "certificate.not_overwritten")
    yield case(
        "the same with another's limits",
        with_(before, "certificate.limits", file["certificate"]["limits"]),
        ALTERED,
        "certificate.limits",
    )
    yield case("a certificate's file with a member more", {**file, "why": "x"}, ALTERED, "why")
    text = written(file).decode()
    yield case("a certificate cut off", text[:-3], ALTERED, "file")
    yield case("a certificate with a number twice", text.replace('"kept": 0', '"kept": 0, "kept": 0'), ALTERED, "file")


# Of each member: another that could stand there, and ones that could not. Which of the first kind was changed is told
# where the receipt names it too; otherwise the hash tells only that one was.
ELSEWISE: dict[str, tuple[Any, str, tuple[Any, ...]]] = {
    "vault": (BOB, "certificate.vault", (BOB[:-1], BOB.upper(), 1)),
    "order": ("ord_" + "0" * 32, "certificate.order", ("ord_1", "mem_" + "0" * 32, None)),
    "basis": ("wish", "certificate", ("Wish", "", "consent_withdrawn", True)),
    "made_at": ("2025-01-01T00:00:02.000000Z", "certificate", ("2025-01-01", "2025-01-01T00:00:02Z", 0)),
    "done_at": ("2027-01-01T00:00:02.000000Z", "certificate", ("today", "2027-01-01T00:00:02.000000+00:00", None)),
    "derived": ("keep", "certificate", ("", "keeps", [])),
    "memories": (1, "certificate", (-1, 2**53, "2", True, None)),
    "kept": (1, "certificate", (-1, 2**53, "0", False, None)),
    "still_held": (0, "certificate", (-1, 2**53, "1", True, None)),
    "horizon_days": (1, "certificate", (-1, 2**53, "14", True, None)),
    "not_overwritten": (0, "certificate", (-1, 2**53, "2", True, None)),
    "whole_vault": (True, "certificate", ("false", 0, None)),
    "residue.result": ("clean", "certificate", ("CLEAN", "", 1)),
    **{
        f"residue.{name}": (7, "certificate", (-1, 2**53, "0", False, None))
        for name in ("live", "unreclaimed", "plain", "files", "bytes_read", "unopened")
    },
    "residue": ({"result": "clean"}, "certificate.residue.live", ([], "clean", None)),
    "counts": ({"keys": 3}, "certificate", ([], 3, None)),
    "coverage": (["memory"], "certificate", ("memory", {}, None, ["turn", "memory"], ["memory", "memory"])),
    "limits": ([], "certificate.limits", ("none", None, ["It shows everything."])),
}


def altered_certificates() -> Iterator[Json]:
    file = certificate_file(witnesses=1)
    for name, (other, where, never) in ELSEWISE.items():
        place = f"certificate.{name}"
        yield case(f"{place} is another", with_(file, place, other), ALTERED, where)
        for number, value in enumerate(never):
            yield case(f"{place} is none, {number}", with_(file, place, value), ALTERED, place)
    for name in without(file["certificate"], "format"):
        bare = with_(file, "certificate", without(file["certificate"], name))
        yield case(f"a certificate without {name}", bare, ALTERED, f"certificate.{name}")
    more = with_(file, "certificate.note", "all clear")
    yield case("a certificate with a member more", more, ALTERED, "certificate.note")
    for name in ("Keys", "1", "", "key\n"):
        counts = with_(file, "certificate.counts", {name: 1})
        yield case(f"a count of {name!r}", counts, ALTERED, f"certificate.counts.{name}")
    for count in (-1, "3", None, True):
        counts = with_(file, "certificate.counts.keys", count)
        yield case(f"a count that is {count!r}", counts, ALTERED, "certificate.counts.keys")
    for place in ("Memory", "", 3):
        places = with_(file, "certificate.coverage.0", place)
        yield case(f"a place called {place!r}", places, ALTERED, "certificate.coverage[0]")
    for name in ("kind", "object", "commitment"):
        said = with_(file, f"receipt.receipt.{name}", "-")
        yield case(f"the receipt's {name} is another", said, ALTERED, "receipt.receipt")
    for name in ("digest", "chain_hash"):
        changed = with_(file, f"receipt.{name}", turned(file["receipt"][name]))
        yield case(f"the receipt's {name} is another", changed, ALTERED, f"receipt.{name}")
    for name in ("segment", "leaf", "proof", "keys", "limits"):
        bare = with_(file, "receipt", without(file["receipt"], name))
        yield case(f"a certificate whose receipt has no {name}", bare, ALTERED, f"receipt.{name}")
    beside = {**file, "receipt": carols_receipt(CERTIFIES + 1)}
    yield case("a certificate beside another receipt that holds", beside, ALTERED, "receipt.receipt.kind")
