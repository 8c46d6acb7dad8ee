"""A stamp on a share: for a link of it that stands, of what it holds, as long and as often as was said; and the release
after it, once more.
"""

import os
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.gate.cast import (
    CLIENT,
    HOLDER,
    Connection,
    Vault,
    add_memory,
    count_receipts,
    item,
    new_handle,
    open_vault,
    plan,
    stamp,
    take,
)

NAMED = UUID(int=7)


@dataclass
class Share:
    """A share over memories of a vault, with one link."""

    vault: Vault
    id: UUID
    link: UUID

    @property
    def ticket(self) -> str:
        return self.vault.ticket(f"lnk_{self.link.hex}")

    def plan(self, opening: UUID, *items: dict[str, object], **changes: object) -> str:
        made = {
            "kind": "value.opened",
            "object_kind": "shr",
            "object": str(self.id),
            "purpose": "-",
            "request": f"opn_{opening.hex}",
            "client": "Firefox on Windows",
        }
        return plan(self.vault, *(items or (item(self.vault.memories[0]),)), **made | changes)


def add_share(admin: Connection, vault: Vault, *memories: UUID, opens: int = 3) -> Share:
    made = Share(vault, uuid4(), uuid4())
    admin.execute(
        "INSERT INTO share (vault_id, share_id, terms_version, made_at, made_by, sender, note, code, pin, expires_at,"
        " opens_most, opens_left, tries_left)"
        " VALUES (%s, %s, 1, now(), %s, 'Ines', '', 'none', '', now() + interval '1 hour', %s, %s, 5)",
        [vault.id, made.id, HOLDER, opens, opens],
    )
    for place, memory_id in enumerate(memories or vault.memories):
        admin.execute("INSERT INTO share_item VALUES (%s, %s, %s, 1, %s)", [vault.id, made.id, memory_id, place])
    admin.execute(
        "INSERT INTO share_link (vault_id, link_id, share_id, place, name, address, token_hash, notes)"
        " VALUES (%s, %s, %s, 0, '', '', %s, 0)",
        [vault.id, made.link, made.id, os.urandom(32)],
    )
    return made


@pytest.fixture
def share(admin: Connection, vault: Vault) -> Share:
    return add_share(admin, vault)


def left(admin: Connection, share: Share) -> tuple[int, int, int]:
    """How many openings are left; how many were written, and views."""
    row = admin.execute(
        "SELECT opens_left, (SELECT count(*) FROM share_opening o WHERE o.share_id = s.share_id),"
        " (SELECT coalesce(sum(views), 0) FROM share_opening o WHERE o.share_id = s.share_id)"
        " FROM share s WHERE s.share_id = %s",
        [share.id],
    ).fetchone()
    assert row is not None
    return row[0], row[1], int(row[2])


def test_an_opening_spends_one_and_a_view_none(admin: Connection, gate: Connection, share: Share) -> None:
    opening = uuid4()
    handle = new_handle()
    assert stamp(gate, share.vault, handle, share.plan(opening), share.ticket).outcome == "stamped"
    (released,) = take(gate, share.vault, handle, share.ticket)
    assert released.ciphertext == share.vault.ciphertexts[share.vault.memories[0]]
    assert left(admin, share) == (2, 1, 0)
    viewing = share.plan(opening, kind="value.viewed")
    assert stamp(gate, share.vault, new_handle(), viewing, share.ticket).outcome == "stamped"
    assert left(admin, share) == (2, 1, 1)


CHANGED = {
    "stopped": "UPDATE share SET stopped_at = now() WHERE share_id = %(share)s",
    "locked": "UPDATE share SET locked_at = now() WHERE share_id = %(share)s",
    "over": "UPDATE share SET expires_at = clock_timestamp() WHERE share_id = %(share)s",
    "used up": "UPDATE share SET opens_left = 0 WHERE share_id = %(share)s",
    "other terms": "UPDATE share SET terms_version = 2 WHERE share_id = %(share)s",
    "its link stopped": "UPDATE share_link SET stopped_at = now() WHERE share_id = %(share)s",
    "no longer in it": "DELETE FROM share_item WHERE share_id = %(share)s",
    "of another version": "UPDATE share_item SET version = 2 WHERE share_id = %(share)s",
    "corrected": "UPDATE memory SET version = 2 WHERE memory_id = %(memory)s",
    "put away": "UPDATE memory SET state = 'withdrawn' WHERE memory_id = %(memory)s",
    "sealed": "UPDATE memory SET state = 'sealed-from-guardians' WHERE memory_id = %(memory)s",
    "made special": "UPDATE memory SET category = 'health', neutral_label = 'x' WHERE memory_id = %(memory)s",
    "kept at home": "UPDATE memory SET local_only = true WHERE memory_id = %(memory)s",
    "no more so": "UPDATE memory SET holds_until = now() WHERE memory_id = %(memory)s",
    "not so yet": "UPDATE memory SET holds_from = now() + interval '1 hour' WHERE memory_id = %(memory)s",
    "erased": "DELETE FROM sealed.key WHERE memory_id = %(memory)s",
}


# Not the count and not the time, by which it was let in; nor what it holds, which is only ever erased.
LOOKED_AT_AGAIN = CHANGED.keys() - {"over", "used up", "not so yet", "no longer in it", "of another version"}


@pytest.mark.parametrize("change", CHANGED)
def test_what_has_changed_is_stale_and_nothing_is_written(
    admin: Connection, gate: Connection, share: Share, change: str
) -> None:
    admin.execute(CHANGED[change], {"share": share.id, "memory": share.vault.memories[0]})
    before = left(admin, share)
    handle = new_handle()
    assert stamp(gate, share.vault, handle, share.plan(uuid4()), share.ticket).outcome == "stale"
    assert (left(admin, share), count_receipts(admin, share.vault)) == (before, 0)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        take(gate, share.vault, handle, share.ticket)


@pytest.mark.parametrize("change", sorted(LOOKED_AT_AGAIN))
def test_what_ended_since_the_stamp_is_not_released(
    admin: Connection, gate: Connection, share: Share, change: str
) -> None:
    handle = new_handle()
    assert stamp(gate, share.vault, handle, share.plan(uuid4()), share.ticket).outcome == "stamped"
    assert len(take(gate, share.vault, handle, share.ticket)) == 1
    admin.execute(CHANGED[change], {"share": share.id, "memory": share.vault.memories[0]})
    assert take(gate, share.vault, handle, share.ticket) == []


def test_an_attested_memory_is_opened_by_its_proof_alone(admin: Connection, gate: Connection, vault: Vault) -> None:
    budget = add_memory(admin, vault, attested=True)
    share = add_share(admin, vault, budget)
    as_value = share.plan(uuid4(), item(budget, a=True))
    assert stamp(gate, vault, new_handle(), as_value, share.ticket).outcome == "stale"
    handle = new_handle()
    as_proof = share.plan(uuid4(), item(budget, a=True, f="attested"))
    assert stamp(gate, vault, handle, as_proof, share.ticket).outcome == "stamped"
    assert [each.ciphertext for each in take(gate, vault, handle, share.ticket)] == [None]


def test_a_special_memory_that_got_into_one_is_opened_by_nobody(
    admin: Connection, gate: Connection, vault: Vault
) -> None:
    pills = add_memory(admin, vault, category="health")
    share = add_share(admin, vault, pills)
    made = share.plan(uuid4(), item(pills, c="health"))
    assert stamp(gate, vault, new_handle(), made, share.ticket).outcome == "stale"


# ---------------------------------------------------------------- by whom
def test_nobody_else_opens_it(admin: Connection, gate: Connection, share: Share) -> None:
    other = add_share(admin, share.vault)
    elsewhere = add_share(admin, open_vault(admin))
    vault = share.vault
    for who in (
        HOLDER,
        CLIENT,
        "sys_index",
        f"lnk_{uuid4().hex}",
        f"lnk_{other.link.hex}",
        f"lnk_{elsewhere.link.hex}",
    ):
        assert stamp(gate, vault, new_handle(), share.plan(uuid4()), vault.ticket(who)).outcome == "stale", who
    between = vault.ticket(HOLDER, f"lnk_{share.link.hex}")
    assert stamp(gate, vault, new_handle(), share.plan(uuid4()), between).outcome == "stale"
    assert left(admin, share) == (3, 0, 0)


def test_another_link_takes_nothing_of_what_was_stamped(admin: Connection, gate: Connection, share: Share) -> None:
    other, handle = add_share(admin, share.vault), new_handle()
    assert stamp(gate, share.vault, handle, share.plan(uuid4()), share.ticket).outcome == "stamped"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        take(gate, share.vault, handle, other.ticket)


def test_an_opening_is_used_once_and_looked_at_for_fifteen_minutes(
    admin: Connection, gate: Connection, share: Share
) -> None:
    opening, vault = uuid4(), share.vault
    viewing = share.plan(opening, kind="value.viewed")
    assert stamp(gate, vault, new_handle(), viewing, share.ticket).outcome == "stale", "nothing was opened"
    assert stamp(gate, vault, new_handle(), share.plan(opening), share.ticket).outcome == "stamped"
    assert stamp(gate, vault, new_handle(), share.plan(opening), share.ticket).outcome == "stale"
    admin.execute("UPDATE share SET opens_left = 0 WHERE share_id = %s", [share.id])
    assert stamp(gate, vault, new_handle(), viewing, share.ticket).outcome == "stamped", "a look spends nothing"
    admin.execute("UPDATE share_opening SET opened_at = now() - interval '15 minutes' WHERE opening_id = %s", [opening])
    assert stamp(gate, vault, new_handle(), viewing, share.ticket).outcome == "stale"


@pytest.mark.parametrize("request_", ["-", "", "opn_", f"req_{NAMED.hex}", f"opn_{NAMED}", f"opn_{NAMED.hex} "])
def test_an_opening_has_a_name(gate: Connection, share: Share, request_: str) -> None:
    made = share.plan(uuid4(), request=request_)
    assert stamp(gate, share.vault, new_handle(), made, share.ticket).outcome == "stale"


@pytest.mark.parametrize("kind", ["value.read", "value.shown", "value.indexed", "share.made", "value.refused"])
def test_a_share_is_no_authority_for_anything_else(gate: Connection, share: Share, kind: str) -> None:
    with pytest.raises(psycopg.Error):
        stamp(gate, share.vault, new_handle(), share.plan(uuid4(), kind=kind), share.ticket)


# ---------------------------------------------------------------- what the web role can not
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE share SET opens_left = 50",
        "UPDATE share SET opens_most = 50",
        "UPDATE share SET expires_at = now() + interval '1 year'",
        "UPDATE share_item SET version = 2",
        "UPDATE share_link SET token_hash = '\\x00'",
        "UPDATE share_link SET share_id = gen_random_uuid()",
        "UPDATE share_opening SET opened_at = now()",
        "UPDATE share_opening SET views = 0",
        "INSERT INTO share_opening (vault_id, opening_id, share_id, link_id, opened_at, views, client)"
        " SELECT vault_id, gen_random_uuid(), share_id, link_id, now(), 0, '' FROM share_link",
    ],
)
def test_the_web_role_makes_no_opening_and_no_share_longer_or_wider(app: Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute(statement)


def test_a_vault_sees_its_own_shares(admin: Connection, app: Connection, share: Share) -> None:
    add_share(admin, open_vault(admin))
    app.execute("SELECT set_config('muniment.ticket', %s, true)", [share.vault.act_ticket])
    for table in ("share", "share_link"):
        assert app.execute(f"SELECT DISTINCT vault_id FROM {table}").fetchall() == [(share.vault.id,)]
