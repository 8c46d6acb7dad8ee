"""Proposing, by a client that was shown what it names."""

from typing import Any

from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from tests.cast import Assistant
from vault.clock import utc_now


def propose(by: Assistant, **words: Any) -> Proposal | Refused:
    """What a client says of its proposal, by the names that `memories.propose` has for it."""
    named = [words[name] for name in ("target", "other") if name in words]
    return memories.propose(by.caller, now=utc_now(), known=named, **words)


def made(by: Assistant, **words: Any) -> Proposal:
    """The same, where it is taken."""
    done = propose(by, **words)
    assert isinstance(done, Proposal), done
    return done
