"""While somebody acts for another, no page takes them for the one it is about: what is the other's is never "yours",
and what they did is never what "you" did.
"""

import re
from datetime import timedelta
from html import unescape

import pytest

from apps.access import services as access
from apps.access.services import NO, Decision
from apps.policy.ids import typed, untyped
from apps.policy.types import Holder
from apps.policy.vocabulary import Category, Level, Role
from apps.web import deeds, words
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import Scene, furnish, text_of
from vault.clock import utc_now

OWN = (
    "Your own, in ",
    "This isn’t yours to do",
    "Not yours to do",
    "A vault of yours goes with you",
)  # what is the reader's, whomever they act for
TAKEN_FOR_THEM = re.compile(
    r"\byours?\b|\byou(’ve| have|r|) (said|allowed|had allowed|kept|keep|left|asked|rejected|handed|decided)\b",
    re.IGNORECASE,
)
TABLES = (
    words.CATEGORIES,
    words.PURPOSES,
    words.CLAIMS,
    words.STATES,
    words.PARTS,
    words.GRANTS,
    words.PROPOSALS,
    words.DIRECTIVES,
    words.DIRECTIVES_DONE,
    words.MARKS,
    words.SIDES,
    words.ENDED,
    words.LOOKS,
    words.CONTENTS,
    words.EDGES,
    words.ITEMS,
    words.ROLES,
    words.LEVELS,
)


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def said_on(page: str) -> str:
    """What a page says, to whoever reads it or has it read to them."""
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(text))


def taken_for_them(page: str) -> list[str]:
    text = said_on(page)
    for own in OWN:
        text = text.replace(own, "")
    return [text[max(0, each.start() - 40) : each.end() + 20] for each in TAKEN_FOR_THEM.finditer(text)]


def decided(scene: Scene) -> None:
    """A yes and a no, by the holder: so that there is something that was theirs to say."""
    wish, now = untyped("req", scene.wish), utc_now()
    assert wish is not None
    kitchen = untyped("mem", scene.home.kitchen)
    assert kitchen is not None
    yes = Decision(frozenset({kitchen}), now + timedelta(days=7), 5)
    access.decide(scene.holder, wish, {Category.ORDINARY: yes, Category.HEALTH: NO}, now)


@pytest.mark.parametrize("role", [Role.GUARDIAN, Role.DELEGATE])
@pytest.mark.parametrize("after", [False, True], ids=["waiting", "decided"])
def test_no_page_takes_who_acts_for_whom_it_is_about(scene: Scene, role: Role, after: bool) -> None:
    if after:
        decided(scene)
    rosa = newcomer("Rosa")
    client = at(acting(scene.holder, rosa, role))
    opened = 0
    for path in (*scene.pages(), f"/file/{scene.home.budget}", "/grants?x=1"):
        if path.startswith("/ledger.csv") or path.endswith(".receipt.json") or path == "/people/invite":
            continue
        answer = client.get(path, follow=True)
        opened += answer.status_code == 200
        assert taken_for_them(text_of(answer)) == [], path
    assert opened > 8


def test_nor_does_one_who_may_only_look(scene: Scene) -> None:
    client = at(acting(scene.holder, newcomer("Rosa"), Role.GUARDIAN, Level.VIEW))
    for path in ("/", "/file", f"/file/{scene.home.kitchen}", "/ledger", "/people", "/nowhere"):
        assert taken_for_them(text_of(client.get(path, follow=True))) == [], path


def test_nor_an_answer_to_a_press(scene: Scene) -> None:
    seat: Holder = acting(scene.holder, newcomer("Rosa"), Role.GUARDIAN)
    client, here = at(seat), {"seat": typed("vlt", seat.vault_id)}
    presses: tuple[tuple[str, dict[str, str]], ...] = (
        ("/file/show", {"memory": scene.home.kitchen}),
        ("/inbox/show", {"proposal": scene.proposal}),
        (f"/requests/{scene.wish}/decide", {"part": "health", "do": "deny"}),
        (f"/requests/{scene.wish}/decide", {"part": "health", "do": "deny"}),
        (f"/inbox/{scene.proposal}/reject", {}),
        (f"/inbox/{scene.proposal}/reject", {}),
        (f"/grants/{typed('cli', scene.home.client.client_id)}/pause", {"do": "pause"}),
        (f"/grants/{typed('cli', scene.home.client.client_id)}/pause", {"do": "resume"}),
        (f"/grants/{typed('cli', scene.home.client.client_id)}/stop", {}),
    )
    for path, fields in presses:
        answer = client.post(path, {**here, **fields}, follow=True)
        assert answer.status_code == 200, path
        assert taken_for_them(text_of(answer)) == [], path


def test_the_tables_of_words_name_nobody() -> None:
    texts = [text for table in TABLES for text in table.values()]
    texts += [text for no in words.REFUSALS.values() for text in no]
    texts += [text for deed in deeds.KINDS.values() for text in deed]
    assert [text for text in texts if TAKEN_FOR_THEM.search(text)] == []
