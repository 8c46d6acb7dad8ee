"""What may be of a special category is found by its words, in subject, label or text; ordinary sentences are let be.

Where it finds nothing, nothing is decided: a limit, said in docs/threat-model.md and shown at the end of this file.
"""

import pytest

from apps.policy.special import suggests_special
from apps.policy.vocabulary import Category

TELL = {
    Category.HEALTH: [
        "I'm allergic to penicillin",
        "Takes 20 mg of Citalopram, an antidepressant",
        "diagnosed with ADHD in 2021",
        "My doctor's appointment is on Friday",
        "HIV-positive since 2009",
        "She has Crohn's disease",
        "blood type 0+",
        "Her pregnancy is in its fifth month",
        "recovering from knee surgery",
        "sees a therapist on Mondays",
        "coeliac: no gluten",
        "He uses a wheelchair",
        "sober since March",
        "PTSD since the accident",
        "fluoxetine, in the morning",
        "Started Ozempic in May",
        "keeps an Epi-Pen in the bag",
        "takes lithium",
        "sertraline 50",
        "Tamoxifen until 2027",
        "Gabapentin at night",
        "has a stoma",
        "in remission since spring",
        "10 mg daily",
        "lorazepam for flights",
    ],
    Category.BELIEF: [
        "We go to church on Sundays",
        "keeps kosher",
        "converted to Christianity",
        "He is a Muslim and fasts in Ramadan",
        "raised Catholic, now an atheist",
        "prays five times a day",
    ],
    Category.SEX_LIFE: ["came out as gay at 19", "a lesbian couple", "sexual orientation: bisexual", "is transgender"],
    Category.ETHNIC_ORIGIN: [
        "of Nigerian descent",
        "of West African origin",
        "ethnicity: Kurdish",
        "mixed-race family",
        "Ashkenazi on her mother's side",
        "came here as a refugee",
    ],
    Category.POLITICAL_OPINION: [
        "voted for the Greens",
        "a member of the Labour Party",
        "very left-wing",
        "Her politics are her own",
    ],
    Category.TRADE_UNION: [
        "pays her union dues in May",
        "trade union rep at work",
        "joined the union",
        "is on strike this week",
    ],
    Category.GENETIC: ["carries a BRCA1 mutation", "a genetic test said so", "DNA results", "sickle-cell trait"],
    Category.BIOMETRIC: ["the safe opens by fingerprint", "unlocks it with Face ID", "iris-scan at the door"],
    Category.CRIMINAL_RECORD: [
        "convicted of fraud in 2004",
        "two years in prison",
        "has a criminal record",
        "was arrested at a match",
        "pleaded guilty",
    ],
}
ORDINARY = [
    "Lives in Porto",
    "Prefers coffee to tea",
    "The birthday party is on Saturday",
    "12 Church Street, Leeds",
    "A European Union passport",
    "banks with a credit union",
    "The race starts at nine",
    "Turn right, then left",
    "He is very patient with children",
    "Christian Silva is our plumber",
    "The alarm is disabled at night",
    "a conservative estimate",
    "non-alcoholic beer only",
    "plays the organ",
    "a healthy breakfast",
    "works as a nurse",
    "The hotel's hospitality was fine",
    "on probation at work until June",
    "Christmas dinner at seven",
    "Roma Termini, platform 4",
    "the film is coming out in June",
    "converted to PDF",
    "in good faith",
    "The database is db-7",
    "`old_api()` is deprecated, use `new_api()`",
    "jeans, size 32",
    "the burglar alarm's code is in the drawer",
    "identity theft insurance",
    "Uses a 28 cm pan",
    "a foreign affairs podcast",
    "Her husband is called Rui",
    "likes to cook with his wife",
    "Vegetarian since 2011",
    "Essex, Sussex and Middlesex",
    "a lithium battery, size AA",
    "on the stroke of midnight",
    "Ms Silva is with Ms Costa",
    "roof shingles from Porto",
    "a recipe with 30 mg of saffron",
    "team-building exercise on Monday",
    "住所は東京です",
]


@pytest.mark.parametrize("text", [each for texts in TELL.values() for each in texts])
def test_what_tells_of_a_special_category_is_found(text: str) -> None:
    assert suggests_special(text)
    assert suggests_special("home.city", "City", f"Something else. {text.upper()}. And more.")


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_sentence_is_left_alone(text: str) -> None:
    assert not suggests_special(text)


@pytest.mark.parametrize("category", [each for each in Category if each.special])
def test_each_category_s_own_name_is_found_as_a_subject_and_as_a_label(category: Category) -> None:
    assert suggests_special(f"notes.{category.value}")
    assert suggests_special(category.value.replace("-", " ").capitalize())


@pytest.mark.parametrize(
    "subject", ["health.pills", "allergy.nuts", "allergies", "medication.morning", "family.gay-uncle"]
)
def test_so_is_a_word_of_it_in_a_subject(subject: str) -> None:
    assert suggests_special(subject)
    assert not suggests_special("home.city", "work.employer", "taste.hot-chocolate")


@pytest.mark.parametrize(
    "text", ["di\u0430betic", "d i a b e t i c", "dia\u200bbetic", "ＤＩＡＢＥＴＩＣ", "\U0001d5bd\U0001d5c2abetic"]
)
def test_letters_that_only_look_like_its_own_hide_no_word(text: str) -> None:
    assert suggests_special(text)


# ---------------------------------------------------------------- what is not found (docs/threat-model.md)
@pytest.mark.parametrize(
    "text",
    [
        "Sees Dr Costa every second Tuesday",
        "takes the white ones in the morning",
        "soffre di cuore",
        "糖尿病",
        "he and his husband",
    ],
)
def test_what_says_it_in_no_such_word_or_in_another_language_is_not_found(text: str) -> None:
    assert not suggests_special(text)
