"""What the table of problems cannot know of a memory that the holder has just been shown: why it is not there for this
deed. The code is the table's.
"""

from collections.abc import Mapping

from apps.api.problems import Kind
from apps.policy.ids import typed
from apps.policy.types import Memory
from apps.policy.vocabulary import Refusal, State

Told = Mapping[Refusal, Kind]

STILL_TAKEN: Told = {
    Refusal.SUBJECT_TAKEN: Kind(
        409,
        "The subject is taken",
        "Another memory stands under the subject that it had. Move that one, and this can be undone.",
        "holder",
    )
}


def of_a_memory(current: Memory, *, by_version: bool = False) -> Told:
    """The no to changing this memory, or (`by_version`) to a version of it that was named."""
    if current.state is State.MERGED:
        return {
            Refusal.NOT_FOUND: Kind(
                404,
                "It is part of another",
                "It was made one with another memory, and is not changed by itself. Part the two first, or change that"
                " one.",
                "holder",
                next={"action": "look", "method": "GET", "href": "/api/v1/merges"},
            )
        }
    if not by_version:
        return {}
    history = f"/api/v1/memories/{typed('mem', current.memory_id)}/history"
    return {
        Refusal.NOT_FOUND: Kind(
            404,
            "No such version",
            "It has no version of this number, or none that this can be done with. Its history lists them.",
            "holder",
            next={"action": "look", "method": "GET", "href": history},
        )
    }
