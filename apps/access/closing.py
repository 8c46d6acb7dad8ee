"""What erasing leaves of the rows of asking: ids and times. A part of the store."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger import log
from apps.ledger.log import Act

_ENDS = {
    "clients": "UPDATE client SET revoked_at = coalesce(revoked_at, %(now)s), name = '', domain = ''"
    " WHERE vault_id = %(vault)s RETURNING 1",
    "api_keys": "UPDATE api_key SET revoked_at = coalesce(revoked_at, %(now)s), prefix = '',"
    " hash = uuid_send(key_id) WHERE vault_id = %(vault)s RETURNING 1",
    "requests": "UPDATE access_request SET purpose_note = '', fingerprint = uuid_send(request_id)"
    " WHERE vault_id = %(vault)s RETURNING 1",
    "parts": "UPDATE request_part SET status = 'cancelled', decided_at = %(now)s"
    " WHERE vault_id = %(vault)s AND status IN ('pending', 'in_review') RETURNING 1",
    "reviews": "UPDATE review SET reason = '' WHERE vault_id = %(vault)s RETURNING 1",
    "grants": "UPDATE access_grant SET revoked_at = %(now)s"
    " WHERE vault_id = %(vault)s AND revoked_at IS NULL RETURNING 1",
}


def end(act: Act, now: datetime) -> Counter[str]:
    """Every assistant is stopped, and nothing says what it was called or what it asked for."""
    asked = {"vault": act.vault_id, "now": now}
    return Counter(dict(zip(_ENDS, map(len, log.within([(each, asked) for each in _ENDS.values()])), strict=True)))


_NOTES = """
UPDATE access_request r SET purpose_note = '', fingerprint = uuid_send(r.request_id)
 WHERE r.vault_id = %(vault)s AND r.purpose_note <> '' AND r.made_at < %(before)s
   AND NOT EXISTS (SELECT FROM request_part p WHERE p.vault_id = r.vault_id AND p.request_id = r.request_id
                      AND (p.status IN ('pending', 'in_review') OR p.decided_at >= %(before)s))
RETURNING 1
"""


def forget_notes(act: Act, before: datetime) -> int:
    """What came with requests that were decided before then. Returns how many there were."""
    (gone,) = log.within([(_NOTES, {"vault": act.vault_id, "before": before})])
    return len(gone)


_SAID_OF = """
WITH about AS (
  SELECT p.request_id FROM request_part p WHERE p.vault_id = %(vault)s AND jsonb_exists_any(p.memory_ids, %(ids)s)
  UNION
  SELECT v.request_id FROM review v WHERE v.vault_id = %(vault)s AND jsonb_exists_any(v.memory_ids, %(ids)s)
  UNION
  SELECT p.request_id FROM request_part p JOIN grant_memory g USING (vault_id, grant_id)
   WHERE p.vault_id = %(vault)s AND g.memory_id = ANY (%(memories)s)
), notes AS (
  UPDATE access_request r SET purpose_note = '', fingerprint = uuid_send(r.request_id)
    FROM about a WHERE r.vault_id = %(vault)s AND r.request_id = a.request_id AND r.purpose_note <> '' RETURNING 1
), said AS (
  UPDATE review v SET reason = ''
    FROM about a WHERE v.vault_id = %(vault)s AND v.request_id = a.request_id AND v.reason <> '' RETURNING 1
)
SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM said)
"""


def forget_said_of(act: Act, memory_ids: Sequence[UUID]) -> Counter[str]:
    """What came with requests that asked for any of these memories, or were given it, and what a reviewer said of
    those. Returns how many of each.
    """
    asked = {"vault": act.vault_id, "memories": list(memory_ids), "ids": [each.hex for each in memory_ids]}
    ((notes, said),) = log.within([(_SAID_OF, asked)])[0]
    return Counter(requests=notes, reviews=said)
