"""The consent record of a grant: what was agreed to, by whom, below which text, and what became of it since.

In the shape of ISO/IEC TS 27560, by the names of its public draft (docs/consent-record.md says which we fill). It is
made anew from rows and receipts each time it is asked for, and holds no label, no value and no client's words.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings

from apps.access import consents, store
from apps.access.services.noticing import notice
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.policy.consent import Life, Shown, life_of
from apps.policy.grants import state_of
from apps.policy.ids import instant, typed
from apps.policy.people import CLOCK
from apps.policy.roles import Deed, needs
from apps.policy.types import Client, Grant, Holder, Receipt
from apps.policy.vocabulary import ReceiptKind

SCHEMA_VERSION = "27560"
LANGUAGE = "en"
ABSENT = "-"

Json = dict[str, Any]


@needs(Deed.TAKE)
def consent_record(holder: Holder, grant_id: UUID, now: datetime) -> Json | None:
    """The record of one grant, as JSON: `record`, `pii_processing`, `party_identification`, `event` and our `ext`.

    Times are UTC with microseconds, durations whole seconds in decimal, `-` is what does not apply. None for an
    unknown id, and for another vault's.
    """
    with reading(holder.vault_id, holder.actor, still=True):
        found = store.grant(holder.vault_id, grant_id)
        if found is None:
            return None
        client = store.client(holder.vault_id, found.client_id)
        shown = consents.shown(holder.vault_id, grant_id)
        until = consents.given_until(holder.vault_id, found)
        about = [typed("gra", grant_id), typed("cli", found.client_id)]
        about += [typed("req", found.request_id)] if found.request_id else []
        life = life_of(found, ledger.acts_on(holder.vault_id, holder.actor, about), now)
    assert client is not None
    principal = holder.on_behalf_of if holder.acting else holder.actor
    return {
        "record": {
            "schema_version": SCHEMA_VERSION,
            "record_id": typed("gra", grant_id),
            "pii_principal_id": principal,
        },
        "pii_processing": {
            "privacy_notice": _address(shown, life.made),
            "language": LANGUAGE,
            "purposes": [_purpose(holder, found)],
        },
        "party_identification": _parties(holder, principal, found, client, life.given),
        "event": _events(found, life, until),
        "ext": _ours(found, shown, life, now),
    }


def _purpose(holder: Holder, found: Grant) -> Json:
    at = f"/chat/{typed('trn', found.turn_id)}" if found.turn_id else f"/grants#{typed('gra', found.grant_id)}"
    return {
        "purpose": found.purpose.value.replace("_", " "),
        "purpose_type": found.purpose.value,
        "lawful_basis": "consent",
        "pii_information": [{"pii_type": found.category.value, "special_pii_category": found.category.special}],
        "pii_controllers": [holder.space_name],
        "processing_method": ["read"],
        "recipient_third_parties": [found.recipient],
        "withdrawal_method": settings.PUBLIC_URL + at,
    }


def _parties(holder: Holder, principal: str, found: Grant, client: Client, given: Receipt) -> list[Json]:
    """Who is named: people by their ids alone, the recipient as it is registered."""
    own = found.recipient == typed("cli", client.client_id)
    name = client.name if own else found.recipient.partition("_")[2]
    parties = [
        _party(principal, ABSENT, "pii_principal"),
        _party(holder.space_name, holder.space_name, "pii_controller"),
        _party(found.recipient, name, "recipient", client.domain if own else ""),
    ]
    return [*parties, *([_party(given.actor, ABSENT, "representative")] if given.actor != principal else [])]


def _party(party_id: str, name: str, role: str, url: str = "") -> Json:
    return {"party_id": party_id, "party_name": name, "party_role": role, "party_url": url or ABSENT}


def _events(found: Grant, life: Life, until: datetime) -> list[Json]:
    """`duration` is how long it was to last: from when it held, and from its last narrowing on."""
    lasts = {(life.reviewed or life.given).seq: until - found.made_at}
    narrowed = [
        each.receipt for each in life.events if each.receipt and each.receipt.kind == ReceiptKind.GRANT_NARROWED
    ]
    lasts |= {each.seq: found.expires_at - each.at for each in narrowed[-1:]}
    return [
        {
            "event_time": instant(each.at),
            "type": "explicit",
            "state": each.state.value,
            "entity_id": each.receipt.actor if each.receipt else CLOCK,
            "duration": _seconds(lasts.get(each.receipt.seq) if each.receipt else None),
            "ext": {
                "receipt": f"rcp_{each.receipt.seq}" if each.receipt else ABSENT,
                "on_behalf_of": each.receipt.on_behalf_of if each.receipt else ABSENT,
            },
        }
        for each in life.events
    ]


def _ours(found: Grant, shown: Shown, life: Life, now: datetime) -> Json:
    told = {each.receipt.seq: each.receipt for each in life.events if each.receipt} | {life.made.seq: life.made}
    return {
        "notice_digest": f"sha256:{life.made.commitment.hex()}" if life.made.commitment else ABSENT,
        "surface": shown.surface.value,
        "ui_version": shown.ui_version,
        "acted_by": life.given.actor,
        "on_behalf_of": life.given.on_behalf_of,
        "reviewer_decision": life.reviewed.kind.partition(".")[2] if life.reviewed else ABSENT,
        "state": state_of(found, now).value,
        "receipts": [
            {"receipt": f"rcp_{seq}", "kind": each.kind, "digest": f"sha256:{each.digest.hex()}"}
            for seq, each in sorted(told.items())
        ],
    }


def _address(shown: Shown, made: Receipt) -> str:
    """Where the text is that was shown; nowhere if it is not, or no longer, the one that the receipt is bound to."""
    found = notice(shown.notice, shown.below)
    return f"{settings.PUBLIC_URL}{found.address}" if found and found.digest == made.commitment else ABSENT


def _seconds(length: timedelta | None) -> str:
    return ABSENT if length is None else str(int(length.total_seconds()))
