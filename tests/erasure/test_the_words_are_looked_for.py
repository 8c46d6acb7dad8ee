"""An order with a search looks, while the words are still known, for what it erased; its certificate says numbers."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.erasure import services as erasure
from apps.erasure import tasks
from apps.erasure.residue import Limits
from apps.memories import services as memories
from apps.policy.erasing import Order, Residue, Where
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Vault
from tests.drivers import Http
from vault.clock import utc_now

WORDS = "The spare key hangs behind the third beehive"


@pytest.fixture
def state(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance with servers of its own that keeps its files here."""
    for name in ("app", "sock"):
        (tmp_path / name).mkdir()
    settings.STATE_DIR, settings.BASE_DIR, settings.MEDIA_ROOT = tmp_path / "app", tmp_path / "checkout", ""
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", str(tmp_path / "sock"))
    return tmp_path / "app"


def told(vault: Vault, value: str = WORDS) -> Where:
    """A memory that says so, to be erased."""
    made = memories.add(vault.holder, label="Where the key is", value=value, now=utc_now())
    assert not isinstance(made, Refused)
    return Where(ids=frozenset({made.memory_id}))


def searched(vault: Vault, where: Where) -> dict[str, Any]:
    """What the certificate says of looking for it."""
    done = erasure.order_and_search(vault.holder, where, utc_now())
    assert isinstance(done, Order) and done.certified and not done.searching
    assert WORDS not in done.certificate.decode()
    found: dict[str, Any] = json.loads(done.certificate)["residue"]
    return found


def test_nothing_is_left_of_it(alice: Vault, state: Path) -> None:
    (state / "a.log").write_text("Nothing of that")
    found = searched(alice, told(alice))
    assert (found["result"], found["files"], found["unopened"]) == (Residue.CLEAN, 1, 0)


def test_a_copy_is_counted_and_never_quoted(alice: Vault, state: Path) -> None:
    (state / "a.log").write_text(f"once {WORDS} and twice {WORDS}")
    found = searched(alice, told(alice))
    assert (found["result"], found["plain"]) == (Residue.FOUND, 2)


def test_what_cannot_be_opened_is_never_clean(alice: Vault, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (state / "a.log").write_bytes(b"x" * 100)
    (state / "b.log").write_bytes(b"x" * 100)
    few = Limits(read=150)
    monkeypatch.setattr("apps.erasure.services.searching.LIMITS", few)
    found = searched(alice, told(alice))
    assert (found["result"], found["files"], found["bytes_read"], found["unopened"]) == (Residue.PARTLY, 1, 100, 1)
    monkeypatch.setattr("apps.erasure.services.searching.LIMITS", Limits(seconds=0))
    found = searched(alice, told(alice))
    assert (found["result"], found["files"], found["unopened"]) == (Residue.PARTLY, 0, 2)


def test_a_server_elsewhere_is_a_place_that_was_not_opened(alice: Vault, tmp_path: Path, settings: Any) -> None:
    settings.STATE_DIR = settings.BASE_DIR = tmp_path
    found = searched(alice, told(alice))
    assert (found["result"], found["unopened"]) == (Residue.PARTLY, 2)


def test_words_too_short_to_be_looked_for_are_said(alice: Vault, state: Path) -> None:
    assert searched(alice, told(alice, "No"))["result"] == Residue.PARTLY


def test_words_of_an_older_version_are_not_looked_for(alice: Vault, state: Path) -> None:
    where = told(alice)
    (memory_id,) = where.ids
    memories.correct(alice.holder, memory_id, value="It hangs in the shed by now", now=utc_now())
    (state / "a.log").write_text(WORDS)
    assert searched(alice, where)["result"] == Residue.CLEAN


def test_the_look_before_is_stamped_and_comes_before_the_order(alice: Vault, state: Path) -> None:
    before = len(alice.receipts())
    searched(alice, told(alice))
    kinds = [each.kind for each in alice.receipts()][before:]
    assert kinds == ["memory.added", "value.shown", "erasure.ordered", "memory.erased", "erasure.certified"]


def test_what_is_refused_is_not_looked_at(alice: Vault, state: Path) -> None:
    before = len(alice.receipts())
    where = Where(subjects=frozenset({memories.memories(alice.holder)[0].subject}))
    assert erasure.order_and_search(alice.holder, where, utc_now()) == Refused(Refusal.STALE, "/plan")
    assert len(alice.receipts()) == before


def test_under_a_legal_hold_nothing_is_looked_at(alice: Vault, state: Path) -> None:
    where, until = Where(ids=frozenset({alice.ids["time"]})), utc_now() + timedelta(days=3)
    erasure.place(alice.id, "The district court", "Case 12", until, utc_now())
    before = len(alice.receipts())
    assert erasure.order_and_search(alice.holder, where, utc_now()) == Refused(Refusal.LEGAL_HOLD, until=until)
    assert len(alice.receipts()) == before


def test_more_than_somebody_waits_for_is_no_search(alice: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.erasure.services.searching.MOST_SEARCHED", 1)
    where = Where(ids=frozenset({alice.ids["time"], alice.ids["kitchen"]}))
    with pytest.raises(TextProblem, match="2 memories; at most 1"):
        erasure.order_and_search(alice.holder, where, utc_now())
    assert memories.memory(alice.holder, alice.ids["time"]) is not None


def test_whoever_falls_while_looking_leaves_it_to_the_clock(alice: Vault, admin: Any) -> None:
    left = erasure.order(alice.holder, told(alice), utc_now(), search=True)
    assert isinstance(left, Order) and left.searching and not left.certified
    late = "UPDATE erasure_order SET touched_at = now() - %s * interval '1 minute' WHERE order_id = %s"
    admin.execute(late, [14, left.order_id])
    tasks.sweep()
    waiting = erasure.erasure(alice.holder, left.order_id)
    assert waiting is not None and not waiting.certified, "somebody may still be looking"
    admin.execute(late, [16, left.order_id])
    tasks.sweep()
    done = erasure.erasure(alice.holder, left.order_id)
    assert done is not None and done.certified and not done.searching
    assert json.loads(done.certificate)["residue"]["result"] == Residue.NOT_SEARCHED


def test_over_rest_it_is_looked_for_as_well(alice: Vault, state: Path) -> None:
    (state / "a.log").write_text(f"once {WORDS}")
    (memory_id,) = told(alice).ids
    body = {"memories": [f"mem_{memory_id.hex}"], "search": True}
    http = Http(holder=alice.holder)
    made = http.send("POST", "erasures", body)
    assert made.status_code == 201 and WORDS not in made.content.decode()
    residue = http.call("GET", f"erasures/{made.json()['id']}/certificate")["certificate"]["residue"]
    assert (residue["result"], residue["plain"]) == (Residue.FOUND, 1)
