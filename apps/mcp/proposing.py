"""The tool that proposes. Nothing it does makes anything so: the holder decides, in the vault."""

from datetime import date
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import Field

from apps.access import services as access
from apps.mcp import shapes, words
from apps.mcp.arguments import id_of, turn_of, word_of
from apps.mcp.door import caller
from apps.mcp.work import on_a_thread
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.links import EdgeKind
from apps.policy.staging import thing_named
from apps.policy.text import TextProblem
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive
from vault.clock import utc_now

TELLS = {
    "pending": "I've suggested this. It is so only if you approve it in your vault.",
    "withdrawn": "I've taken my suggestion back.",
}
AGAIN = (
    "I had suggested this already, and it waits in your vault as it was: nothing that I added now was kept. "
    "To say more, I take it back and suggest it again."
)


async def propose_memory(
    context: Context[Any, Any],
    label: Annotated[str, Field(description="What it is about; of something new.")] = "",
    value: Annotated[str, Field(description="What is to be remembered, of add and correct.")] = "",
    subject: Annotated[
        str, Field(description="A dotted path such as kitchen.equipment; names what is corrected, reverted or erased.")
    ] = "",
    rationale: Annotated[str, Field(description="Why; at most 500 characters.")] = "",
    as_of: Annotated[
        date | None, Field(description="On which day it was seen to be so: a note, no beginning (valid_from).")
    ] = None,
    directive: Annotated[str, Field(json_schema_extra={"enum": [each.value for each in Directive]})] = "add",
    target: Annotated[str, Field(description="Instead of subject: the id of what it is about.")] = "",
    other: Annotated[str, Field(description="What is merged into target; where the new edge leads.")] = "",
    edge: Annotated[str, Field(json_schema_extra={"enum": ["", *(each.value for each in EdgeKind)]})] = "",
    changed: Annotated[bool, Field(description="The old value was true until now; else it was wrong.")] = False,
    valid_from: Annotated[str, Field(description="Since when it is true: a day, or a moment in UTC.")] = "",
    valid_to: Annotated[str, Field(description="Until when it was true.")] = "",
    evidence: Annotated[list[str], Field(max_length=10, description="Lines of at most 200 characters.")] = [],  # noqa: B006
    derived_from: Annotated[
        list[str] | None,
        Field(max_length=50, description="Memories you read that it was made from; [] if none. Needed after a read."),
    ] = None,
    turn_id: Annotated[str | None, Field(max_length=64, description="Instead: the turn_id of the reads.")] = None,
    withdraw: Annotated[str, Field(description="Instead of all else: take back this proposal of yours.")] = "",
) -> Annotated[CallToolResult, shapes.Proposal]:
    """Propose to add, correct, revert, merge, move or erase a memory, or to replace or end an edge. Nothing is so until
    the holder approves it; what was rejected is not proposed again. What waits already is left as it is (again): to say
    more about it, withdraw it and propose it again.
    """

    def run() -> CallToolResult:
        who, now = caller(), utc_now()
        sent = dict((context.request_context.params or {}).get("arguments") or {})
        if withdraw:
            if set(sent) - {"withdraw"}:
                raise TextProblem("withdraw", "Send it alone.")
            return _answer(memories.withdraw(who, id_of("prp", withdraw, "withdraw"), now))
        named = [id_of("mem", each, "derived_from") for each in derived_from] if derived_from is not None else None
        names = {"turn" if name == "turn_id" else name for name, each in sent.items() if each not in ("", None)}
        return _answer(
            access.propose(
                who,
                now=now,
                directive=word_of(Directive, directive, "directive"),
                target=thing_named(target, "target") if target else None,
                other=thing_named(other, "other") if other else None,
                subject=subject,
                derived_from=named,
                turn=turn_of(who, turn_id) if turn_id else "",
                label=label,
                value=value,
                sent_fields=names | {each for each in ("label", "value") if each in sent},
                rationale=rationale,
                as_of=as_of,
                edge=edge,
                changed=changed,
                valid_from=valid_from,
                valid_to=valid_to,
                evidence=tuple(evidence),
            )
        )

    return await on_a_thread(run)


def _answer(done: Proposal | Refused) -> CallToolResult:
    if isinstance(done, Refused):
        return words.refused(done, turn="turn_id")
    proposal, tell = typed("prp", done.proposal_id), AGAIN if done.again else TELLS.get(done.status.value, "")
    told = shapes.Proposal(proposal=proposal, status=done.status.value, again=done.again, tell_the_user=tell)
    return words.result(told)
