"""What a person wishes of mail, as they fill it in, and back from what was typed."""

from collections.abc import Mapping
from datetime import time
from typing import Any

from django import forms

from apps.policy.letters import Letter
from apps.policy.text import TextProblem
from apps.policy.wishes import AT_ONCE, MOST_PHRASE, Every, Quiet, Switch, Wishes
from apps.web.forms import Form, Line

EVERY = {
    Every.WEEKLY: "Once a week, on Monday",
    Every.DAILY: "Every day",
    Every.MONTHLY: "Once a month, on the first",
    Every.OFF: "Not at all",
}
HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]
# What cannot be switched off, as the page tells of it: that …
ALWAYS: Mapping[Letter, str] = {
    Letter.SIGNED_IN: "somebody signed in with a browser that was not known",
    Letter.FACTOR: "a way to sign in was added or taken away",
    Letter.KEY: "an assistant got a key",
    Letter.STOPPED: "an assistant, or something that it had been given, was stopped",
    Letter.SHARE_STOPPED: "what was shared by a link was stopped, or its code was tried too often",
    Letter.LEAVE_STOPPED: "your leave to act for somebody was ended",
    Letter.EMERGENCY: "a file was opened in an emergency",
    Letter.ERASED: "memories, or a whole vault, were erased",
    Letter.ENDED: "what an assistant had been given has ended by itself",
    Letter.LEAVE_ENDS: "leave to act for somebody is about to end",
    Letter.LEAVE_ENDED: "such leave has ended by itself",
    Letter.STEP: "a birthday changes who may act",
    Letter.TABLE: "guardians may do more, as a household has settled",
    Letter.SETTLED: "a space you belong to changed its rules",
    Letter.GOING: "the time of memories is nearly over",
}
OVER = "the time of what was shared by a link is over, or it was opened as often as it could be"
ON_OR_OFF = frozenset(Switch) - {Switch.RECEIPTS}  # each has a box of its name; how often receipts are told is chosen
NAMES = {"quiet": "quiet_until"}  # a wish's field: where this form asks for it


class Clock(forms.TimeField):
    """A time of the day, to the minute."""

    default_error_messages = {"invalid": "Write a time, such as 22:00."}

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
        super().__init__(required=False, widget=widget, input_formats=["%H:%M"], **kwargs)


class WishesForm(Form):
    """A person's wishes. `version` is the one they were shown with."""

    unused = "Nothing was kept yet."  # what stands before its problems

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    requests = forms.BooleanField(
        label="When somebody asks to read",
        required=False,
        help_text="Without it, what is asked waits in your inbox all the same.",
    )
    opened = forms.BooleanField(
        label="When a link you shared was opened",
        required=False,
        help_text="Without it, each opening stands on the page of what you shared.",
    )
    waiting = forms.BooleanField(
        label="How much is waiting for you, once a day",
        required=False,
        help_text="On no day on which nothing waits.",
    )
    receipts = forms.ChoiceField(
        label="What was handed over",
        choices=[(each.value, words) for each, words in EVERY.items()],
        help_text="By assistant: how many reads, how many of a protected category, how often refused. Never what.",
    )
    hour = forms.TypedChoiceField(
        label="These two letters come at", choices=HOURS, coerce=int, help_text="By the clock of your time zone."
    )
    quiet_from = Clock(label="Quiet from")
    quiet_until = Clock(
        label="Quiet until", help_text="What comes within goes when they end. Both empty: there are none."
    )
    phrase = Line(
        label="Words by which you know our letters",
        required=False,
        widget=forms.TextInput(attrs={"maxlength": MOST_PHRASE}),
        help_text="They stand in every letter to you, and in none to anybody else. Such as: The blue teapot",
    )

    def blame(self, problem: TextProblem) -> None:
        super().blame(TextProblem(NAMES.get(problem.field, problem.field), problem.detail))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for one, other in (("quiet_from", "quiet_until"), ("quiet_until", "quiet_from")):
            if given.get(one) is not None and given.get(other) is None and other not in self.errors:
                self.add_error(other, "Write both times, or neither.")
        return given

    def wish(self) -> Wishes:
        """The wishes as they were typed."""
        given = self.cleaned_data
        begins, ends = given["quiet_from"], given["quiet_until"]
        return Wishes(
            off=frozenset(each for each in ON_OR_OFF if not given[each.value]),
            receipts=Every(given["receipts"]),
            hour=given["hour"],
            quiet=_quiet(begins, ends),
            phrase=given["phrase"],
            version=given["version"],
        )


def always() -> tuple[list[str], list[str]]:
    """What comes whatever somebody wishes: what comes in their quiet hours too, and what waits until these end."""
    said = [(letter in AT_ONCE, words) for letter, words in ALWAYS.items()]
    return [words for at_once, words in said if at_once], [words for at_once, words in said if not at_once] + [OVER]


def _quiet(begins: time | None, ends: time | None) -> Quiet | None:
    return Quiet(begins, ends) if begins is not None and ends is not None else None


def as_typed(held: Wishes) -> dict[str, Any]:
    """Wishes as the form's fields show them."""
    return {
        "version": held.version,
        **{each.value: not held.lacks(each) for each in ON_OR_OFF},
        "receipts": held.receipts.value,
        "hour": str(held.hour),
        "quiet_from": held.quiet and held.quiet.begins,
        "quiet_until": held.quiet and held.quiet.ends,
        "phrase": held.phrase,
    }


def differing(form: WishesForm, held: Wishes) -> list[tuple[str, str]]:
    """Where what was typed is not what holds: each field's name, and what holds."""
    holds, given = as_typed(held), form.cleaned_data | {"hour": str(form.cleaned_data["hour"])}
    names = [name for name in form.fields if name != "version" and (given[name] or "") != (holds[name] or "")]
    return [(str(form.fields[name].label), _said(form.fields[name], holds[name])) for name in names]


def _said(field: forms.Field, value: Any) -> str:
    """A value as one reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return str(dict(getattr(field, "choices", [])).get(value, value)) if value else "none"
