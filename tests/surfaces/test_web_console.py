"""The console: for operators, to look at, with no value and no label in it."""

import secrets

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.test import Client

from apps.console.site import site
from tests.fixtures import VALUES, Household
from tests.surfaces.web import Scene, browser, furnish, text_of


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def operator(**rights: bool) -> Client:
    user = get_user_model().objects.create_user(f"{secrets.token_hex(6)}@ops.example", None, **rights)
    client = Client()
    client.force_login(user)
    return client


def test_an_operator_sees_counts_and_no_value_or_label(scene: Scene) -> None:
    for rights in ({"is_staff": True}, {"is_staff": True, "is_superuser": True}):
        response = operator(**rights).get("/console/")
        page = text_of(response)
        assert response.status_code == 200
        assert "Vaults, each with one chain" in page
        assert scene.holder.space_name in page
        for secret in (*VALUES, "Kitchen equipment", "Insulin", "Cookbot", "spices", str(scene.holder.vault_id)):
            assert secret not in page


def test_a_holder_and_a_stranger_are_kept_out(scene: Scene) -> None:
    assert browser(scene.holder).get("/console/", follow=True).status_code == 403
    assert "/accounts/login/" in Client().get("/console/", follow=True).redirect_chain[-1][0]


def test_an_operator_without_a_vault_has_no_pages(scene: Scene) -> None:
    client = operator(is_staff=True)
    assert client.get("/").headers["Location"] == "/console/"
    assert client.get("/file").headers["Location"] == "/console/"


def test_nothing_is_registered_and_nothing_can_be_sent(live: None) -> None:
    assert not site._registry
    assert not admin.site._registry
    assert operator(is_staff=True).post("/console/").status_code == 405
