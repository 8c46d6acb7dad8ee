"""Receipts to look at, to check, to keep as a file; and the instance's log that they are pinned in."""

from apps.ledger.format.verdict import Verdict
from apps.ledger.hold import Hold, OnHold
from apps.ledger.services.bundles import BadRange, Bundle, bundle
from apps.ledger.services.checking import Report, check_ledger, every_vault
from apps.ledger.services.continuing import Forked, LogProblem
from apps.ledger.services.guarding import (
    Guarded,
    doubts,
    evidence_of_holds,
    guard,
    on_hold,
    refuse_on_hold,
    step,
    suspect,
)
from apps.ledger.services.program import program
from apps.ledger.services.proofs import proof
from apps.ledger.services.publishing import Publisher, publisher
from apps.ledger.services.receipts import (
    ChainVerdict,
    acts_on,
    body_of,
    handed_over,
    handed_to,
    last_seq,
    last_seq_within,
    only_about_within,
    read_by,
    receipt,
    receipts,
    requests_on_within,
    told_to,
    uses_within,
    veil,
    verify,
)
from apps.ledger.services.restoring import begin_anew
from apps.ledger.services.serving import (
    Witnessed,
    checkpoint,
    policy_in_force,
    resource,
    vkeys,
    waiting,
    witnessed,
    witnesses,
)
from apps.ledger.services.standing import Logged, logged
from apps.ledger.services.tracing import Recipient, Walked, bound, recipients_within, walk_within
from apps.ledger.services.verifying import TooLarge, verify_file
from apps.ledger.services.witnessing import read_policy
from apps.ledger.signing import KeyProblem, keys_wrong

__all__ = [
    "BadRange",
    "Bundle",
    "ChainVerdict",
    "Forked",
    "Guarded",
    "Hold",
    "KeyProblem",
    "LogProblem",
    "Logged",
    "OnHold",
    "Publisher",
    "Recipient",
    "Report",
    "TooLarge",
    "Verdict",
    "Walked",
    "Witnessed",
    "acts_on",
    "begin_anew",
    "body_of",
    "bound",
    "bundle",
    "check_ledger",
    "checkpoint",
    "doubts",
    "every_vault",
    "evidence_of_holds",
    "guard",
    "handed_over",
    "handed_to",
    "keys_wrong",
    "last_seq",
    "last_seq_within",
    "logged",
    "on_hold",
    "only_about_within",
    "policy_in_force",
    "program",
    "proof",
    "publisher",
    "read_by",
    "read_policy",
    "receipt",
    "receipts",
    "recipients_within",
    "refuse_on_hold",
    "requests_on_within",
    "resource",
    "step",
    "suspect",
    "told_to",
    "uses_within",
    "veil",
    "verify",
    "verify_file",
    "vkeys",
    "waiting",
    "walk_within",
    "witnessed",
    "witnesses",
]
