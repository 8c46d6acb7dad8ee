"""What a suggestion's card takes in, among those of all cards of its page."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict

from apps.policy.types import Memory
from apps.policy.vocabulary import Category
from apps.web.forms import AddForm, Shown, untouched


class ApproveForm(AddForm):
    """A proposal, as the holder makes it true. `shown` tells an untouched text from an edited one, `was` a category;
    `close`: beside it stood what it comes from, so that category and place are what the holder says of it.
    All cards of a page stand in one form, so that no press drops what was typed into another: fields bear its name.
    """

    shown = Shown(required=False)
    was = forms.CharField(widget=forms.HiddenInput, required=False, initial=Category.ORDINARY.value)
    close = forms.BooleanField(widget=forms.HiddenInput, required=False)
    local_only = forms.BooleanField(
        label="It stays at home",
        required=False,
        help_text="It goes to no assistant and no model but those that are marked as running at home.",
    )
    on_purpose = forms.BooleanField(label="I mean it: keep it again", required=False)

    def __init__(self, data: Any = None, *, card: str, initial: Any = None) -> None:
        super().__init__(data, prefix=card, initial=initial, auto_id="%s")

    def add_prefix(self, field_name: str) -> str:
        return of_card(str(self.prefix), field_name)

    def differs(self, label: str, subject: str) -> bool:
        """Was anything typed or chosen in it, beside what it was filled with? Asked of one that was sent."""

        def said(name: str) -> str:
            return str(self[name].data or "")

        return (
            said("label") != label
            or said("subject") not in ("", subject)
            or said("category") != said("was")
            or any(self[name].data for name in ("neutral_label", "claim", "sealed"))
            or bool(self["local_only"].data and not self["close"].data)
            or not untouched(said("value"), self.fields["shown"].clean(said("shown")))
        )


def beside_sources(form: ApproveForm, sources: Sequence[Memory], category: Category) -> ApproveForm:
    """A card in sight of what it comes from: of that category, and at home as that is, unless the holder says no."""
    home = any(each.local_only for each in sources)
    given = {"close": "on", "category": category.value, "was": category.value, "local_only": "on" if home else ""}
    if not form.is_bound:
        form.initial = {**form.initial, **given}
    elif not form["close"].data:
        posted = cast(QueryDict, form.data).copy()
        posted.update({form.add_prefix(name): said for name, said in given.items()})
        form.data = posted
    return form


def of_card(card: str, name: str) -> str:
    """What a field of one card is called among those of all."""
    return f"{card}_{name}"
