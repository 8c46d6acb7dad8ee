"""One number says which Muniment this is, wherever it stands: a restore compares it."""

import tomllib

from client.src.muniment import __version__
from tests.ops.conftest import ROOT
from vault.version import VERSION


def test_it_stands_in_three_places_and_is_one() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION == __version__
