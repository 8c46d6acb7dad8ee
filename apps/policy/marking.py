"""What a proposal's own words tell, whatever is kept: marked when it is made, at the same cost for each."""

from collections.abc import Sequence

from apps.policy.looks import mixed
from apps.policy.proposals import Mark
from apps.policy.special import suggests_special
from apps.policy.text import hides
from apps.policy.vocabulary import MarkKind


def of_itself(subject: str, label: str, value: str, around: Sequence[str]) -> tuple[Mark, ...]:
    """The marks of what is said under this subject and label; `around`: what its client says for it. Only its own words
    make it one to look at by itself, and of which category they tell is not written down: marks are in clear.
    """
    texts = (label, value, *around)
    found = {
        MarkKind.HIDDEN: any(map(hides, texts)),
        MarkKind.LOOKALIKE: any(map(mixed, texts)),
        MarkKind.ALONE: suggests_special(subject, label, value),
    }
    return tuple(Mark(kind) for kind, noticed in found.items() if noticed)
