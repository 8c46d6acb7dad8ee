"""An erasure audit over rows: is anything left of what was erased. Coverage is told before any verdict."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from apps.erasure import audited
from apps.erasure.audited import Left
from apps.erasure.services.holding import OPERATOR
from apps.ledger import services as ledger
from apps.ledger.format.audit import MOST_TOLD as MOST_TOLD
from apps.ledger.format.audit import Audit as Audit
from apps.ledger.format.audit import Found as Found
from apps.ledger.format.strict import counted
from apps.ledger.format.verdict import Finding
from apps.ledger.log import reading
from apps.policy.erasing import Basis
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder

IN_HAND = timedelta(minutes=15)  # an order that nobody touched for so long was left
_UNASKED = (Basis.PROPOSAL.value, Basis.RESTORED.value)  # such orders say nothing of what was made from it
_PREFIX = {"proposal": "prp", "turn": "trn"}
_NAMES = {
    "memory": "its row still has words",
    "version": "an earlier version of it still has words",
    "print": "by what its words are recognised is still kept",
    "proposal": "a suggestion that names {} still has words",
    "turn": "a conversation in which {} was used still opens",
}
_UNMATCHED = {
    "no-receipt": "it has a tombstone, and no receipt says that it was erased",
    "no-order": "it has a tombstone of an order that is nowhere",
    "no-tombstone": "receipt {} says that it was erased, and it has no tombstone",
    "twice": "it was erased more than once, last by receipt {}",
}


@needs(Deed.END)
def audit(holder: Holder, now: datetime) -> Audit:
    """Whether anything is left in the vault of what was erased: for the holder alone, for it tells of everything. Ids
    and numbers, no word. What it cannot tell is no pass.
    """
    return _audit(holder.vault_id, holder.actor, now)


def audit_vault(vault_id: UUID, now: datetime) -> Audit | None:
    """The same for the operator, at the instance itself; also of a vault that was erased. None where there is no ledger
    of such a vault.
    """
    if not ledger.receipts(vault_id, OPERATOR, limit=1):
        return None
    return _audit(vault_id, OPERATOR, now)


def _audit(vault_id: UUID, actor: str, now: datetime) -> Audit:
    with reading(vault_id, actor, still=True):
        found = audited.left(vault_id, actor, _UNASKED)
    return Audit(tuple(_coverage(found)), tuple(_findings(found, now)), tuple(_unaudited(found, now)))


def _coverage(found: Left) -> Iterator[str]:
    whole = " The whole vault was." if found.whole else ""
    erased = counted(found.erased, "memory was", "memories were")
    yield f"{erased} erased, by {counted(found.orders, 'order')}.{whole}"
    kept = counted(found.living, "memory is", "memories are")
    yield f"{kept} kept, {found.came_of} of them suggested by assistants."
    if found.came_of:
        silent = found.came_of - found.declared
        yield (
            f"Of these, {found.declared} name what they were made from, {silent} name nothing; of the latter, "
            f"{found.undeclared} came of assistants that had been handed memories before."
        )
    if by_choice := sum(chosen for *_, chosen in found.dangling):
        stays = "stays" if by_choice == 1 else "stay"
        yield f"{counted(by_choice, 'thing')} made from what was erased {stays}: the order says so."


def _unaudited(found: Left, now: datetime) -> Iterator[str]:
    many, of = found.doubtful
    if many:
        yield (
            f"{counted(many, 'memory', 'memories')} may have been made from {counted(of, 'memory', 'memories')} erased "
            "since: an assistant that had been handed that suggested it afterwards, and named nothing it was made from."
        )
    for order_id, touched_at, told, memories in found.unfinished:
        if now - touched_at <= IN_HAND:
            yield f"{typed('ord', order_id)} is being carried out: {told} of {memories}."


def _findings(found: Left, now: datetime) -> Iterator[Finding]:
    for memory_id, what in found.keys:
        yield Finding(typed("mem", memory_id), f"it was erased, and its {what} is still there")
    for what, named, memory_id in found.still:
        sentence = _NAMES[what].format(typed("mem", memory_id))
        yield Finding(typed(_PREFIX.get(what, "mem"), named), f"{sentence}, and it was erased")
    for what, made, source, chosen in found.dangling:
        if not chosen:
            yield Finding(
                typed(_PREFIX.get(what, "mem"), made), f"it was made from {typed('mem', source)}, which was erased"
            )
    for _, made, source in found.no_origin:
        sentence = f"it is said to have been made from {typed('mem', source)}, which was never here"
        yield Finding(typed("mem", made), sentence)
    for what, memory_id, seq in found.unmatched:
        yield Finding(typed("mem", memory_id), _UNMATCHED[what].format(seq))
    for order_id, touched_at, told, memories in found.unfinished:
        if now - touched_at > IN_HAND:
            yield Finding(typed("ord", order_id), f"it was left at {told} of {memories}, and is not certified")
