"""Erasure leaves no value anywhere we look: a word of every sort that was kept about a memory is in no row, on no
surface and in no file of the server afterwards.

Protects the holder from a `delete` that only says it was done.
"""

import gzip
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.erasure.residue import search
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.types import AccessRequest, Asked, Proposal, Refused
from apps.policy.vocabulary import Directive
from apps.turns import services as turns
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, canary, give
from tests.drivers import Http
from tests.erasing import erase, rows_with
from vault.clock import utc_now

WORDS = "old value label again why source suggested said rationale evidence reason person asked note".split()
SEALED = {"old", "value", "said", "asked"}  # in clear nowhere, not before either


def keep(vault: Vault, cook: Assistant) -> tuple[UUID, dict[str, str]]:
    """A memory about which something was said in every column there is; and the words."""
    now, words = utc_now(), {each: canary() for each in WORDS}
    memory_id = vault.keep("gone", words["old"], words["label"], source=words["source"])
    said = {"label": words["again"], "why": words["why"]}
    assert not isinstance(memories.correct(vault.holder, memory_id, value=words["value"], now=now, **said), Refused)
    person = naming.name(vault.holder, EntityKind.PERSON, words["person"], now)
    linking.draw(vault.holder, EdgeKind.ABOUT, memory_id, person.entity_id, now)
    wish = access.ask(cook.caller, [Asked(memory_id)], purpose=PURPOSE, purpose_note=words["note"], now=utc_now())
    assert isinstance(wish, AccessRequest), wish
    give(cook, "gone")
    assert cook.read("gone").released
    for value, label in ((words["said"], words["suggested"]), (canary(), canary())):
        made = access.propose(
            cook.caller,
            directive=Directive.CORRECT,
            target=memory_id,
            derived_from=[],
            label=label,
            value=value,
            rationale=words["rationale"],
            evidence=[words["evidence"]],
            now=utc_now(),
        )
        assert isinstance(made, Proposal), made
    memories.reject(vault.holder, made.proposal_id, reason=words["reason"], now=utc_now())
    asked = turns.ask(vault.holder, f"{QUESTION} {words['asked']} {words['again']}", utc_now())
    touched = {each.memory_id for each in asked.items}
    assert memory_id in touched, "the control: the question is about it"
    return memory_id, words


def test_no_row_says_a_word_of_it(alice: Vault, cook: Assistant, admin: Any) -> None:
    _, words = keep(alice, cook)
    before = rows_with(admin, words)
    assert set(before) == set(WORDS) - SEALED, "the control: everything that is not sealed is found"
    erase(alice, "gone")
    assert rows_with(admin, words) == {}


def test_no_surface_says_a_word_of_it(alice: Vault, cook: Assistant, admin: Any) -> None:
    memory_id, words = keep(alice, cook)
    holder, client = Http(holder=alice.holder), Http(cook.key)
    paths = (
        "memories",
        f"memories/{alice.mem('gone')}",
        f"memories/{alice.mem('gone')}/history",
        f"memories/{alice.mem('gone')}/provenance",
        "proposals",
        "entities",
        "erasures",
        "receipts",
        "turns",
    )
    asked = f"{words['value']} {words['again']}"
    assert memory_id in dict(memories.search(alice.id, alice.holder.actor, asked, 50)), "the control"
    before = str([holder.call("GET", path) for path in paths])
    assert words["again"] in before and words["person"] in before, "the control"
    erase(alice, "gone")
    after = str([holder.call("GET", path) for path in paths]) + str(
        [client.call("GET", path) for path in ("subjects", "proposals", f"memories/{alice.mem('gone')}")]
    )
    assert not [name for name, word in words.items() if word in after]
    assert memory_id not in dict(memories.search(alice.id, alice.holder.actor, asked, 50))
    for table in ("search_term", "search_doc", "search_candidate"):  # search would not tell of it, and holds nothing
        assert not admin.execute(f"SELECT FROM sealed.{table} WHERE memory_id = %s", [memory_id]).fetchall(), table


@pytest.mark.usefixtures("socket_enabled")
def test_no_file_of_the_server_says_what_it_said(alice: Vault, cook: Assistant, admin: Any, tmp_path: Path) -> None:
    """The values, in every form, in everything that the server writes: pages, the write-ahead log, its own log."""
    _, words = keep(alice, cook)
    erase(alice, "gone")
    admin.execute("CHECKPOINT")
    data = Path(admin.execute("SELECT current_setting('data_directory')").fetchone()[0])
    (tmp_path / "planted.log.gz").write_bytes(gzip.compress(words["value"].upper().encode()))
    secrets = [words[each] for each in sorted(SEALED - {"asked"})]
    report = search([data / "base", data / "pg_wal", data.parent, tmp_path], secrets)
    assert {Path(each.path).name.partition("!")[0].split(":")[0] for each in report.findings} == {"planted.log.gz"}, (
        "the control is found, in other letters and packed, and nothing else"
    )
