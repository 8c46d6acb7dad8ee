"""Deeds on memories: the holder's file, proposals, recall."""

from apps.memories.services.arriving import arrive, arrived, cancel
from apps.memories.services.bulk import Batch, Done, Item, approve_many, reject_many
from apps.memories.services.catching_up import catch_up
from apps.memories.services.checking import Find, check_size, check_texts, finds
from apps.memories.services.correcting import correct, resolve
from apps.memories.services.deciding import Approved, approve
from apps.memories.services.decisions import Lately, decided, undoable
from apps.memories.services.ending import expire, withdraw, withdraw_all
from apps.memories.services.erasing import (
    Staying,
    accounts_for_erasing,
    bars_erasing,
    end_within,
    erase_within,
    joins_erasing,
    staying_within,
    tell_within,
)
from apps.memories.services.file import (
    add,
    mark,
    memories,
    memory,
    put_away,
    put_back,
    rescope,
    seal_from_guardians,
)
from apps.memories.services.holding import (
    Holding,
    about_within,
    holding_within,
    kept_within,
    named_within,
    suggested_within,
)
from apps.memories.services.inbox import (
    MOST_LISTED,
    Beside,
    Side,
    beside,
    count_pending,
    proposal,
    proposals,
    proposals_of,
    reopened,
    show_beside,
    show_candidates,
)
from apps.memories.services.keeping import (
    about,
    due,
    keep,
    vault_key,
    vault_key_for_writing,
)
from apps.memories.services.key_epochs import Standing, Turned, standing, turn
from apps.memories.services.linking import hidden_objects
from apps.memories.services.offering import fact, facts, facts_of_query, facts_query, facts_within
from apps.memories.services.origin import Origin, origin
from apps.memories.services.past import Then, history, predecessor, then
from apps.memories.services.ranking import ranked, worth_another_look
from apps.memories.services.recall import due_for_index, forget_handles, read_anew, rebuild_index, search
from apps.memories.services.reconsidering import lift, rebase
from apps.memories.services.rejecting import reject
from apps.memories.services.restoring import reaffirm, revert
from apps.memories.services.rotating import joins_rotations, rotate
from apps.memories.services.showing import MOST_SHOWN, Shown, show, show_past
from apps.memories.services.sight import proposed_within, sealed_within
from apps.memories.services.staging import own_proposal, own_proposals, propose
from apps.memories.services.telling import tell
from apps.memories.services.undoing import undo, undo_batch
from apps.policy.staging import APPROVER_ONLY, MOST_AT_ONCE

__all__ = [
    "APPROVER_ONLY",
    "MOST_AT_ONCE",
    "MOST_LISTED",
    "MOST_SHOWN",
    "Approved",
    "Batch",
    "Beside",
    "Done",
    "Find",
    "Holding",
    "Item",
    "Lately",
    "Origin",
    "Shown",
    "Side",
    "Standing",
    "Staying",
    "Then",
    "Turned",
    "about",
    "about_within",
    "accounts_for_erasing",
    "add",
    "approve",
    "approve_many",
    "arrive",
    "arrived",
    "bars_erasing",
    "beside",
    "cancel",
    "catch_up",
    "check_size",
    "check_texts",
    "correct",
    "count_pending",
    "decided",
    "due",
    "due_for_index",
    "end_within",
    "erase_within",
    "expire",
    "fact",
    "facts",
    "facts_of_query",
    "facts_query",
    "facts_within",
    "finds",
    "forget_handles",
    "hidden_objects",
    "history",
    "holding_within",
    "joins_erasing",
    "joins_rotations",
    "keep",
    "kept_within",
    "lift",
    "mark",
    "memories",
    "memory",
    "named_within",
    "origin",
    "own_proposal",
    "own_proposals",
    "predecessor",
    "proposal",
    "proposals",
    "proposals_of",
    "propose",
    "proposed_within",
    "put_away",
    "put_back",
    "ranked",
    "read_anew",
    "reaffirm",
    "rebase",
    "rebuild_index",
    "reject",
    "reject_many",
    "reopened",
    "rescope",
    "resolve",
    "revert",
    "rotate",
    "seal_from_guardians",
    "sealed_within",
    "search",
    "show",
    "show_beside",
    "show_candidates",
    "show_past",
    "standing",
    "staying_within",
    "suggested_within",
    "tell",
    "tell_within",
    "then",
    "turn",
    "undo",
    "undo_batch",
    "undoable",
    "vault_key",
    "vault_key_for_writing",
    "withdraw",
    "withdraw_all",
    "worth_another_look",
]
