"""Who says, or said, what a text says, under whatever subject: by the first two words of prints. Part of the store."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger.log import within
from apps.memories import prints
from apps.policy.prints import Print

TELLING = 2  # of so many words that two texts share, it is no chance


def saying(vault_id: UUID, said: Print) -> dict[tuple[UUID, int], Print]:
    """Which versions say exactly this, or something in the very same words, two at least; whichever memory's: their
    prints, by (memory, version).
    """
    alike = [each for each in said.read if len(each.words) >= TELLING]
    given = {
        "vault": vault_id,
        "wholes": list({each.whole for each in said.read}),
        "firsts": [sorted(each.words)[0] for each in alike],
        "seconds": [sorted(each.words)[1] for each in alike],
        "words": [prints.array(each.words) for each in alike],
    }
    return _found(_SAYING, given)


def held_in(vault_id: UUID, said: Print) -> dict[tuple[UUID, int], Print]:
    """What is retired, or was put away, of which every word is in this: two at least, and half of all that it says;
    whichever memory's: of the newest fifty the prints, by (memory, version).
    """
    words = sorted(frozenset[int]().union(*(each.words for each in said.read)))
    return _found(_HELD_IN, {"vault": vault_id, "words": words, "least": max(TELLING, (len(said.words) + 1) // 2)})


def retired_in(vault_id: UUID, said: Collection[Print]) -> dict[tuple[UUID, int], Print]:
    """What is retired, or was put away, and is kept nowhere by now, of which every word is in these, taken together;
    whichever memory's: of the newest 500 the prints, by (memory, version).
    """
    read = [each for one in said for each in one.read]
    words = sorted(frozenset[int]().union(*(each.words for each in read)))
    return _found(_RETIRED_IN, {"vault": vault_id, "words": words, "wholes": list({each.whole for each in read})})


def anything_ended(vault_id: UUID, since: datetime) -> bool:
    """Was any memory corrected, put away, merged or erased since then?"""
    ((found,),) = within([(_ENDED_SINCE, [vault_id, since])])[0]
    return bool(found)


def _found(query: str, given: dict[str, Any]) -> dict[tuple[UUID, int], Print]:
    (rows,) = within([(query, given)])
    return {(memory_id, version): made for memory_id, version, made in map(prints.fact, rows)}


# Words are stored in their order, and are keyed: which two come first is chance, and few texts share both.
_SAYING = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated FROM value_print p
 WHERE p.vault_id = %(vault)s AND p.whole = ANY(%(wholes)s)
UNION
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated
  FROM unnest(%(firsts)s::bigint[], %(seconds)s::bigint[], %(words)s::text[]) AS u(first, second, words)
  JOIN value_print p ON p.vault_id = %(vault)s AND p.words[1] = u.first AND p.words[2] = u.second
   AND p.words = u.words::bigint[]
"""


_HELD_IN = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated
  FROM value_print p JOIN memory_version v USING (vault_id, memory_id, version)
  JOIN memory m USING (vault_id, memory_id)
 WHERE p.vault_id = %(vault)s AND p.words[1] = ANY(%(words)s::bigint[]) AND p.words[2] = ANY(%(words)s::bigint[])
   AND p.words <@ %(words)s::bigint[] AND cardinality(p.words) >= %(least)s
   AND CASE WHEN v.version = m.version THEN m.state IN ('withdrawn', 'merged')
            ELSE v.ended_as <> 'waiting' AND m.state <> 'erased' END
 ORDER BY v.retired_at DESC NULLS FIRST, p.memory_id, p.version LIMIT 50
"""


_RETIRED_IN = """
SELECT p.memory_id, p.version, p.whole, p.words, p.length, p.numbers, p.negated
  FROM value_print p JOIN memory_version v USING (vault_id, memory_id, version)
  JOIN memory m USING (vault_id, memory_id)
 WHERE p.vault_id = %(vault)s
   AND (p.whole = ANY(%(wholes)s) OR p.words[1] = ANY(%(words)s::bigint[]) AND p.words <@ %(words)s::bigint[])
   AND CASE WHEN v.version = m.version THEN m.state IN ('withdrawn', 'merged')
            ELSE v.ended_as <> 'waiting' AND m.state <> 'erased' END
   AND NOT EXISTS (SELECT FROM value_print c JOIN memory k USING (vault_id, memory_id, version)
                    WHERE c.vault_id = %(vault)s AND c.whole = p.whole AND k.state = 'approved')
 ORDER BY v.retired_at DESC NULLS FIRST, p.memory_id, p.version LIMIT 500
"""


_ENDED_SINCE = """
SELECT EXISTS (SELECT FROM memory m WHERE m.vault_id = %s AND m.updated_at >= %s
                AND (m.version > 1 OR m.state <> 'approved'))
"""
