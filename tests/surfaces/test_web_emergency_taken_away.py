"""What a clinic takes away in the middle of an hour is over at once, on the person's page and on the reviewer's."""

import pytest

from apps.holders import services as holders
from apps.policy.ids import typed
from apps.policy.types import Refused
from apps.policy.vocabulary import Role
from tests.holders.emergencies import Ward
from tests.holders.emergencies import ward as ward  # a fixture
from tests.surfaces.emergencies import entered, proved, sent
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.mark.parametrize("how", ["place ended", "switched off"])
def test_both_pages_say_that_it_is_over_and_it_can_be_looked_at(ward: Ward, how: str) -> None:
    entered(ward)
    opened, now = ward.opened(), utc_now()
    if how == "place ended":
        ended = holders.end_place(ward.clinic.admin.user_id, ward.space_id, ward.nora.user_id, now, Role.EMERGENCY)
        assert not isinstance(ended, Refused)
    else:
        ward.settle(break_glass=False)
    review = f"/emergency/reviews/{typed('del', opened.emergency_id)}"
    lead = browser(ward.paula)
    assert "It isn’t over yet" not in text_of(lead.get(review))
    given = {"finding": "justified", "words": "It was needed then.", "seat": typed("vlt", ward.paula.vault_id)}
    answer = lead.post(review, given)
    assert answer.status_code == 302, text_of(answer)
    kinds = [(each.kind, each.reason) for each in ward.leo.receipts()][-2:]
    assert kinds == [("emergency.left", "taken-away"), ("emergency.reviewed", "justified")]


def test_people_s_own_page_says_the_number_that_the_form_asks_for(ward: Ward) -> None:
    assert f"Your number here: <b>{ward.number()}</b>" in text_of(browser(ward.leo.holder).get("/people"))
    assert "Your number here" not in text_of(browser(ward.paula).get("/people"))


def test_a_character_that_cannot_be_stored_comes_back_beside_its_field(ward: Ward) -> None:
    answer = proved(ward.nora).post("/emergency", sent(ward, whom="1\x00"))
    assert answer.status_code == 400
    assert "U+0000" in text_of(answer)
