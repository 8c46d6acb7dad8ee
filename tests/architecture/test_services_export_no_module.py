"""What a room's services export is what their list says: a module of the same name, imported later, hides a deed."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = sorted(path.parents[1].name for path in ROOT.glob("apps/*/services/__init__.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_hides_a_deed(room: str) -> None:
    services = import_module(f"apps.{room}.services")
    assert services.__all__, "the control: something is exported"
    assert [name for name in services.__all__ if isinstance(getattr(services, name), ModuleType)] == []
