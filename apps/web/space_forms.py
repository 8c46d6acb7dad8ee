"""What a space's admins fill in: its policy, field by field, and back from what was typed to a policy."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms

from apps.policy.ids import typed, untyped
from apps.policy.people import Membership, SpacePolicy
from apps.policy.retention import MEMORIES_DAYS, TURNS_DAYS, WORDS_DAYS, Keeping, Kept, days_of
from apps.policy.text import TextProblem
from apps.policy.tiers import tiers_until, until
from apps.policy.vocabulary import Category, Level
from apps.web.forms import CATEGORY_CHOICES, Form, Words, offer

# A policy's field: where this form asks for it.
NAMES = {"most_ttl_seconds": "lasts", "tiers": "looks_until", "keeping": "turns_days"}
CLINIC_ONLY = ("review_categories", "break_glass", "privacy_lead")
UNITS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
# Of a policy, what is typed as it is kept.
AS_KEPT = "most_reads lapse_days cool_down_hours share_hours_most share_opens_most preselect notice".split()


class PolicyForm(Form):
    """A space's policy. `version` is the one it was shown with."""

    unused = "Nothing was settled yet."  # what stands before its problems

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    review_categories = forms.MultipleChoiceField(
        label="A yes waits for a reviewer, for",
        choices=CATEGORY_CHOICES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="A reviewer decides second, and never sees a value. The person’s own chat is not reviewed.",
    )
    break_glass = forms.BooleanField(
        label="Emergencies: whom you invite for it may open a file for an hour without being asked in",
        required=False,
        help_text="The person and the privacy lead are told at once, and each time is looked at afterwards.",
    )
    privacy_lead = forms.ChoiceField(
        label="Privacy lead",
        required=False,
        help_text="Is told of each emergency, and looks at what others did in it. Needed while emergencies are on.",
    )
    lasts = forms.IntegerField(
        label="A grant lasts at most",
        required=False,
        min_value=1,
        max_value=366 * 86_400,
        help_text="Empty: as long as the person says, up to 366 days.",
    )
    lasts_unit = forms.ChoiceField(label="Counted in", choices=[(each, each) for each in UNITS])
    most_reads = forms.IntegerField(
        label="A grant is for at most so many reads",
        required=False,
        min_value=1,
        max_value=100_000,
        help_text="Empty: as many as the person says.",
    )
    lapse_days = forms.IntegerField(
        label="Unused, a grant ends by itself after days",
        min_value=7,
        max_value=365,
        help_text="Of grants that are given from now on.",
    )
    cool_down_hours = forms.IntegerField(
        label="After a no, an assistant may ask again after hours", min_value=1, max_value=720
    )
    share_hours_most = forms.IntegerField(
        label="A shared link lasts at most hours",
        min_value=0,
        max_value=720,
        help_text="Of links that are made from now on. 0: nobody shares by links here.",
    )
    share_opens_most = forms.IntegerField(label="And can be opened at most times", min_value=1, max_value=50)
    preselect = forms.BooleanField(
        label="Ordinary memories are ticked before the person has looked",
        required=False,
        help_text="A special category never is.",
    )
    decides_until = forms.IntegerField(
        label="A guardian decides until the child is, in years",
        min_value=0,
        max_value=21,
        help_text="0: a guardian never decides.",
    )
    looks_until = forms.IntegerField(
        label="A guardian may look until the child is, in years",
        min_value=0,
        max_value=21,
        help_text="At what ordinary memories are about, and no more. From then on a guardian may do nothing.",
    )
    turns_days = forms.IntegerField(
        label="Conversations go after days",
        required=False,
        min_value=TURNS_DAYS[0],
        max_value=TURNS_DAYS[1],
        help_text="Empty: they are kept for good.",
    )
    proposals_days = forms.IntegerField(
        label="What was suggested and decided loses its words after days",
        min_value=WORDS_DAYS[0],
        max_value=WORDS_DAYS[1],
    )
    notes_days = forms.IntegerField(
        label="What was asked for and decided loses its note after days",
        min_value=WORDS_DAYS[0],
        max_value=WORDS_DAYS[1],
    )
    notice = Words(
        label="Your own notice",
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Stands below ours wherever people here decide; a paragraph a line. Receipts are bound to its words.",
    )

    def __init__(self, *args: Any, kind: str, leads: Iterable[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for value, called in CATEGORY_CHOICES:
            self.fields[_kept(value)] = forms.IntegerField(
                label=called, required=False, min_value=MEMORIES_DAYS[0], max_value=MEMORIES_DAYS[1]
            )
        if kind != "clinic":
            for name in CLINIC_ONLY:
                del self.fields[name]
            return
        chosen = [(typed("usr", each.user_id), each.name) for each in leads]
        offer(self, "privacy_lead", [("", "Nobody"), *chosen])

    @property
    def kept(self) -> list[forms.BoundField]:
        """After how many days memories of a category go."""
        return [self[_kept(value)] for value, _ in CATEGORY_CHOICES]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        decides, looks = given.get("decides_until"), given.get("looks_until")
        if decides is not None and looks is not None and looks < decides:
            self.add_error("looks_until", f"Who may decide may look: write {decides} or more.")
        return given

    def blame(self, problem: TextProblem) -> None:
        super().blame(TextProblem(NAMES.get(problem.field, problem.field), problem.detail))

    def wish(self, settled: SpacePolicy) -> SpacePolicy:
        """The policy that was typed; what this page does not ask for stays as it is."""
        given = self.cleaned_data
        return replace(
            settled,
            version=given["version"],
            most_ttl_seconds=given["lasts"] and given["lasts"] * UNITS[given["lasts_unit"]],
            tiers=tiers_until(given["decides_until"], given["looks_until"]),
            keeping=self._keeping(),
            **{name: given[name] for name in AS_KEPT},
            **self._of_a_clinic(),
        )

    def _keeping(self) -> Keeping:
        given = self.cleaned_data
        kept = tuple(Kept(each, given[_kept(each)]) for each in Category if given[_kept(each)] is not None)
        return Keeping(given["turns_days"], given["proposals_days"], given["notes_days"], kept)

    def _of_a_clinic(self) -> dict[str, Any]:
        """What a household is not asked for."""
        if "break_glass" not in self.fields:
            return {}
        given = self.cleaned_data
        return {
            "review_categories": frozenset(map(Category, given["review_categories"])),
            "break_glass": given["break_glass"],
            "privacy_lead": untyped("usr", given["privacy_lead"]),
        }


def as_typed(settled: SpacePolicy) -> dict[str, Any]:
    """A policy as the form's fields show it."""
    lead: UUID | None = settled.privacy_lead
    return {
        "version": settled.version,
        "review_categories": [each.value for each in Category if each in settled.review_categories],
        "break_glass": settled.break_glass,
        "privacy_lead": typed("usr", lead) if lead else "",
        **_lasts(settled.most_ttl_seconds),
        **{name: getattr(settled, name) for name in AS_KEPT},
        "decides_until": until(settled.tiers, Level.DECIDE),
        "looks_until": until(settled.tiers, Level.VIEW),
        "turns_days": settled.keeping.turns_days,
        "proposals_days": settled.keeping.proposals_days,
        "notes_days": settled.keeping.notes_days,
        **{_kept(value): days_of(settled.keeping.memories).get(value) for value, _ in CATEGORY_CHOICES},
    }


def _kept(category: str) -> str:
    """The field for after how many days memories of a category go."""
    return f"kept-{category}"


def differing(form: PolicyForm, settled: SpacePolicy) -> list[tuple[str, str]]:
    """Where what was typed is not what holds: each field's name, and what holds."""
    held = as_typed(settled)
    names = [name for name in form.fields if name != "version" and form.cleaned_data[name] != held[name]]
    return [(str(form.fields[name].label), _said(form.fields[name], held[name])) for name in names]


def _said(field: forms.Field, value: Any) -> str:
    """A value as one reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    called = dict(getattr(field, "choices", []))
    if isinstance(value, list):
        return ", ".join(str(called[each]) for each in value) or "none"
    return str(called.get(value, value)) if value not in (None, "") else "empty"


def _lasts(seconds: int | None) -> dict[str, Any]:
    """A length of time as it is typed: in the largest unit of which it is a whole number."""
    unit = next((each for each, length in UNITS.items() if seconds and seconds % length == 0), "days")
    return {"lasts": seconds and seconds // UNITS[unit], "lasts_unit": unit}
