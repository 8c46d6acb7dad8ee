"""A host that is not served here gets a problem on the REST surface, not a page."""

from django.test import Client


def test_a_wrong_host_is_told_whose_setting_it_is(live: None) -> None:
    answer = Client().get("/api/v1/me", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "host-not-served"
    assert answer.json()["who_can_fix"] == "operator"
