"""A symbol whose place another one takes, within the act that approves it: its name is what the memory said before, so
that a text which still has it is found.
"""

from dataclasses import replace

from apps.ledger.log import Act
from apps.memories import prints, store, versions
from apps.memories.services.approving import Approval, Outcome
from apps.memories.services.keeping import about
from apps.memories.versions import Line
from apps.policy.vocabulary import Ended, ReceiptKind


def keep_replaced(within: Act, approval: Approval, done: Outcome) -> None:
    """The replaced symbol's name as a retired version of the memory that names the new one, its receipt included.
    Nothing where the proposal replaces no symbol, or the memory said so already.
    """
    old, memory = approval.proposal.candidate.old, done.memory
    if not old or memory is None:
        return
    key = store.vault_key_for_writing(within, approval.now)
    whole = prints.of(key, old).whole
    said = prints.like(within.vault_id, [whole]).get(whole, [])
    lines = versions.at(within.vault_id, [each for each in said if each[0] == memory.memory_id])
    if any(each.ended_as is not Ended.PROPOSED for each in lines.values()):
        return
    before = replace(memory, version=versions.next_number(within, memory.memory_id))
    line = Line(approval.proposal.rationale, proposal_id=approval.proposal.proposal_id)
    versions.write(within, before, approval.now, line, Ended.CHANGED)
    store.put(within, key, before, old)
    within.record(ReceiptKind.MEMORY_BACKDATED, **about(before))
