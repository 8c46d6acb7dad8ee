"""How many people, vaults and spaces there are: from the global tables, the only ones a console may count."""

from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import Count  # noqa: TID251  (counts of global rows; no vault's own table is in reach)


@dataclass(frozen=True, slots=True)
class Space:
    """A space by its name, and how many vaults it has."""

    name: str
    kind: str
    vaults: int


@dataclass(frozen=True, slots=True)
class Census:
    """What the console may say of people: numbers, and the names of spaces."""

    people: int
    spaces: tuple[Space, ...]

    @property
    def vaults(self) -> int:
        return sum(space.vaults for space in self.spaces)


def census() -> Census:
    """Two counts, across the instance."""
    people = get_user_model().objects
    spaces = people.filter(vaultrow__isnull=False).values_list("vaultrow__space__name", "vaultrow__space__kind")
    counted = spaces.annotate(vaults=Count("pk")).order_by("vaultrow__space__name", "vaultrow__space__pk")
    return Census(people.count(), tuple(Space(*row) for row in counted))
