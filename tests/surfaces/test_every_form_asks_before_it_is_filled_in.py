"""Who may not send a form is told so before they fill it in; and what was written for another vault isn't lost."""

import pytest

from apps.policy.ids import typed
from apps.policy.vocabulary import Level
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.web import browser, text_of

FORMS = ("/file/add", "/grants/register", "/people/invite")


@pytest.mark.parametrize("path", FORMS)
def test_who_may_only_look_is_shown_no_form_they_could_not_send(home: Household, path: str) -> None:
    rosa = newcomer("Rosa")
    acting(home.holder, rosa, level=Level.VIEW)
    client = browser(rosa)
    client.post("/people/seat", {"to": typed("vlt", home.holder.vault_id), "seat": typed("vlt", rosa.vault_id)})
    looked, sent = client.get(path), client.post(path, {"seat": typed("vlt", home.holder.vault_id)})
    assert (looked.status_code, sent.status_code) == (403, 403)
    assert browser(home.holder).get(path).status_code == 200


def test_what_was_written_at_another_vault_is_there_to_copy(home: Household) -> None:
    typed = {"label": "Allergies <b>", "value": "No nuts,\nnever", "password": "correct horse"}
    sent = typed | {"seat": f"vlt_{'0' * 32}"}
    answer = browser(home.holder).post("/file/add", sent)
    page = text_of(answer)
    assert answer.status_code == 409
    assert "Allergies &lt;b&gt;</textarea>" in page
    assert "No nuts,\nnever</textarea>" in page
    assert "correct horse" not in page
