"""Receipts to look at, to check, to keep as a file; and the instance's log that they are pinned in."""

from apps.ledger.format.verdict import Verdict
from apps.ledger.services.bundles import BadRange, Bundle, bundle
from apps.ledger.services.checking import Report, check_ledger
from apps.ledger.services.continuing import Forked, LogProblem
from apps.ledger.services.program import program
from apps.ledger.services.proofs import proof
from apps.ledger.services.publishing import Publisher, publisher
from apps.ledger.services.receipts import (
    ChainVerdict,
    body_of,
    last_seq,
    receipt,
    receipts,
    verify,
)
from apps.ledger.services.serving import Witnessed, checkpoint, resource, vkeys, waiting, witnessed, witnesses
from apps.ledger.services.verifying import TooLarge, verify_file
from apps.ledger.signing import KeyProblem, keys_wrong

__all__ = [
    "BadRange",
    "Bundle",
    "ChainVerdict",
    "Forked",
    "KeyProblem",
    "LogProblem",
    "Publisher",
    "Report",
    "TooLarge",
    "Verdict",
    "Witnessed",
    "body_of",
    "bundle",
    "check_ledger",
    "checkpoint",
    "keys_wrong",
    "last_seq",
    "program",
    "proof",
    "publisher",
    "receipt",
    "receipts",
    "resource",
    "verify",
    "verify_file",
    "vkeys",
    "waiting",
    "witnessed",
    "witnesses",
]
