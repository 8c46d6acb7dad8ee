"""What is filled in around erasing: what goes, why, and that it is meant."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django import forms

from apps.erasure.services import Personal
from apps.memories.services.naming import Known
from apps.policy.erasing import BY_HAND, MOST_WORDS, Basis, Derived, Where
from apps.policy.ids import typed, untyped
from apps.policy.text import MOST_LABEL, visible
from apps.policy.types import Client, Memory
from apps.policy.vocabulary import Category
from apps.web.forms import CATEGORY_CHOICES, Form, Line, midnight, offer
from apps.web.templatetags.muniment import zone_named
from apps.web.words import BASES, PERSONALS

ANY = ("", "Any")
MOST_TICKED = 500  # memories that a form names one by one
WORD = "erase"
BASIS_CHOICES = [(each.value, BASES[each]) for each in Basis if each in BY_HAND]


class Named(forms.Field):
    """Memories by their ids, carried unseen. Cleaned: a set of ids; what is none is an error, never left out."""

    widget = hidden_widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> frozenset[UUID]:
        found = [untyped("mem", str(each)) for each in value or ()]
        if None in found or len(found) > MOST_TICKED:
            raise forms.ValidationError(f"Choose at most {MOST_TICKED} memories at once, each by its own id.")
        return frozenset(each for each in found if each is not None)


class WhereForm(Form):
    """What goes: that which meets everything that is said."""

    unused = "Nothing was erased."

    memories = Named(required=False)
    subject = Line(
        required=False,
        max_length=MOST_LABEL,
        help_text="Written whole, such as kitchen.equipment.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    below = forms.BooleanField(label="And everything below this subject", required=False)
    category = forms.ChoiceField(required=False, choices=[ANY, *CATEGORY_CHOICES])
    source = forms.ChoiceField(label="It came from", required=False)
    entity = forms.ChoiceField(label="It is about", required=False)
    client = forms.ChoiceField(label="Suggested by", required=False)
    made_after = forms.DateField(
        label="Kept on or after", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    made_before = forms.DateField(label="Kept before", required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(
        self,
        *args: Any,
        memories: Iterable[Memory],
        known: Iterable[Known],
        clients: Iterable[Client],
        zone: str,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.zone = zone_named(zone)
        sources = sorted({each.source for each in memories if each.source})
        here = {"holder": "Written down here"}
        offer(self, "source", (ANY, *((each, here.get(each, visible(each))) for each in sources)))
        about = ((typed("ent", each.entity.entity_id), visible(each.entity.name)) for each in known)
        offer(self, "entity", (ANY, *about))
        offer(self, "client", (ANY, *((typed("cli", each.client_id), visible(each.name)) for each in clients)))

    def clean(self) -> dict[str, Any]:
        """Nothing said names nothing."""
        given = super().clean() or self.cleaned_data
        if not self.errors and not self.where.said:
            raise forms.ValidationError("Say what is to be erased: at least one of these.")
        return given

    @property
    def where(self) -> Where:
        """Which memories were meant."""
        given = self.cleaned_data
        entity, client = untyped("ent", given.get("entity", "")), untyped("cli", given.get("client", ""))
        return Where(
            ids=given.get("memories", frozenset()),
            subjects=frozenset(filter(None, [given.get("subject")])),
            below=bool(given.get("below")),
            categories=frozenset([Category(given["category"])] if given.get("category") else ()),
            sources=frozenset(filter(None, [given.get("source")])),
            entities=frozenset([entity] if entity else ()),
            clients=frozenset([client] if client else ()),
            made_before=self._midnight(given.get("made_before")),
            made_after=self._midnight(given.get("made_after")),
        )

    def _midnight(self, day: date | None) -> datetime | None:
        return midnight(day, self.zone) if day else None


class OrderForm(Form):
    """That it goes, why, and what becomes of what was made from it."""

    unused = "Nothing was erased."

    derived = forms.ChoiceField(
        label="What was made from it",
        required=False,
        choices=[(Derived.ERASE.value, "Erase these too"), (Derived.KEEP.value, "Keep them")],
        widget=forms.RadioSelect,
    )
    basis = forms.ChoiceField(label="Why", choices=BASIS_CHOICES, initial=Basis.WISH.value)
    request = Line(
        label="Number of a request",
        required=False,
        max_length=MOST_WORDS,
        help_text="If somebody asked for it under one. It is kept with the order, and in no certificate.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    search = forms.BooleanField(label="Then look through this server’s files for its words", required=False)

    @property
    def choice(self) -> Derived | None:
        """What becomes of what was made from it, where that was said."""
        return Derived(self.cleaned_data["derived"]) if self.cleaned_data["derived"] else None


class PersonalForm(Form):
    """Which kinds of personal data are looked for."""

    unused = "Nothing was looked at."

    kinds = forms.MultipleChoiceField(
        label="Which kinds",
        choices=[(each.value, PERSONALS[each]) for each in Personal],
        initial=[each.value for each in Personal],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind."},
    )
    country = forms.RegexField(
        r"(?a)^\s*[A-Za-z]{2}\s*$",
        label="Country of telephone numbers",
        initial="GB",
        help_text="Two letters: how a number without a prefix is read. Such as: GB, DE, PT",
        error_messages={"invalid": "Write the two letters of a country, such as GB."},
    )

    @property
    def looked_for(self) -> tuple[Personal, ...]:
        """The kinds that were chosen."""
        return tuple(Personal(each) for each in self.cleaned_data["kinds"])


class EndForm(Form):
    """That the whole vault goes."""

    unused = "Nothing was erased."

    basis = forms.ChoiceField(label="Why", choices=BASIS_CHOICES, initial=Basis.WISH.value)
    request = Line(
        label="Number of a request",
        required=False,
        max_length=MOST_WORDS,
        help_text="If somebody asked for it under one. It goes with the vault: in the ledger stays a trace of it that"
        " nobody can read or check. Note it down yourself if you need it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    word = Line(
        label=f"Type the word {WORD}",
        max_length=MOST_LABEL,
        help_text="So that nobody does this by a slip.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_word(self) -> str:
        """Exactly that word; capitals do not matter."""
        given = str(self.cleaned_data["word"])
        if given.strip().casefold() != WORD:
            raise forms.ValidationError(f"Type the word {WORD}, and nothing else.")
        return given
