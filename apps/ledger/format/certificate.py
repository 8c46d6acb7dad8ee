"""An erasure's certificate: what it says, in which bytes. It names no value, no label and no person.

Its SHA-256 is the commitment of the receipt `erasure.certified` of its order.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .turn import jcs

CERTIFICATE = "muniment-erasure-certificate/1"
CERTIFICATE_FILE = "muniment-erasure-certificate-file/1"
LIMITS = (
    "What somebody was handed before, they may still have: the receipts of this vault say who was.",
    "A backup opens what was erased until the horizon is over: by then the keys it would need are destroyed.",
    "What was made from a memory without saying so is not known to be, and was not followed.",
    "Free blocks of a disk, swap and memory images are the machine's: this says nothing of them.",
)


def certificate(said: Mapping[str, Any]) -> bytes:
    """A certificate's bytes (RFC 8785) from its members but `format` and `limits`."""
    return jcs({"format": CERTIFICATE, **said, "limits": list(LIMITS)})


def commitment(of: bytes) -> str:
    """What the receipt is bound to, in hex."""
    return sha256(of).hexdigest()
