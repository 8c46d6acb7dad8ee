"""Which lines of the ledger a page shows."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from apps.policy.vocabulary import ReceiptKind
from apps.web.deeds import KINDS
from apps.web.forms import CATEGORY_CHOICES, Form, midnight, offer

KIND_CHOICES = [("", "Everything"), *((each.value, f"{KINDS[each].noun} {KINDS[each].done}") for each in ReceiptKind)]


class LedgerFilter(Form):
    """Which lines of the ledger, and in whose time."""

    unused = "This filter can’t be used, so every line is shown."  # what stands before its problems

    assistant = forms.ChoiceField(required=False)
    category = forms.ChoiceField(required=False, choices=[("", "All"), *CATEGORY_CHOICES])
    kind = forms.ChoiceField(required=False, choices=KIND_CHOICES)
    start = forms.DateField(label="From", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    end = forms.DateField(label="To", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    times = forms.ChoiceField(required=False, choices=[("", "My time"), ("utc", "UTC")])

    def __init__(self, *args: Any, assistants: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "assistant", [("", "All"), *assistants.items()])

    def zone(self, own: str) -> str:
        """The zone that times are shown and days are meant in."""
        return "UTC" if self.cleaned_data.get("times") == "utc" else own

    def query(self, zone: ZoneInfo) -> dict[str, Any]:
        """The filters as `ledger.receipts` takes them. A day begins at midnight in `zone`."""
        given = self.cleaned_data
        named = {"actor": given.get("assistant"), "category": given.get("category"), "kind": given.get("kind")}
        found: dict[str, Any] = {name: value for name, value in named.items() if value}
        if given.get("start"):
            found["start"] = midnight(given["start"], zone)
        if given.get("end"):
            found["end"] = midnight(given["end"] + timedelta(days=1), zone)
        return found
