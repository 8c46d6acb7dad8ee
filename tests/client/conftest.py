"""The program as it is handed out, and files for it as a real instance gives them."""

from pathlib import Path
from typing import Any

import pytest

from apps.ledger.services.program import program as built
from tests.client.files import an_instance, hand_out
from tests.drivers import Http
from tests.fixtures import Household


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file `muniment.pyz`."""
    path = tmp_path_factory.mktemp("program") / "muniment.pyz"
    path.write_bytes(built())
    return path


@pytest.fixture(scope="session")
def files(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files that a real instance handed out: see hand_out."""
    folder = tmp_path_factory.mktemp("files")
    with django_db_blocker.unblock(), an_instance():
        hand_out(folder)
    return folder


@pytest.fixture
def granted(home: Household) -> Household:
    """A household whose client may read where the holder lives and which name took another's place."""
    http = Http(holder=home.holder)
    kept = []
    for subject, old, new in (("home.town", "Leeds", "Porto"), ("symbol.old_api", "old_api", "new_api")):
        made = http.call("POST", "memories", {"label": subject, "subject": subject, "value": old})["id"]
        http.call("PATCH", f"memories/{made}", {"value": new}, If_Match="*")
        kept.append(made)
    wish = home.as_client().ask(kept, purpose="answer")
    home.as_holder().decide(wish.request, {"ordinary": kept}, reads=3)
    return home


@pytest.fixture
def key(granted: Household, tmp_path: Path) -> Path:
    path = tmp_path / "client.key"
    path.write_text(granted.key + "\n")
    return path
