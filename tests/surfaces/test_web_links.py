"""The pages of whom memories are about, and of where one comes from: without script, and without a value."""

import re

from apps.access import services as access
from apps.memories.services import naming
from apps.policy.ids import typed
from tests.drivers import signed_in
from tests.fixtures import KITCHEN, VALUES, Household
from tests.holders.people import acting, newcomer
from tests.surfaces.web import browser, text_of


def test_somebody_is_noted_called_otherwise_merged_and_parted(home: Household) -> None:
    client = browser(home.holder)
    for called in ("Anna", "Anne"):
        page = text_of(client.post("/file/about", {"name": called, "sort": "person"}, follow=True))
        assert "Noted." in page
    anna, anne = (typed("ent", each.entity.entity_id) for each in naming.entities(home.holder))
    page = text_of(client.post("/file/about/merge", {"kept": anna, "merged": anne}, follow=True))
    assert "They are one from now on" in page and "Anna</a></b>, Anne" in page
    part = re.findall(r'action="(/file/about/merges/mrg_[0-9a-f]+/part)"', page)[0]
    assert "They are two again." in text_of(client.post(part, follow=True))
    page = text_of(client.post(f"/file/about/{anna}", {"name": "Anna B.", "sort": "person"}, follow=True))
    assert "Anna B." in page


def test_from_the_page_of_one_to_the_form_that_makes_it_one_with_another(home: Household) -> None:
    client = browser(home.holder)
    for name in ("Anna", "Anne"):
        client.post("/file/about", {"name": name, "sort": "person"})
    known = [typed("ent", each.entity.entity_id) for each in naming.entities(home.holder)]
    way = f"/file/about?kept={known[1]}#merge"
    assert way in text_of(client.get(f"/file/about/{known[1]}"))
    page = text_of(client.get(way.partition("#")[0])).partition('id="merge"')[2]
    assert re.findall(r'<option value="(ent_\w+)" selected', page) == [known[1]]
    assert "you can part them again" in page


def test_bad_input_comes_back_beside_its_field(home: Household) -> None:
    client = browser(home.holder)
    answer = client.post("/file/about", {"name": "x" * 121, "sort": "person"})
    assert answer.status_code == 400 and "at most 120 are kept" in text_of(answer)
    client.post("/file/about", {"name": "Anna", "sort": "person"})
    client.post("/file/about", {"name": "Porto", "sort": "place"})
    known = [typed("ent", each.entity.entity_id) for each in naming.entities(home.holder)]
    answer = client.post("/file/about/merge", {"kept": known[0], "merged": known[1]})
    assert answer.status_code == 400 and "They are of two kinds." in text_of(answer)


def test_a_memory_is_said_to_be_about_somebody_and_no_more(home: Household) -> None:
    client = browser(home.holder)
    client.post("/file/about", {"name": "Anna", "sort": "person"})
    (anna,) = (typed("ent", each.entity.entity_id) for each in naming.entities(home.holder))
    page = text_of(client.post(f"/file/{home.kitchen}/about", {"entity": anna}, follow=True))
    end = re.findall(r'action="(/file/links/edg_[0-9a-f]+/end)"', page)[0]
    assert "Kitchen equipment" in text_of(client.get(f"/file/about/{anna}"))
    page = text_of(client.post(end, {"memory": home.kitchen}, follow=True))
    assert "Ended. That it stood is kept." in page and "End it" not in page


def test_the_page_tells_where_it_comes_from_and_who_was_handed_it(home: Household) -> None:
    client, api = browser(home.holder), home.as_client()
    wish = api.ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]}, reads=None)
    api.read([home.kitchen])
    page = text_of(client.get(f"/file/{home.kitchen}/provenance"))
    assert "Planner" in page or home.client.name in page
    assert "not checked" in page and "holds, from receipt 1" in page and "What this does not show" in page
    assert KITCHEN not in page and not [value for value in VALUES if value in page]
    page = text_of(client.post(f"/file/{home.kitchen}/provenance/check"))
    assert "it is what its receipts are bound to" in page and KITCHEN not in page


def test_whoever_acts_is_shown_no_check_and_no_log(home: Household) -> None:
    rosa = acting(home.holder, newcomer("Rosa"))
    client = signed_in(rosa)
    there = typed("vlt", rosa.vault_id)
    client.post("/people/seat", {"to": there})
    page = text_of(client.get(f"/file/{home.kitchen}/provenance"))
    assert "What holds" in page and "Look, and check what it says" not in page and "The log" not in page
    assert client.post(f"/file/{home.kitchen}/provenance/check", {"seat": there}).status_code == 403


def test_an_assistant_is_marked_as_running_at_home(home: Household) -> None:
    client, cli = browser(home.holder), typed("cli", home.client.client_id)
    page = text_of(client.post(f"/grants/{cli}/local", {"do": "local"}, follow=True))
    assert "runs at home" in page and "Marked as running at home" in page
    assert next(each for each in access.clients(home.holder) if each.client_id == home.client.client_id).local
    page = text_of(client.post(f"/grants/{cli}/local", {"do": "hosted"}, follow=True))
    assert "No longer marked" in page


def test_nothing_is_found_under_what_is_not_there(home: Household) -> None:
    client = browser(home.holder)
    nothing = "0" * 32
    for path in (f"/file/mem_{nothing}/provenance", f"/file/about/ent_{nothing}"):
        assert client.get(path).status_code == 404
    assert client.post(f"/file/about/merges/mrg_{nothing}/part").status_code == 404
    assert client.post(f"/file/links/edg_{nothing}/end", {"memory": home.kitchen}).status_code == 404
