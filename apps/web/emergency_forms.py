"""What is filled in around an emergency: whose file and why, and afterwards what somebody makes of it."""

from typing import Any

from django import forms

from apps.policy.emergency import LEAST_NOTE, MOST_NOTE, MOST_WHOM, MOST_WORDS
from apps.policy.ids import typed
from apps.policy.people import Membership
from apps.policy.vocabulary import EmergencyFinding, EmergencyReason
from apps.web.forms import Form, Line, offer
from apps.web.words import EMERGENCIES, FINDINGS

CHOOSE = {"required": "Choose one: nothing is taken for granted here."}


class EnterForm(Form):
    """Whose file, and why. Where several clinics allow it, in which."""

    unused = "Nothing was opened."  # what stands before its problems

    whom = Line(
        label="Whose file",
        max_length=MOST_WHOM,
        help_text="Their number in this clinic, as their People page shows it, or the whole address they sign in with.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    space = forms.ChoiceField(label="In")
    reason = forms.ChoiceField(
        label="Reason",
        choices=[("", "Choose"), *((each.value, EMERGENCIES[each]) for each in EmergencyReason)],
        error_messages=CHOOSE,
    )
    note = Line(
        label="What happened",
        min_length=LEAST_NOTE,
        max_length=MOST_NOTE,
        help_text=f"One line of {LEAST_NOTE} to {MOST_NOTE} characters. Whoever looks at this afterwards reads it.",
    )

    def __init__(self, *args: Any, places: tuple[Membership, ...], hidden: bool = False, **more: Any) -> None:
        super().__init__(*args, **more)
        offer(self, "space", ((typed("spc", each.space_id), each.space_name) for each in places))
        self.fields["space"].initial = typed("spc", places[0].space_id)
        for name, field in self.fields.items():
            if hidden or (name == "space" and len(places) == 1):
                field.widget = forms.HiddenInput()


class FindingForm(Form):
    """What somebody makes of it."""

    unused = "Nothing was kept yet."

    finding = forms.ChoiceField(
        label="What you make of it",
        choices=[("", "Choose"), *((each.value, f"It was {FINDINGS[each]}") for each in EmergencyFinding)],
        error_messages=CHOOSE,
    )
    words = Line(label="In your words", max_length=MOST_WORDS, help_text="The person whose file it is reads them.")
