"""What goes into which of a backup's two files, what goes into neither, and why. One list, and a test walks it."""

from __future__ import annotations

from dataclasses import dataclass

# Rows that neither file holds. What is UNLOGGED (the index of search) is left out beside these.
LEFT_OUT = {
    "sealed.ticket_key": "this instance's own; install_ticket_key makes it anew",
    "sealed.handle": "a stamp's handle lives for a minute, and a repeated send for a day",
    "public.django_session": "whoever was signed in signs in again",
    "public.usersessions_usersession": "the same, as a person's page lists it",
    "public.letter": "a letter that waited then must not go out now",
    "public.backed_up": "when that database was backed up last; this one is now",
    "public.reclaimed": "numbers of what one database has counted; another counts from nothing",
    "log.doubt": "what the last start could not find out; the next one asks again",
    "log.evidence": "a note that waited to be judged; whoever brought it brings it again",
}


@dataclass(frozen=True, slots=True)
class KeyTable:
    """A table whose rows are in the file of keys alone: with the other file nobody opens or recognises anything.

    Of a row only what still belongs to something is put back: `stays` says so in SQL, of the row `k`.
    """

    name: str
    stays: str


# Of the temporary table `gone`: what was erased; a whole vault without a memory's id.
_OF_A_VALUE = """
EXISTS (SELECT FROM sealed.value v
         WHERE v.vault_id = k.vault_id AND v.memory_id = k.memory_id AND v.version = k.version)
AND NOT EXISTS (SELECT FROM pg_temp.gone g WHERE g.vault_id = k.vault_id AND g.memory_id = k.memory_id)
AND NOT EXISTS (SELECT FROM pg_temp.gone g WHERE g.vault_id = k.vault_id AND g.memory_id IS NULL)
"""
_OF_A_VAULT = """
EXISTS (SELECT FROM sealed.chain_head c WHERE c.vault_id = k.vault_id)
AND NOT EXISTS (SELECT FROM pg_temp.gone g WHERE g.vault_id = k.vault_id AND g.memory_id IS NULL)
"""
KEY_TABLES = (
    KeyTable("public.root_epoch", "true"),
    KeyTable("public.vault_key", _OF_A_VAULT),
    KeyTable("sealed.key", _OF_A_VALUE),
    KeyTable("public.value_print", _OF_A_VALUE),
)
# Conversations' keys are a column of their rows: the other file holds them too, wrapped by a vault's key of that day.
TURN_KEYS = "turn_keys"
TURN_ROWS = "SELECT vault_id, turn_id, epoch, wrapped, erased_at FROM public.turn"
TOMBSTONES = "tombstones"
ROOT_KEYS, LOG_KEYS, LOG_SIGNED = "root_keys", "log_key", "log_key.signed"
DATABASE = "database"
SCHEMAS = ["public", "sealed", "log"]

# Every table whose rows the file of data holds.
KEPT = """
SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = ANY (%s) AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p'
   AND NOT n.nspname || '.' || c.relname = ANY (%s) ORDER BY 1
"""


def apart() -> list[str]:
    """The tables whose rows are not in the file of data."""
    return [*LEFT_OUT, *(each.name for each in KEY_TABLES)]
