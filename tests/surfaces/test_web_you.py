"""A holder says what they are called and in which zone their times are shown."""

from tests.fixtures import Household
from tests.surfaces.web import browser


def test_the_zone_is_kept_and_times_are_shown_in_it(home: Household) -> None:
    client = browser(home.holder)
    answer = client.post("/you", {"name": "Ines M.", "time_zone": "Asia/Kathmandu"}, follow=True)
    assert "Ines M." in answer.content.decode()
    assert "Asia/Kathmandu" in client.get("/").content.decode()


def test_a_zone_that_is_none_is_refused_beside_its_field(home: Household) -> None:
    answer = browser(home.holder).post("/you", {"name": "Ines", "time_zone": "Mars/Olympus"})
    assert answer.status_code == 400
    assert "time_zone" in answer.content.decode()
