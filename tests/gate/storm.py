"""Many clients at once on few vaults: hand-overs, one-read grants, narrowing, revoking, sealing, shredding.

What they saw is kept, so that it can be compared with the rows afterwards.
"""

import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import psycopg

from tests import databases
from tests.gate.cast import CLIENT, PURPOSE, Connection, Vault, add_grant, item, new_handle, plan, stamp, take

Grant = tuple[UUID, UUID]
READS = 100_000
PATIENCE_SECONDS = 120


@dataclass
class Storm:
    """A run: `vaults` under load by `clients`; the rest is what was seen."""

    admin: Connection
    vaults: list[Vault]
    clients: int = 16
    seen: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    over: bool = False
    spent: Counter[Grant] = field(default_factory=Counter)
    """Stamps a client was told of, by grant. A killed client may have stamped one it never heard of."""
    ended: dict[Grant, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))
    """When a narrowing or revocation had committed, and the terms it made."""
    terms: dict[Grant, int] = field(default_factory=dict)
    taken: list[tuple[Grant, int, float]] = field(default_factory=list)
    """Hand-overs that released something: on which grant and terms, and when `take` was sent."""
    singles: list[tuple[Vault, UUID]] = field(default_factory=list)
    standing: dict[UUID, list[UUID]] = field(default_factory=dict)

    def run(self, seconds: float, enough: Callable[[], bool]) -> None:
        """Load for so long and until there was enough, kill a backend every 0.4 s, and wait for every client's end."""
        for vault in self.vaults:
            self.standing[vault.id] = [add_grant(self.admin, vault, reads_left=READS) for _ in range(6)]
        begun = time.monotonic()
        threads = [threading.Thread(target=Client(self, number).run) for number in range(self.clients)]
        for thread in threads:
            thread.start()
        while time.monotonic() < begun + (seconds if enough() else PATIENCE_SECONDS):
            time.sleep(0.4)
            self.kills += self.admin.execute(
                "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE usename IN"
                " ('muniment_app', 'muniment_gate') AND datname = current_database() AND state <> 'idle'"
                " ORDER BY random() LIMIT 1) victim"
            ).rowcount
        self.over = True
        for thread in threads:
            thread.join()

    def late(self) -> int:
        """Hand-overs that were taken after an end of their terms had committed."""
        return sum(
            any(committed < sent and made > terms for committed, made in self.ended[grant])
            for grant, terms, sent in self.taken
        )

    def wrong_counts(self) -> list[Grant]:
        """Grants whose reads left do not fit the stamps there are."""
        rows = self.admin.execute(
            "SELECT g.vault_id, g.grant_id, g.reads_left, count(h.handle) FROM access_grant g LEFT JOIN sealed.handle h"
            " ON h.vault_id = g.vault_id AND h.object_id = g.grant_id WHERE g.reads_left IS NOT NULL"
            " AND g.vault_id = ANY (%s) GROUP BY 1, 2, 3",
            [[vault.id for vault in self.vaults]],
        )
        single = {grant for _, grant in self.singles}
        return [
            (vault, grant) for vault, grant, left, stamps in rows if left + stamps != (1 if grant in single else READS)
        ]


class Client:
    """One of the clients: two connections, opened again when they are killed."""

    def __init__(self, storm: Storm, number: int) -> None:
        self.storm = storm
        self.chance = random.Random(number)
        self.gate: Connection | None = None
        self.app: Connection | None = None

    def run(self) -> None:
        deeds = [(self.hand_over, 10), (self.make_single, 1), (self.use_single, 4), (self.end, 2), (self.seal, 4)]
        while not self.storm.over:
            vault = self.chance.choice(self.storm.vaults)
            deed = self.chance.choices([deed for deed, _ in deeds], [weight for _, weight in deeds])[0]
            try:
                self.connect()
                deed(vault)
            except psycopg.Error as error:
                self.storm.errors[type(error).__name__] += 1
                self.mend()
        for connection in (self.gate, self.app):
            if connection:
                connection.close()

    def connect(self) -> None:
        if self.gate is None or self.gate.closed:
            self.gate = databases.connect("gate", autocommit=True)
        if self.app is None or self.app.closed:
            self.app = databases.connect("app")

    def mend(self) -> None:
        for connection in (self.gate, self.app):
            try:
                if connection and not connection.closed:
                    connection.rollback()
            except psycopg.Error:
                connection.close()

    def hand_over(self, vault: Vault) -> None:
        """Read one to four values on a standing grant, sometimes sending the stamp twice."""
        grant = self.chance.choice(self.storm.standing[vault.id])
        lines = [item(memory) for memory in self.chance.sample(vault.memories, self.chance.randint(1, 4))]
        self._hand_over(vault, grant, self.storm.terms.get((vault.id, grant), 1), lines)

    def use_single(self, vault: Vault) -> None:
        """Several clients at once want the one read of a grant."""
        if self.storm.singles:
            owner, grant = self.chance.choice(self.storm.singles[-3:])
            self._hand_over(owner, grant, 1, [item(owner.memories[0])])

    def _hand_over(self, vault: Vault, grant: UUID, terms: int, lines: list[dict[str, Any]]) -> None:
        assert self.gate
        handle, made = new_handle(), plan(vault, *lines, object=str(grant), terms=terms)
        outcome = stamp(self.gate, vault, handle, made).outcome
        self.storm.seen[outcome] += 1
        if outcome != "stamped":
            return
        self.storm.spent[vault.id, grant] += 1
        if self.chance.random() < 0.2:
            self.storm.seen[stamp(self.gate, vault, handle, made).outcome] += 1
        sent = time.monotonic()
        if take(self.gate, vault, handle):
            self.storm.taken.append(((vault.id, grant), terms, sent))

    def make_single(self, vault: Vault) -> None:
        grant = uuid4()
        self._act(
            vault,
            "grant.made",
            "INSERT INTO access_grant (vault_id, grant_id, client_id, recipient, purpose, category, memory_ids,"
            " terms_version, expires_at, reads_left, paused, made_at)"
            " VALUES (%s, %s, %s, %s, %s, 'ordinary', %s, 1, now() + interval '1 hour', 1, false, now())",
            [vault.id, grant, vault.client_id, CLIENT, PURPOSE, json.dumps([m.hex for m in vault.memories])],
        )
        self.storm.singles.append((vault, grant))

    def end(self, vault: Vault) -> None:
        """Narrow a standing grant, or revoke it and give it again under new terms."""
        grant, revoke = self.chance.choice(self.storm.standing[vault.id]), self.chance.random() < 0.5
        change = "revoked_at = now(), terms_version" if revoke else "terms_version"
        statement = f"UPDATE access_grant SET {change} = terms_version + 1 WHERE vault_id = %s AND grant_id = %s"
        if self.chance.random() < 0.3:
            self._act(vault, "grant.revoked", statement, [vault.id, grant], commit=False)
            return
        made = self._act(vault, "grant.revoked", f"{statement} RETURNING terms_version", [vault.id, grant])
        self.storm.ended[vault.id, grant].append((time.monotonic(), made))
        if revoke:
            time.sleep(0.01)
            again = statement.replace("now()", "NULL")
            made = self._act(vault, "grant.made", f"{again} RETURNING terms_version", [vault.id, grant])
        self.storm.terms[vault.id, grant] = max(self.storm.terms.get((vault.id, grant), 1), made)

    def seal(self, vault: Vault) -> None:
        """Seal a new value, sometimes destroy it in the same act, sometimes take it all back."""
        memory = uuid4()
        put = "SELECT gate.put(%s, %s, %s, 1, 'ordinary', false, '\\x00', '\\x01', '\\x02', 1, '\\x03')"
        statement = f"{put}, gate.shred(%s, %s, %s)" if self.chance.random() < 0.2 else put
        arguments = [vault.id, vault.act_ticket, memory] * statement.count("gate.")
        self._act(vault, "memory.added", statement, arguments, commit=self.chance.random() < 0.7)

    def _act(self, vault: Vault, kind: str, statement: str, arguments: list[Any], commit: bool = True) -> int:
        """One act; returns the first column of what its statement returned."""
        assert self.app
        ticket = vault.act_ticket
        self.app.execute(psycopg.sql.SQL("SET LOCAL muniment.ticket = {}").format(psycopg.sql.Literal(ticket)))
        self.app.execute("SELECT gate.open(%s, %s)", [vault.id, ticket])
        cursor = self.app.execute(statement, arguments)
        row = cursor.fetchone() if cursor.description else None
        lines = json.dumps([{"kind": kind}] * self.chance.randint(1, 3))
        self.app.execute("SELECT gate.record(%s, %s, %s::jsonb)", [vault.id, ticket, lines])
        if commit:
            self.app.commit()
        else:
            self.app.rollback()
        self.storm.seen["act" if commit else "act undone"] += 1
        return int(row[0]) if row and isinstance(row[0], int) else 0
