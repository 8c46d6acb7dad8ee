"""What witnesses said of the log, in the database: whom it asks, who cosigned what, who refused, what met the policy.

The log's own process writes it, everybody else reads it on `default`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from apps.ledger.tree import LOG, answers, execute, stream


@dataclass(frozen=True, slots=True)
class LastHeard:
    """What a witness last did: the largest tree it cosigned and when (0 and None before), whether a larger one has
    waited for it for a minute, and its last answer that was no cosignature, if it came after."""

    size: int = 0
    at: datetime | None = None
    behind: bool = False
    refusal: str = ""


def add_policy(text: bytes) -> int:
    """The tlog-policy that is in force from now on. Returns its number."""
    return int(answers(LOG, "INSERT INTO log.policy (text) VALUES (%s) RETURNING id", [text])[0][0])


def policy(alias: str = "default") -> tuple[int, bytes] | None:
    """The number and the text of the policy in force; None where no file was ever given."""
    rows = answers(alias, "SELECT id, text FROM log.policy ORDER BY id DESC LIMIT 1")
    return (rows[0][0], bytes(rows[0][1])) if rows else None


def add_cosignature(size: int, vkey: str, line: str) -> None:
    """A witness's line under the checkpoint of this size. Its first one stands: a later one says the same."""
    execute(
        "INSERT INTO log.cosignature (size, vkey, line) VALUES (%s, %s, %s) ON CONFLICT (size, vkey) DO NOTHING",
        [size, vkey, line],
    )


def cosignatures(size: int, alias: str = "default") -> dict[str, str]:
    """The signature lines under the checkpoint of this size, by the witnesses' vkeys."""
    query = "SELECT vkey, line FROM log.cosignature WHERE size = %s ORDER BY at, vkey"
    return {row[0]: row[1] for row in answers(alias, query, [size])}


def last_cosigned(vkey: str) -> int | None:
    """The size of the largest tree that a witness cosigned; None before the first."""
    size: int | None = answers(LOG, "SELECT max(size) FROM log.cosignature WHERE vkey = %s", [vkey])[0][0]
    return size


def add_quorum(policy: int, size: int) -> None:
    """The checkpoint of this size meets the policy of this number."""
    execute("INSERT INTO log.quorum (policy, size) VALUES (%s, %s) ON CONFLICT DO NOTHING", [policy, size])


def newest_quorum(alias: str = "default") -> tuple[int, bytes] | None:
    """The size and the signed note of the largest tree, under the log's name of now, that met the policy in force."""
    rows = answers(
        alias,
        "SELECT c.size, c.note FROM log.quorum q JOIN log.checkpoint c USING (size) JOIN log.tree t"
        " ON substring(c.note FOR octet_length(t.origin) + 1) = convert_to(t.origin || chr(10), 'UTF8')"
        " WHERE q.policy = (SELECT max(id) FROM log.policy) ORDER BY q.size DESC LIMIT 1",
    )
    return (rows[0][0], bytes(rows[0][1])) if rows else None


def add_refusal(vkey: str, name: str, size: int, status: int, said: str, evidence: bytes | None = None) -> None:
    """A witness's answer to the checkpoint of this size that was no cosignature. The same again is not kept twice."""
    execute(
        "INSERT INTO log.refusal (vkey, name, size, status, said, evidence)"
        " SELECT %(vkey)s, %(name)s, %(size)s, %(status)s, %(said)s, %(evidence)b::bytea WHERE NOT EXISTS ("
        "   SELECT FROM (SELECT status, said, evidence, at FROM log.refusal WHERE vkey = %(vkey)s"
        "                 ORDER BY id DESC LIMIT 1) r"
        "    WHERE r.status = %(status)s AND r.said = %(said)s AND r.evidence IS NOT DISTINCT FROM %(evidence)b::bytea"
        "      AND NOT EXISTS (SELECT FROM log.cosignature c WHERE c.vkey = %(vkey)s AND c.at > r.at))",
        {"vkey": vkey, "name": name, "size": size, "status": status, "said": said, "evidence": evidence},
    )


def last_heard(vkey: str) -> LastHeard:
    """What a witness last did."""
    ((size, at, behind, refusal),) = answers(
        "default",
        "SELECT c.size, c.at, EXISTS (SELECT FROM log.checkpoint p WHERE p.size > coalesce(c.size, -1)"
        "   AND p.signed_at < clock_timestamp() - interval '1 minute'),"
        " (SELECT r.said FROM log.refusal r WHERE r.vkey = v.vkey AND (c.at IS NULL OR r.at > c.at)"
        "   ORDER BY r.id DESC LIMIT 1)"
        " FROM (SELECT %s::text AS vkey) v LEFT JOIN LATERAL (SELECT size, at FROM log.cosignature"
        "   WHERE vkey = v.vkey ORDER BY size DESC LIMIT 1) c ON true",
        [vkey],
    )
    return LastHeard(size or 0, at, behind, refusal or "")


# ---------------------------------------------------------------- everything, for a check of the whole
def all_cosignatures() -> Iterator[tuple[int, str, str, bytes]]:
    """Every cosignature: size, vkey, line, and the signed note it is under; the smallest size first."""
    query = (
        "SELECT size, c.vkey, c.line, p.note FROM log.cosignature c LEFT JOIN log.checkpoint p USING (size)"
        " ORDER BY size, c.vkey"
    )
    for row in stream(query):
        yield row[0], row[1], row[2], bytes(row[3] or b"")


def policies() -> dict[int, bytes]:
    """Every policy that was ever in force, by its number."""
    return {row[0]: bytes(row[1]) for row in answers(LOG, "SELECT id, text FROM log.policy ORDER BY id")}


def quorums() -> Iterator[tuple[int, int, list[str]]]:
    """Every checkpoint that met a policy: the policy's number, the size, and who has cosigned it, by their vkeys."""
    query = (
        "SELECT q.policy, size, coalesce(array_agg(c.vkey) FILTER (WHERE c.vkey IS NOT NULL), '{}')"
        " FROM log.quorum q LEFT JOIN log.cosignature c USING (size) GROUP BY q.policy, size ORDER BY size, q.policy"
    )
    for row in stream(query):
        yield row[0], row[1], row[2]
