"""Orders: what is to be erased is shown first, and then gone in one act."""

import secrets
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from kombu.exceptions import OperationalError

from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.erasure.services.planning import plan_within
from apps.erasure.services.repeating import hash_of_all, sent_before_within
from apps.erasure.services.telling import erased_within
from apps.ledger.format.opening import OrderOpening, commitment_of_order
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.erasing import BY_HAND, Basis, Derived, Order, Plan, Where, barred, check_words, judge
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Refused, Sent
from apps.policy.vocabulary import ReceiptKind, Refusal
from vault.celery import app
from vault.tokens import sent_hash

AT_ONCE = 1_000  # so many receipts are written within one act; what is left of a larger order's follows


@needs(Deed.ERASE)
def order(
    holder: Holder,
    where: Where,
    now: datetime,
    *,
    basis: Basis = Basis.WISH,
    request: str = "",
    derived: Derived | None = None,
    plan: str | None = None,
    search: bool = False,
    sent: Sent | None = None,
) -> Order | Refused:
    """Erase what is named, and everything that is there for its sake: from here on it is as if it had never been.

    `plan` is the digest of the preview it was decided on: it has to be given for whatever is not named one by one.
    `derived` says what becomes of what was made from it. `request` is what came with the order, such as a number: it is
    bound into its receipt and kept where it can be erased. With `search` the certificate waits for what looking for the
    words came to. All of it is gone when this returns; of more than AT_ONCE memories the receipts follow. What was
    `sent` before is answered with the order that it made.

    Refused as not-found, stale, lineage-choice, idempotency-reuse, or legal-hold (until when). Raises TextProblem.
    """
    words = check_words(request)
    if basis not in BY_HAND:
        return Refused(Refusal.FIELD_NOT_ALLOWED, "/basis")
    with act(holder.vault_id, holder.actor) as ordering:
        before = sent_before_within(holder, sent) if sent is not None else None
        if before is not None:
            ordering.cancel()
            return before if isinstance(before, Refused) else _as_seen(holder, before)
        no = barred(store.holds(holder.vault_id), now)
        found = plan_within(holder, where) if no is None else no
        agreed = judge(found, derived, plan, by_name=where.by_name) if isinstance(found, Plan) else found
        if isinstance(agreed, Refused):
            ordering.cancel()
            return agreed
        new = erase_planned_within(ordering, agreed, basis, now, words=words, search=search, sent=sent)
        erased_within(holder, ordering, new, now)
    if not new.certified and not search:
        go_on(holder.vault_id, new.order_id)
    return _as_seen(holder, new)


def record_ordered(within: Act, order_id: UUID, basis: Basis, words: str, salt: bytes) -> None:
    """The receipt of an order: bound to why, and to the words that came with it, by HMAC-SHA-256 under the salt."""
    bound = commitment_of_order(salt, basis.value, words)
    within.record(ReceiptKind.ERASURE_ORDERED, object=typed("ord", order_id), commitment=bound)


def go_on(vault_id: UUID, order_id: UUID) -> None:
    """Have the rest done. Where nobody hears of it, the clock's sweep finds it."""
    with suppress(OperationalError):
        app.send_task("erasure.carry_out", args=[str(vault_id), str(order_id)], retry=False)


def erase_planned_within(
    within: Act,
    plan: Plan,
    basis: Basis,
    now: datetime,
    *,
    words: str = "",
    search: bool = False,
    sent: Sent | None = None,
    beside: Counter[str] | None = None,
) -> Order:
    """Carry a plan out, within an act; with its certificate, unless that has to wait. `beside`: how many rows went from
    where with it that belong to no memory.
    """
    going, salt = plan.going, secrets.token_bytes(32)
    stays = memories.staying_within(within, going)
    new = Order(
        new_id(),
        basis,
        plan.choice or Derived.KEEP,
        len(going),
        now,
        within.actor,
        kept=stays.kept,
        still_held=stays.still_held,
        searching=search,
    )
    known_by = (sent_hash(within.actor, sent.key), hash_of_all(salt, sent)) if sent is not None else None
    store.add(within, new, words, salt, sent=known_by)
    record_ordered(within, new.order_id, basis, words, salt)
    suggested = plan.suggested if plan.choice is Derived.ERASE else frozenset()
    all_told = len(going) <= AT_ONCE
    counts = Counter(beside or ())
    if going:
        counts += memories.erase_within(within, going, now, new.order_id, suggested, tell=all_told)
    within.settle()
    new = replace(new, counts=counts, told=len(going) if all_told else 0)
    store.count(within, new.order_id, counts, new.told)
    if all_told and not search:
        certify_within(within, new, now)
        new = replace(new, done_at=now)
    return new


@needs(Deed.ERASE)
def orders(holder: Holder, limit: int = 50, before: UUID | None = None) -> tuple[Order, ...]:
    """The vault's orders, newest first; whoever acts for the holder is told of their own."""
    with reading(holder.vault_id, holder.actor):
        found = store.orders(holder.vault_id, limit, before, by=holder.actor if holder.acting else None)
    return tuple(_as_seen(holder, each) for each in found)


@needs(Deed.ERASE)
def erasure(holder: Holder, order_id: UUID) -> Order | None:
    """One order; None for an unknown id, and for somebody else's where this seat acts for the holder."""
    with reading(holder.vault_id, holder.actor):
        found = store.order(holder.vault_id, order_id)
    mine = found is not None and (not holder.acting or found.made_by == holder.actor)
    return _as_seen(holder, found) if found is not None and mine else None


def _as_seen(holder: Holder, order: Order) -> Order:
    """The order as this seat sees it: how many rows went with it, and what stays, would tell whoever acts for the
    holder of links, suggestions and memories that are sealed from them. What they may see, the preview told.
    """
    return replace(order, counts={}, kept=0, still_held=0, certificate=b"") if holder.acting else order


@needs(Deed.ERASE)
def forget_words(holder: Holder, order_id: UUID, now: datetime) -> Order | Refused:
    """Erase the words that came with an order, with the salt that binds them to its receipt: nobody can show any more
    what they were. Refused as not-found where there are none, as legal-hold (until when) while one stands.
    """
    found = erasure(holder, order_id)
    with act(holder.vault_id, holder.actor) as forgetting:
        no = barred(store.holds(holder.vault_id), now) if found is not None else None
        if no is not None:
            forgetting.cancel()
            return no
        if found is None or not store.forget_words(forgetting, order_id):
            forgetting.cancel()
            return Refused(Refusal.NOT_FOUND)
        forgetting.record(ReceiptKind.ERASURE_FORGOTTEN, object=typed("ord", order_id))
    return found


@needs(Deed.ERASE)
def words(holder: Holder, order_id: UUID) -> str:
    """The words that came with an order; empty where there were none, or they were erased."""
    if erasure(holder, order_id) is None:
        return ""
    with reading(holder.vault_id, holder.actor):
        return store.words(holder.vault_id, order_id)


@needs(Deed.ERASE)
def opening(holder: Holder, order_id: UUID) -> dict[str, str] | None:
    """The words that came with an order, with the salt that binds them and its basis to its receipt, JSON-ready: who is
    given it can check the one against the other. None where there were none, or they were erased.
    """
    found = erasure(holder, order_id)
    if found is None:
        return None
    with reading(holder.vault_id, holder.actor):
        said, salt = store.words_and_salt(holder.vault_id, order_id)
    vault, order = typed("vlt", holder.vault_id), typed("ord", order_id)
    return OrderOpening(vault, order, found.basis.value, said, salt).to_json() if said else None
