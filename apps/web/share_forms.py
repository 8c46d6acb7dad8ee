"""What is filled in around a share: what goes into it, for how long, for whom, and what is asked of them."""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django import forms

from apps.policy.ids import typed
from apps.policy.shares import LASTS, MOST_NOTE, MOST_RECIPIENTS, OPENS, Code, Recipient, code_of
from apps.policy.text import MOST_LABEL, TextProblem, visible
from apps.policy.types import Memory, Sent
from apps.shares import services as shares
from apps.web.forms import Address, Form, Line, offer
from apps.web.templatetags.muniment import span

HOURS = (1, 4, 24, 72, 168, 720)  # that are offered, as far as the space lets a share last
USUAL = ""  # as `code_of` has it
CODE_CHOICES = [
    (USUAL, "As usual: by mail, or none"),
    (Code.NONE.value, "None"),
    (Code.PIN.value, "A PIN that I tell them"),
]


class ShareForm(Form):
    """A new share."""

    unused = "Nothing was shared yet."

    memories = forms.MultipleChoiceField(
        label="What to share",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Tick at least one.",
            "invalid_choice": "One that was ticked cannot be shared any more. Look through them, and go on.",
        },
    )
    lasts = forms.ChoiceField(label="It lasts")
    opens = forms.IntegerField(
        label="How often it can be opened",
        initial=OPENS,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text="By all of them together. Whoever opened it can look again for 15 minutes, which isn’t counted.",
    )
    note = Line(
        label="Your words to them",
        required=False,
        max_length=MOST_NOTE,
        help_text="They stand in the mail too, so write nothing that is to stay between you.",
    )
    code = forms.ChoiceField(
        label="A code besides the link",
        required=False,
        choices=CODE_CHOICES,
        help_text="Usual are six digits by mail, where everybody named has an address. With a code, a link that went"
        " astray opens nothing. After five wrong ones their link waits.",
    )
    pin = Line(
        label="The PIN",
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text="Where you chose one: 6 to 12 digits. Tell it to them in another way than the link.",
    )

    def __init__(self, *args: Any, offered: Iterable[Memory], bounds: shares.Bounds, **more: Any) -> None:
        super().__init__(*args, **more)
        self.kept = {typed("mem", each.memory_id): each for each in offered}
        offer(self, "memories", ((name, visible(each.label)) for name, each in self.kept.items()))
        offer(self, "lasts", _lengths(bounds.hours_most))
        self.fields["lasts"].initial = _hours(LASTS)
        self.fields["opens"].help_text = f"At most {bounds.opens_most} times. {self.fields['opens'].help_text}"
        for number in range(1, MOST_RECIPIENTS + 1):
            self.fields[f"name_{number}"] = Line(label="Their name", required=False, max_length=MOST_LABEL)
            self.fields[f"address_{number}"] = Address(label="Their e-mail address", required=False)

    @property
    def ids(self) -> list[UUID]:
        """The memories that were chosen, in the order of the list."""
        chosen = set(self.cleaned_data["memories"])
        return [each.memory_id for name, each in self.kept.items() if name in chosen]

    @property
    def boxes(self) -> list[tuple[Any, Memory]]:
        """A box to tick for each memory that may be shared, and the memory."""
        return [(box, self.kept[box.data["value"]]) for box in self["memories"]]

    @property
    def named(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of whom it is for, a name and an address each."""
        return [(self[f"name_{number}"], self[f"address_{number}"]) for number in range(1, MOST_RECIPIENTS + 1)]

    @property
    def more(self) -> bool:
        """Is anybody named but the first one?"""
        return any(field.value() or field.errors for pair in self.named[1:] for field in pair)

    @property
    def rest(self) -> list[forms.BoundField]:
        """Everything that was filled in, to be carried unseen."""
        return [field for field in self if field.name != "memories"]

    def clean(self) -> dict[str, Any]:
        """Who has an address has a name."""
        given = super().clean() or self.cleaned_data
        for number in range(1, MOST_RECIPIENTS + 1):
            if given.get(f"address_{number}") and not given.get(f"name_{number}"):
                self.add_error(f"name_{number}", "Say whose address this is.")
        return given

    @property
    def people(self) -> list[int]:
        """Which of the pairs of fields name somebody."""
        return [number for number in range(1, MOST_RECIPIENTS + 1) if self.cleaned_data.get(f"name_{number}")]

    def terms(self) -> dict[str, Any]:
        """As the services take them."""
        given = self.cleaned_data
        people = [Recipient(given[f"name_{number}"], given[f"address_{number}"]) for number in self.people]
        return {
            "lasts": timedelta(hours=int(given["lasts"])),
            "opens": given["opens"],
            "note": given["note"],
            "recipients": people,
            "code": code_of(Code(given["code"]) if given["code"] else None, people),
            "pin": given["pin"],
        }

    def sent(self, key: str) -> Sent | None:
        """As what a press is known that is sent again, by the key that its page carried; None without one."""
        told = repr((self.ids, *self.terms().items()))
        return Sent(f"page {key}", sha256(told.encode()).hexdigest()) if key else None

    def blame(self, problem: TextProblem) -> None:
        """What is wrong with one of those it is for stands there; what is wrong with all of them, at the first."""
        if problem.part:
            number = self.people[int(problem.part)]
            super().blame(TextProblem(f"{problem.field}_{number}", problem.detail))
        else:
            named = {"recipients": "name_1"}
            super().blame(TextProblem(named.get(problem.field, problem.field), problem.detail))


def _lengths(most: int) -> list[tuple[str, str]]:
    """The lengths up to the most there may be, which is one of them."""
    return [(str(hours), span(timedelta(hours=hours))) for hours in sorted({*(h for h in HOURS if h < most), most})]


def _hours(length: timedelta) -> str:
    return str(int(length / timedelta(hours=1)))
