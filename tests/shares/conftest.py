"""The cast and the fences."""

from tests.cast import admin, alice, clinic, cook, mallory  # noqa: F401  (fixtures)
from tests.fences import _statements_stay_in_their_place, _stores_return_facts  # noqa: F401  (fixtures)
