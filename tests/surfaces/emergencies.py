"""Somebody's browser in an emergency, signed in and let in as in life."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.test import Client

from apps.policy.ids import typed
from apps.policy.types import Holder
from tests.holders.emergencies import NOTE, Ward
from tests.surfaces.web import browser

PASSWORD = "quite unlike any address 7"


def signed_in(by: Holder) -> Client:
    """A browser in which somebody is signed in who has an address and a password, as signing up leaves them."""
    user = get_user_model().objects.get(pk=by.user_id)
    user.email = user.email.lower()
    user.set_password(PASSWORD)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    return browser(by)


def proved(by: Holder) -> Client:
    """A browser in which somebody has just typed their password again."""
    client = signed_in(by)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def sent(ward: Ward, **changes: str) -> dict[str, str]:
    """What the form takes, filled in by Nora at her own vault."""
    filled = {
        "whom": ward.number(),
        "space": typed("spc", ward.space_id),
        "reason": "life-at-risk",
        "note": NOTE,
        "vault": typed("vlt", ward.leo.id),
        "seat": typed("vlt", ward.nora.vault_id),
    }
    return {**filled, **changes}


def entered(ward: Ward) -> Client:
    """Nora's browser, in Leo's file."""
    client = proved(ward.nora)
    answer = client.post("/emergency/enter", sent(ward))
    assert (answer.status_code, answer.headers["Location"]) == (302, "/file")
    return client


def in_the_file(ward: Ward, **more: Any) -> dict[str, Any]:
    """What a form there sends."""
    return {"seat": typed("vlt", ward.leo.id), **more}
