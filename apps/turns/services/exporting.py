"""The conversation as a file to keep, which anybody can check: docs/conversation-file.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.ledger.format.conversation import ConversationHead, event_line, pinned_line, span_lines, turn_line
from apps.ledger.format.turn import TURN_VERSION
from apps.ledger.log import reading
from apps.ledger.services.strands import Strand, links, strand_of
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder
from apps.turns import store


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """A conversation to be taken away: the name of its file, and its bytes, made as they are asked for."""

    name: str
    parts: Iterator[bytes]


@needs(Deed.TAKE)
def conversation_file(holder: Holder, turn_id: UUID | None = None, *, content: bool = True) -> ConversationFile | None:
    """One turn, or all of them, with their receipts; None where there is none.

    `content` False: no word and no key, the digests alone. How far it reaches is fixed here, in one moment; it is read
    while the parts are, a turn at a time, so that nothing is held open meanwhile: a log only grows.
    """
    with reading(holder.vault_id, holder.actor, still=True):
        extents = store.extents(holder.vault_id, turn_id)
        if not extents:
            return None
        requests = {
            typed("trn", each.turn_id): typed("req", each.request_id) if each.request_id else "-" for each in extents
        }
        strand = strand_of(holder.vault_id, requests)
    vault = typed("vlt", holder.vault_id)
    head = ConversationHead(vault, tuple(requests), content, strand.first, strand.last, strand.previous_chain_hash)
    name = typed("trn", turn_id) if turn_id else "conversation"
    return ConversationFile(f"{name}.conversation.jsonl", _parts(holder, head, extents, strand, requests))


def _parts(
    holder: Holder,
    head: ConversationHead,
    extents: Sequence[store.Extent],
    strand: Strand,
    requests: dict[str, str],
) -> Iterator[bytes]:
    yield head.line(strand.pinned, strand.cosigned)
    for extent in extents:
        with reading(holder.vault_id, holder.actor):
            kept = store.conversation(holder.vault_id, extent.turn_id)
        yield b"".join(_lines(kept, extent.events, head.content))
    for some in links(holder.vault_id, holder.actor, strand, requests):
        yield b"".join(span_lines(some))
    yield pinned_line(strand.pinned)


def _lines(kept: store.Conversation, events: int, content: bool) -> Iterator[bytes]:
    """A turn's lines. Of one from before there were events, what its receipt binds, once it is answered."""
    name = typed("trn", kept.turn_id)
    if kept.version == TURN_VERSION:
        yield turn_line(name, kept.version, kept.key if content else None)
        for event in kept.events[:events]:
            yield event_line(event, content)
    elif content and kept.facts:
        yield turn_line(name, kept.version, kept.key, {"facts": kept.facts, "texts": kept.texts})
    else:
        yield turn_line(name, kept.version, None)
