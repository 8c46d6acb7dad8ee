"""What the pages take in. A text that can't be kept comes back beside its field, with what to do about it."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import date, datetime, time
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.validators import ProhibitNullCharactersValidator

from apps.policy.life import HEAVIEST, LIGHTEST, USUAL
from apps.policy.roles import offered_in
from apps.policy.text import MOST_LABEL, MOST_RATIONALE, TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Claim, Kind, Refusal, Role
from apps.web.words import CATEGORIES, CLAIMS, MEMORY_KINDS, REFUSALS
from vault.zones import zones

CATEGORY_CHOICES = [(each.value, CATEGORIES[each]) for each in Category]
CLAIM_CHOICES = [("", "No: hand the value over"), *((each.value, f"Yes: confirm {CLAIMS[each]}") for each in Claim)]
MEMORY_KIND_CHOICES = [(each.value, MEMORY_KINDS[each]) for each in Kind]
NOT_OFFERED = "This is not one of them. Choose from what is offered."
ZONES = [(zone, zone.replace("_", " ")) for zone in sorted(zones())]

PLACES: dict[Role, str] = {
    Role.HOLDER: "Holder: a vault of their own in it",
    Role.REVIEWER: "Reviewer: looks at decisions again, never at a value",
    Role.ADMIN: "Space admin: invites others, decides nothing at a vault",
    Role.EMERGENCY: "Emergency access: opens a file for an hour, where the clinic allows it",
}


class Line(forms.CharField):
    """One line. What may stand in it is said by the services, in the same words on every surface."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.validators = [each for each in self.validators if not isinstance(each, ProhibitNullCharactersValidator)]


class Address(Line):
    """An e-mail address. Whether it is one is said by the services, as of any line."""

    widget = forms.EmailInput


class Words(Line):
    """A text as it was typed: browsers send line breaks as CR LF, everything else stays as it is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, **kwargs)

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class Shown(forms.CharField):
    """What a form was filled with, beside it in base64: a browser changes the line breaks of the text itself.

    Cleaned, it is that text, or None where the form was filled with none.
    """

    widget = forms.HiddenInput

    def clean(self, value: object) -> str | None:
        try:
            return b64decode(str(value or ""), validate=True).decode() or None
        except ValueError:
            return None


def how_many(text: str, field: str, most: int = 10_000) -> int | None:
    """A number as it was typed; None where none was. Raises TextProblem for what is no number: it is never "any"."""
    if not text.strip():
        return None
    found = number_of(text.strip(), 8)
    if found is None or not 1 <= found <= most:
        raise TextProblem(field, f"Write a whole number from 1 to {most}, or leave it empty.")
    return found


def number_of(text: str, digits: int = 17) -> int | None:
    """A number as an address or a form carries it unseen; None for anything else, and for one of more digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def carried(text: str) -> str:
    """A text as `Shown` is given it."""
    return b64encode(text.encode()).decode()


def untouched(typed: str, shown: str | None) -> bool:
    """Is what came back what was shown, up to what a browser makes of line breaks?"""
    return shown is not None and _lines(typed) == _lines(shown)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Day(Line):
    """A day, as the services read it. A browser offers a calendar; without one it is typed, as 2026-10-02."""

    widget = forms.DateInput(attrs={"type": "date"})


def offer(form: forms.Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    """What may be chosen in a field, where that is known only when its page is made."""
    cast(forms.ChoiceField, form.fields[name]).choices = list(choices)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The moment at which a day that was chosen begins where its chooser lives."""
    return datetime.combine(day, time.min, zone)


class Form(forms.Form):
    """Named errors of the services find their field. `echoed`: it brings back what was corrected, and is kept as it was
    typed, so that one press more means it.
    """

    echoed = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Of a field's own words nothing is changed; of what was sent, nothing is quoted.
        for field in self.fields.values():
            plain = getattr(field, "default_error_messages", {}).get("invalid_choice")
            if plain is not None and field.error_messages["invalid_choice"] == plain:
                field.error_messages["invalid_choice"] = NOT_OFFERED

    def blame(self, problem: TextProblem) -> None:
        """Put a TextProblem beside the field it names, or above the form."""
        self.add_error(problem.field if problem.field in self.fields else None, problem.detail)

    def refuse(self, refused: Refused, why_not: str = "") -> None:
        """Put why not, in better words where there are some, beside the field that it is about, or above the form."""
        field = refused.pointer.lstrip("/")
        self.add_error(field if field in self.fields else None, why_not or REFUSALS[refused.reason].sentence)
        self.echoed = refused.reason is Refusal.ECHO


class ProfileForm(Form):
    """What the person is called, and their time zone."""

    name = Line(label="Your name", max_length=MOST_LABEL, help_text="As your own pages show it.")
    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=ZONES,
        help_text="Times are shown in it.",
    )


class MemoryForm(Form):
    """A memory's label side and its value."""

    label = Line(label="What it is about", max_length=MOST_LABEL, help_text="Such as: Kitchen equipment")
    value = Words(
        label="What is to be remembered",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Kept sealed. Handed over only when you say so.",
    )
    category = forms.ChoiceField(
        label="Category",
        choices=CATEGORY_CHOICES,
        help_text="Anything but ordinary travels alone, and shows outside only its neutral label.",
    )
    neutral_label = Line(
        label="Neutral label",
        required=False,
        max_length=MOST_LABEL,
        help_text="For a special category: what others may see of it. Left empty, “A health memory” or the like.",
    )
    as_of = forms.DateField(
        label="True as of", required=False, widget=forms.DateInput(attrs={"type": "date"}), help_text="If it matters."
    )

    @property
    def kind(self) -> Category:
        return Category(self.cleaned_data["category"])


class AddForm(MemoryForm):
    """A new memory."""

    subject = Line(
        label="Subject",
        required=False,
        max_length=MOST_LABEL,
        help_text="A dotted path such as kitchen.equipment. Left empty, it is made from the label.",
    )
    claim = forms.ChoiceField(
        label="Confirm only, never show to others",
        required=False,
        choices=CLAIM_CHOICES,
        help_text="An attested memory is confirmed to those who ask. Its value is handed to nobody.",
    )
    sealed = forms.BooleanField(
        label="Seal it from guardians, and from whoever acts for me",
        required=False,
        help_text="They find no trace of it, and no assistant is offered it. You alone can see that it exists.",
    )
    field_order = ("label", "value", "category", "neutral_label", "claim", "subject", "as_of")

    @property
    def attested(self) -> Claim | None:
        return Claim(self.cleaned_data["claim"]) if self.cleaned_data["claim"] else None


class MarkForm(Form):
    """What sort of memory it is, what it weighs, and whether it stays at home."""

    sort = forms.ChoiceField(
        label="What sort of memory it is",
        required=False,
        choices=MEMORY_KIND_CHOICES,
        initial=Kind.SEMANTIC.value,
        help_text="What happened once fades soonest; how things are, last. Nothing is ever erased for it.",
    )
    weight = forms.IntegerField(
        label="What it weighs",
        required=False,
        min_value=LIGHTEST,
        max_value=HEAVIEST,
        initial=USUAL,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=f"From {LIGHTEST} to {HEAVIEST}. It orders lists, and decides nothing else.",
    )
    local_only = forms.BooleanField(
        label="It stays at home",
        required=False,
        help_text="It goes to no assistant and no model but those that are marked as running at home.",
    )

    def marks(self) -> dict[str, Any]:
        """As the services take them; what was not said is left out."""
        given = self.cleaned_data
        said = {"kind": given["sort"] and Kind(given["sort"]), "weight": given["weight"]}
        return {name: mark for name, mark in said.items() if mark} | {"local_only": given["local_only"]}


class SubjectForm(Form):
    """Under which subject a memory stands."""

    subject = Line(label="Subject", max_length=MOST_LABEL, help_text="A dotted path such as kitchen.equipment.")
    on_purpose = forms.BooleanField(required=False)  # the press that means it


class BackForm(Form):
    """A retired value, taken back on purpose."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    if_version = forms.IntegerField(widget=forms.HiddenInput)
    changed = forms.ChoiceField(
        label="What is kept now",
        required=False,
        choices=[("", "was wrong"), ("changed", "was true until now, and has changed back")],
    )
    why = Line(label="Why", required=False, max_length=MOST_RATIONALE, help_text="For its history.")


class ThenForm(Form):
    """A day to look at the file as of."""

    as_of = Day(label="What the file said on", required=False)
    true_at = Day(label="What was true on", required=False)


class KeepForm(MarkForm, AddForm):
    """A new memory of the holder's own."""

    valid_from = Day(label="True since", required=False, help_text="If it matters.")
    valid_to = Day(label="True until", required=False, help_text="The last day, where it has an end.")
    on_purpose = forms.BooleanField(required=False)  # the press that means it


class CorrectForm(MemoryForm):
    """A new version of a memory; refused when it moved on since `if_version`."""

    changed = forms.ChoiceField(
        label="What was kept until now",
        required=False,
        choices=[("", "It was wrong"), ("changed", "It was true, and has changed")],
    )
    valid_from = Day(
        label="The new one is true since",
        required=False,
        help_text="Before what is kept now began, it joins the history alone.",
    )
    valid_to = Day(label="The new one is true until", required=False, help_text="The last day, where it has an end.")
    why = Line(label="Why", required=False, max_length=MOST_RATIONALE, help_text="For its history.")
    on_purpose = forms.BooleanField(required=False)  # the press that means it
    if_version = forms.IntegerField(widget=forms.HiddenInput)
    shown = Shown(required=False)


class CheckForm(Form):
    """A text to be checked against the file."""

    text = Words(
        label="The text",
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text="An answer, a draft, or a piece of code. It is compared here and kept nowhere.",
    )


class RegisterForm(Form):
    """A new assistant."""

    name = Line(label="Name", max_length=MOST_LABEL, help_text="What you call it. Such as: Cookbot")
    domain = Line(
        label="Where it comes from", required=False, max_length=MOST_LABEL, help_text="Such as: cookbot.example"
    )


class InviteForm(Form):
    """Somebody to act for the holder."""

    email = Address(label="Their address", help_text="They sign in with it, under their own name.")
    role = forms.ChoiceField(
        label="As",
        choices=[("delegate", "Delegate: acts for you, an adult"), ("guardian", "Guardian: you are a minor")],
        help_text="What a delegate may do ends by itself, and only you renew it.",
    )
    level = forms.ChoiceField(
        label="They may",
        choices=[("view", "View the labels of ordinary memories"), ("decide", "View and decide, as you could")],
    )
    days = forms.ChoiceField(
        label="A delegate, for",
        choices=[("30", "30 days"), ("183", "6 months"), ("365", "a year"), ("548", "18 months, the most")],
        initial="365",
    )


class SpaceInviteForm(Form):
    """Somebody to belong to a space."""

    email = Address(label="Their address", help_text="They sign in with it, under their own name.")
    role = forms.ChoiceField(label="As")

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "role", ((role.value, words) for role, words in PLACES.items() if role in offered_in(kind)))


class ChildForm(Form):
    """A child of the household."""

    name = Line(label="Their name", max_length=MOST_LABEL)
    born_on = forms.DateField(
        label="Born on",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="What a guardian may do changes with birthdays. The day is not changed afterwards.",
    )
    time_zone = forms.ChoiceField(
        label="Where they live", choices=ZONES, help_text="Birthdays begin at midnight there."
    )
    email = Address(
        label="Their own address",
        required=False,
        help_text="With it they have a log-in of their own: they ask for a new password on the sign-in page.",
    )


class AddressForm(Form):
    """What a child will sign in with."""

    email = Address(
        label="Their own address",
        help_text="With it they set a password: “new password” on the sign-in page. From then on it is theirs alone.",
    )


class GuardianForm(Form):
    """Another guardian of a child."""

    email = Address(label="Their address", help_text="They sign in with it, under their own name.")
    level = forms.ChoiceField(
        label="They may",
        choices=[("view", "View the labels of ordinary memories"), ("decide", "View and decide, as you do")],
    )
