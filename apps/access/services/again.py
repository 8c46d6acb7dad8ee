"""After a backup was restored: what was erased since of what came with requests, and who and what was stopped since."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from apps.access import again, store
from apps.access.services.clients import end_client, end_key
from apps.access.services.grants import end_grant
from apps.ledger.log import Act
from apps.policy.grants import over
from apps.policy.ids import typed
from apps.policy.vocabulary import ReceiptKind


def blank_within(within: Act, request_ids: Collection[UUID]) -> Counter[str]:
    """Erase the notes of these requests again. Returns how many there were."""
    return Counter(requests=again.blank_notes(within, request_ids))


def stop_within(
    within: Act,
    now: datetime,
    *,
    clients: Collection[UUID],
    paused: Collection[UUID],
    keys: Collection[UUID],
    grants: Collection[UUID],
) -> int:
    """Stop again whichever of these assistants, keys and grants stand. Returns how many did."""
    standing = {client_id: store.client(within.vault_id, client_id) for client_id in {*clients, *paused}}
    ended = [each for each in clients if (client := standing[each]) and client.revoked_at is None]
    for client_id in ended:
        end_client(within, client_id, now)
    lively = [each for each in store.keys(within.vault_id) if each.key_id in keys and each.revoked_at is None]
    left = [each for each in lively if each.client_id not in ended]
    for key in left:
        end_key(within, key, now)
    resting = [each for each in paused if (client := standing[each]) and not (client.paused or client.revoked_at)]
    for client_id in resting:
        store.pause_client(within, client_id, True)
        within.record(ReceiptKind.CLIENT_PAUSED, object=typed("cli", client_id))
    within.settle()
    found = [store.grant(within.vault_id, each) for each in grants]
    given = [each for each in found if each is not None and not over(each, now)]
    for grant in given:
        end_grant(within, grant, now)
    return len(ended) + len(left) + len(resting) + len(given)
