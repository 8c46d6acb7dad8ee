"""Deeds of erasing: show what would go, order it, carry it out, certify it."""

from apps.erasure.services.carrying import carry_out, due, searched
from apps.erasure.services.ending import Ended, by_link, end_vault
from apps.erasure.services.holding import holds, lift, place
from apps.erasure.services.ordering import erasure, order, orders, words
from apps.erasure.services.planning import preview

__all__ = [
    "Ended",
    "by_link",
    "carry_out",
    "due",
    "end_vault",
    "erasure",
    "holds",
    "lift",
    "order",
    "orders",
    "place",
    "preview",
    "searched",
    "words",
]
