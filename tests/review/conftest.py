"""The clinic, the cast and the fences."""

from tests.cast import admin  # noqa: F401  (fixture)
from tests.clinics import bot, casa, leo  # noqa: F401  (fixtures)
from tests.fences import _statements_stay_in_their_place, _stores_return_facts  # noqa: F401  (fixtures)
