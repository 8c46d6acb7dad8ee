"""What is mailed at once about a sign-in has two parts that say the same, with every link in both."""

import re
from html import unescape

import pytest
from allauth.account.models import EmailAddress
from allauth.core import context
from django.contrib.auth import get_user_model
from django.core import mail as outgoing
from django.test import RequestFactory

from apps.holders.adapter import AccountAdapter
from tests.holders.people import newcomer

NOTICES = ("password_changed", "password_set", "password_reset", "email_changed", "email_confirm", "email_deleted")


@pytest.mark.parametrize("name", NOTICES)
def test_both_parts_say_the_same(live: None, name: str) -> None:
    user = get_user_model().objects.get(pk=newcomer("O'Brien").user_id)
    EmailAddress.objects.create(user=user, email="o'brien@söhne.example", primary=True)
    extra = {"from_email": "a@b.example", "to_email": "c&d@e.example", "deleted_email": "a&b@c.example"}
    outgoing.outbox = []
    with context.request_context(RequestFactory().get("/", REMOTE_ADDR="203.0.113.7")):
        AccountAdapter(context.request).send_notification_mail(f"account/email/{name}", user, extra)
    (sent,) = outgoing.outbox
    ((markup, kind),) = sent.alternatives
    assert kind == "text/html"
    read = " ".join(unescape(re.sub(r"<[^>]*>", " ", str(markup))).split())
    lines = [" ".join(each.split()) for each in sent.body.splitlines()]
    assert all(each in read for each in lines if each != "--")
    assert re.findall(r'href="([^"]*)"', str(markup)) == re.findall(r"https?://\S+/\S*", sent.body)
