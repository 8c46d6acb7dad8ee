"""A word's stem is what it was: what is indexed, and by what a value is recognised, hangs on it."""

import pytest

from apps.memories.terms import words


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("running quickly, generously hopping", ["run", "quick", "generous", "hop"]),
        ("relational nationalities adjusting formalities", ["relat", "nation", "adjust", "formal"]),
        ("skies dying, communities and universities", ["sky", "die", "communiti", "universiti"]),
        ("Größe café naïve", ["gross", "cafe", "naiv"]),
        ("Tahini’s 0612345678", ["tahini", "s", "0612345678"]),
    ],
)
def test_a_stem_is_that_of_the_english_rules(text: str, stems: list[str]) -> None:
    assert words(text) == stems
