"""What the pages of entities and links take in."""

from collections.abc import Iterable
from typing import Any

from django import forms

from apps.memories.services.naming import Known
from apps.policy.ids import typed
from apps.policy.links import EntityKind
from apps.policy.text import visible
from apps.policy.types import Memory
from apps.web.forms import Form, Line, offer
from apps.web.words import ENTITIES

CHOOSE = {"required": "Choose one of them."}
ENTITY_KINDS = [(each.value, ENTITIES[each]) for each in EntityKind]


class EntityForm(Form):
    """Somebody or something that memories may be about."""

    name = Line(label="What you call them, or it")
    sort = forms.ChoiceField(label="It is a", choices=ENTITY_KINDS)

    @property
    def kind(self) -> EntityKind:
        return EntityKind(self.cleaned_data["sort"])


class AboutForm(Form):
    """Whom or what a memory is about, of those that are known."""

    entity = forms.ChoiceField(label="It is about")

    def __init__(self, known: Iterable[Known], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        offer(self, "entity", _chosen(known))


class MergeForm(Form):
    """Two that are one."""

    kept = forms.ChoiceField(label="This name stays", error_messages=CHOOSE)
    merged = forms.ChoiceField(label="and this is the same one", error_messages=CHOOSE)

    def __init__(self, known: Iterable[Known], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in self.fields:
            offer(self, name, [("", "Choose one"), *_chosen(known)])


class SameForm(Form):
    """Another memory that says the same."""

    other = forms.ChoiceField(label="The other one")

    def __init__(self, others: Iterable[Memory], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        found = [(typed("mem", each.memory_id), f"{visible(each.label)} · {each.subject}") for each in others]
        offer(self, "other", found)


def _chosen(known: Iterable[Known]) -> list[tuple[str, str]]:
    return [(typed("ent", each.entity.entity_id), visible(each.entity.name)) for each in known]
