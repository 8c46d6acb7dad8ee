"""The disclosure report: who was told what about the holder, when, for what and on which basis. Pure, and content-free.

The first five columns are what an accounting of disclosures asks for (45 CFR 164.528(b)(2)); a roll-up is the summary
of repeated ones that it allows (b)(3).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime

from apps.policy.ids import instant
from apps.policy.types import Receipt
from apps.policy.vocabulary import NEUTRAL_LABELS, Category, Form, ReceiptKind

ABSENT = "-"
ORDINARY = "An ordinary memory"
TO_THE_PERSON = "y: (a)(1)(ii), to the individual"
NOT_EXCLUDED = "n"
BY_LINK = "Whoever had a link that was shared"
WITHIN = frozenset({"mdl_stand-in", "sys_index"})  # nothing leaves the instance: no disclosure


@dataclass(frozen=True, slots=True)
class Disclosure:
    """One hand-over, or several alike rolled up: `last` is then the time of the last one, and `number` how many."""

    at: datetime
    recipient_name: str
    recipient_address: str
    description: str
    purpose: str
    basis: str
    actor: str
    on_behalf_of: str
    category: str
    seq: int
    excluded: str
    number: int = 1
    last_at: datetime | None = None
    last_seq: int = 0

    def cells(self) -> dict[str, str]:
        """By the columns' names. Rolled up: a span of time, how many, and the first and the last receipt."""
        last_at = self.last_at if self.number > 1 else None
        return {
            "date_time": f"{instant(self.at)}/{instant(last_at)}" if last_at else instant(self.at),
            "recipient_name": self.recipient_name,
            "recipient_address": self.recipient_address,
            "description": f"{self.description}, {self.number} times" if last_at else self.description,
            "purpose": self.purpose,
            "basis": self.basis,
            "actor": self.actor,
            "on_behalf_of": self.on_behalf_of,
            "category": self.category,
            "receipt_no": f"rcp_{self.seq}/rcp_{self.last_seq}" if last_at else f"rcp_{self.seq}",
            "excluded_from_164_528": self.excluded,
        }


COLUMNS = (
    "date_time",
    "recipient_name",
    "recipient_address",
    "description",
    "purpose",
    "basis",
    "actor",
    "on_behalf_of",
    "category",
    "receipt_no",
    "excluded_from_164_528",
)
_ALIKE = [each.name for each in fields(Disclosure) if each.name not in {"at", "seq", "number", "last_at", "last_seq"}]


def disclosures_of(receipts: Iterable[Receipt], parties: Mapping[str, tuple[str, str]]) -> Iterable[Disclosure]:
    """The hand-overs among these receipts, in their order. `parties`: what a recipient is called, and its address.

    A read on a grant rests on consent, what was opened by a link on its having been shared, and what somebody looked at
    in an emergency on that. What the person was shown themself is told, and excluded from an accounting; what stayed
    within the instance, and what was refused, is no disclosure.
    """
    for each in receipts:
        if each.form not in (Form.VALUE, Form.ATTESTED) or each.recipient in WITHIN:
            continue
        name, address = parties.get(each.recipient, (ABSENT, ABSENT))
        if each.recipient.startswith("lnk_"):
            name, address = name if name not in ("", ABSENT) else BY_LINK, address or ABSENT
        if each.recipient.startswith("mdl_"):
            name = address = each.recipient.removeprefix("mdl_").removeprefix("local/")
        said = NEUTRAL_LABELS.get(Category(each.category), ORDINARY)
        yield Disclosure(
            at=each.at,
            recipient_name=name,
            recipient_address=address,
            description=f"{said}, confirmed without its value" if each.form == Form.ATTESTED else said,
            purpose=each.purpose,
            basis=_basis(each),
            actor=each.actor,
            on_behalf_of=each.on_behalf_of,
            category=each.category,
            seq=each.seq,
            excluded=TO_THE_PERSON if each.recipient.startswith("hld_") else NOT_EXCLUDED,
        )


def _basis(receipt: Receipt) -> str:
    if receipt.kind == ReceiptKind.VALUE_READ:
        return "consent"
    if receipt.kind in (ReceiptKind.VALUE_OPENED, ReceiptKind.VALUE_VIEWED):
        return "shared"
    return "emergency" if receipt.actor.startswith("emg_") else ABSENT


def rolled_up(disclosures: Iterable[Disclosure]) -> tuple[Disclosure, ...]:
    """Those that differ in nothing but when: one line each, in the order of their first."""
    found: dict[tuple[str, ...], Disclosure] = {}
    for each in disclosures:
        key = tuple(str(getattr(each, name)) for name in _ALIKE)
        first = found.get(key, each)
        number = first.number + 1 if key in found else 1
        found[key] = replace(first, number=number, last_at=each.at, last_seq=each.seq)
    return tuple(found.values())
