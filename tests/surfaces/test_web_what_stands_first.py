"""What a page puts first: what to press, what is meant by it, and days as people say them."""

import re
from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Proposal
from apps.policy.vocabulary import Directive
from tests.fixtures import Household
from tests.surfaces.web import Scene, browser, furnish, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def suggested(scene: Scene, **sent: Any) -> Proposal:
    made = memories.propose(scene.caller, now=utc_now(), **sent)
    assert isinstance(made, Proposal), made
    return made


def opened(scene: Scene, *made: Proposal) -> str:
    asked = {"proposal": [typed("prp", each.proposal_id) for each in made]}
    return text_of(browser(scene.holder).post("/inbox/show", asked))


def heads(page: str) -> list[str]:
    return re.findall(r"<section>\s*<h2>([^<]+)</h2>", page)


def test_what_destroys_is_not_the_button_that_stands_out_and_says_so(scene: Scene) -> None:
    kitchen = untyped("mem", scene.home.kitchen)
    assert kitchen is not None
    page = opened(scene, suggested(scene, directive=Directive.ERASE, target=kitchen, known=[kitchen]))
    (pressed,) = re.findall(r"<button [^>]*>Erase it for good", page)
    assert 'class="stop"' in pressed and 'class="first"' not in page
    assert "This cannot be undone." in page.partition("Erase it for good")[0]


def test_what_is_kept_in_one_go_is_named_beside_its_button_and_leads_to_its_card(home: Household) -> None:
    caller = access.authenticate(home.key, utc_now())
    assert caller is not None
    there = {"Spices": "Saffron and cumin", "Shoes": "Wide ones, size 43", "Insulin": "Takes insulin, 12 units"}
    made = [memories.propose(caller, label=each, value=said, now=utc_now()) for each, said in there.items()]
    plain = {
        each.proposal_id.hex: each.label for each in made if isinstance(each, Proposal) and each.label != "Insulin"
    }
    asked = {"proposal": [typed("prp", each.proposal_id) for each in made if isinstance(each, Proposal)]}
    page = text_of(browser(home.holder).post("/inbox/show", asked))
    told = page.partition("Keep these 2 as they are")[2].partition('<section class="card"')[0]
    assert dict(re.findall(r'<a href="#(\w+)">(\w+)</a>', told)) == plain
    for each in plain:
        assert f'<section class="card" id="{each}">' in page


def test_days_are_said_in_words_and_shift_in_no_zone(scene: Scene) -> None:
    made = suggested(scene, label="Gym", value="Mondays", valid_from="2026-09-01", valid_to="2027-06-30T23:30:00Z")
    for page in (opened(scene, made), text_of(browser(scene.holder).get("/inbox"))):
        assert 'true from <time datetime="2026-09-01">1 Sep 2026</time> until <time' in page
        assert "2027-06-30T23:30:00.000000Z" in page and "2026-09-01<" not in page
    kept = memories.approve(scene.holder, made.proposal_id, now=utc_now())
    assert isinstance(kept, memories.Approved)
    page = text_of(browser(scene.holder).get(f"/file/{typed('mem', made.memory_id)}"))
    assert '<time datetime="2026-09-01">1 Sep 2026</time>' in page


def test_a_box_stands_beside_its_words_and_both_can_be_pressed(scene: Scene) -> None:
    page = text_of(browser(scene.holder).get("/file/add"))
    for words in ("It stays at home", "Seal it from guardians"):
        assert re.search(rf'<label class="tick"><input type="checkbox"[^>]*> <span>{words}', page)


def test_of_two_names_that_are_to_be_one_none_is_chosen_beforehand(scene: Scene) -> None:
    client = browser(scene.holder)
    for name in ("Anna", "Anne"):
        client.post("/file/about", {"name": name, "sort": "person"})
    page = text_of(client.get("/file/about")).partition('id="merge"')[2]
    assert re.findall(r'<option value="(\w*)" selected', page) in ([], ["", ""])
    assert page.count('<option value=""') == 2
    kept = re.findall(r'<option value="(ent_\w+)"', page)[0]
    answer = client.post("/file/about/merge", {"kept": kept, "merged": ""})
    assert answer.status_code == 400 and "Choose one of them." in text_of(answer)


def test_memories_that_share_no_first_word_stand_together_in_the_file(scene: Scene) -> None:
    for subject in ("gym.days", "gym.place", "tea", "bread", "rain"):
        memories.add(scene.holder, label=subject, value=f"Of {subject}", subject=subject, now=utc_now())
    page = text_of(browser(scene.holder).get("/file"))
    there = heads(page)
    assert "gym" in there and not {"tea", "bread", "rain"} & set(there)
    others = page.partition("<h2>Others</h2>")[2].partition("</section>")[0]
    assert [
        each for each in re.findall(r'<span class="subject">(\w+)', others) if each in ("bread", "rain", "tea")
    ] == [
        "bread",
        "rain",
        "tea",
    ]


def test_what_was_decided_says_of_its_time_that_it_was_decided_then(scene: Scene) -> None:
    made = suggested(scene, label="Hats", value="A blue one")
    memories.reject(scene.holder, made.proposal_id, utc_now())
    page = text_of(browser(scene.holder).get("/inbox/decided"))
    assert re.search(r"Decided <time [^>]*>[^<]+</time>, by you", page)


def test_the_inbox_says_how_many_of_what_waits_it_shows_at_once(
    home: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = access.authenticate(home.key, utc_now())
    assert caller is not None
    for each in ("Spices", "Shoes", "Music"):
        memories.propose(caller, label=each, value=f"It says {each}", now=utc_now())
    client = browser(home.holder)
    assert "Show what they say</button>" in text_of(client.get("/inbox"))
    monkeypatch.setattr(memories, "MOST_SHOWN", 2)
    page = text_of(client.get("/inbox"))
    assert "Show what the first 2 say</button>" in page
    asked = re.findall(r'type="hidden"\s+name="proposal"\s+value="(prp_\w+)"', page)
    assert len(asked) == 2
    both = text_of(client.post("/inbox/show", {"proposal": asked}))
    assert both.count('<section class="card"') == 2 and "<h1>What they say</h1>" in both
    assert "<h1>What it says</h1>" in text_of(client.post("/inbox/show", {"proposal": asked[0]}))


def test_each_card_of_the_inbox_is_decided_by_the_form_that_holds_them_all(home: Household) -> None:
    caller = access.authenticate(home.key, utc_now())
    assert caller is not None
    hat, sock = (memories.propose(caller, label=each, value=f"A {each}", now=utc_now()) for each in ("hat", "sock"))
    assert isinstance(hat, Proposal) and isinstance(sock, Proposal)
    client = browser(home.holder)
    cards = (
        text_of(client.get("/inbox")).partition('id="all-proposals"')[2].partition("</form>")[2].partition("</form>")[0]
    )
    assert cards.count("<form") == 1 and cards.count("csrfmiddlewaretoken") == 1
    for each in (hat, sock):
        named = typed("prp", each.proposal_id)
        assert len(re.findall(rf'formaction="/inbox/{named}/reject"', cards)) == 2 and f'value="{named}"' in cards
    shown = text_of(client.post("/inbox/show", {"proposal": typed("prp", hat.proposal_id)}))
    assert shown.count('<section class="card"') == 1 and "A hat" in shown


def test_what_runs_from_right_to_left_stands_in_its_own_direction_and_nothing_else_does(scene: Scene) -> None:
    made = suggested(scene, label="\u0645\u0637\u0628\u062e", value="\u0645\u0637\u0628\u062e <b>.\n24 cm")
    page = opened(scene, made)
    assert '<p class="value"><bdi>\u0645\u0637\u0628\u062e &lt;b&gt;.<br>24 cm</bdi></p>' in page
    assert page.count("<bdi>") == 2, "its label and its words"
