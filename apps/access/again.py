"""What came with requests and was erased, and is there again in a backup that was restored. A part of the store."""

from collections.abc import Collection
from uuid import UUID

from apps.ledger import log
from apps.ledger.log import Act

_NOTES = """
UPDATE access_request SET purpose_note = '', fingerprint = uuid_send(request_id)
 WHERE vault_id = %s AND purpose_note <> '' AND request_id = ANY (%s) RETURNING 1
"""


def blank_notes(act: Act, request_ids: Collection[UUID]) -> int:
    """What came with these requests. Returns how many had a note."""
    (gone,) = log.within([(_NOTES, [act.vault_id, list(request_ids)])])
    return len(gone)
