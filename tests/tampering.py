"""What an operator can do who has the superuser: the triggers are switched off, and rows say what they are told."""

from typing import Any

import psycopg

from tests.cast import Vault


def damage(admin: psycopg.Connection[Any], *statements: str) -> None:
    """Run statements with every trigger off; each must change something."""
    admin.execute("SET session_replication_role = replica")
    try:
        for statement in statements:
            done = admin.execute(statement)
            assert done.rowcount, f"nothing was damaged by {statement}"  # -1: a block of its own
    finally:
        admin.execute("SET session_replication_role = origin")


def rewrite(admin: psycopg.Connection[Any], vault: Vault, first: int) -> None:
    """A vault's receipts from `first` on say another purpose, with digests, chain hashes and head that agree."""
    damage(
        admin,
        f"""DO $$ DECLARE r receipt; c bytea; d bytea; BEGIN
        SELECT coalesce((SELECT chain_hash FROM receipt WHERE vault_id = '{vault.id}' AND seq = {first - 1}),
          gate.genesis('{vault.id}')) INTO c;
        FOR r IN SELECT * FROM receipt WHERE vault_id = '{vault.id}' AND seq >= {first} ORDER BY seq LOOP
          d := sha256(gate.canon(r.vault_id, r.seq, r.at, r.kind, r.actor, r.on_behalf_of, r.recipient, r.object,
            r.memory_id, r.version, r.category, r.form, r.reason, r.request, r.turn, 'finance', r.commitment, r.salt));
          c := sha256(c || d);
          UPDATE receipt SET purpose = 'finance', digest = d, chain_hash = c
            WHERE vault_id = r.vault_id AND seq = r.seq;
          UPDATE sealed.chain_head SET chain_hash = c WHERE vault_id = r.vault_id;
        END LOOP; END $$""",
    )


def forget_the_log(admin: psycopg.Connection[Any]) -> None:
    """The log is gone, as if it had never begun; its public key stays listed."""
    damage(
        admin,
        "TRUNCATE log.leaf, log.place, log.tile, log.checkpoint, log.tree, log.cosignature, log.quorum, log.refusal",
    )
