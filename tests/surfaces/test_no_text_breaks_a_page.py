"""Whatever is typed into a form, its page says what to do about it: what cannot be stored never ends in a 500."""

import inspect

import pytest
from django import forms
from django.urls import NoReverseMatch, reverse

from apps.web import emergency_forms, link_forms, space_forms
from apps.web import forms as web_forms
from tests.fixtures import Household
from tests.surfaces.pages import PAGES
from tests.surfaces.web import browser

OTHERS = {"question", "do", "part", "give", "under", "until", "reads", "memory", "to", "reason", "session", "notice"}
FIELDS = OTHERS | {
    name
    for module in (web_forms, emergency_forms, link_forms, space_forms)
    for shape in vars(module).values()
    if inspect.isclass(shape) and issubclass(shape, forms.Form)
    for name in shape.base_fields
}


@pytest.mark.parametrize("typed", ["a%00b", "a%ED%A0%80b", "a" * 1_000_000], ids=["NUL", "half a character", "1 MB"])
def test_every_page_answers_every_field(home: Household, typed: str) -> None:
    for name in sorted(PAGES):
        try:
            address = reverse(f"web:{name}")
        except NoReverseMatch:
            continue
        body = "&".join(f"{each}={typed}" for each in (sorted(FIELDS) if len(typed) < 99 else ["question", "value"]))
        answer = browser(home.holder).post(address, body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code < 500, name
