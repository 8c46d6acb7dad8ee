"""Deeds of erasing: show what would go, order it, carry it out, certify it."""

from apps.erasure.horizon import horizon_days
from apps.erasure.personal import Personal
from apps.erasure.services.auditing import MOST_TOLD, Audit, Found, audit, audit_vault
from apps.erasure.services.carrying import carry_out, due, searched
from apps.erasure.services.certificates import certificate_file, file_by_link
from apps.erasure.services.certifying import CERTIFICATE_LIMITS
from apps.erasure.services.ending import Ended, by_link, end_guest, end_vault
from apps.erasure.services.finding import Personals, personal_data
from apps.erasure.services.holding import holds, holds_at, lift, place
from apps.erasure.services.ordering import erasure, forget_words, opening, order, orders, words
from apps.erasure.services.planning import preview
from apps.erasure.services.reclaiming import NIGHT, backed_up_at, not_overwritten, reclaim, reclaimed_at, who_may
from apps.erasure.services.retaining import going_soon, retain
from apps.erasure.services.searching import MOST_SEARCHED, order_and_search

__all__ = [
    "CERTIFICATE_LIMITS",
    "MOST_SEARCHED",
    "MOST_TOLD",
    "NIGHT",
    "Audit",
    "Ended",
    "Found",
    "Personal",
    "Personals",
    "audit",
    "audit_vault",
    "backed_up_at",
    "by_link",
    "carry_out",
    "certificate_file",
    "due",
    "end_guest",
    "end_vault",
    "erasure",
    "file_by_link",
    "forget_words",
    "going_soon",
    "holds",
    "holds_at",
    "horizon_days",
    "lift",
    "not_overwritten",
    "opening",
    "order",
    "order_and_search",
    "orders",
    "personal_data",
    "place",
    "preview",
    "reclaim",
    "reclaimed_at",
    "retain",
    "searched",
    "who_may",
    "words",
]
