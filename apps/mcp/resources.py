"""What may be read beside the tools: the vault's manners, this client's grants, its receipts."""

import json
from typing import Any

from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from apps.access import services as access
from apps.ledger import services as ledger
from apps.mcp import words
from apps.mcp.door import caller
from apps.mcp.work import on_a_thread
from apps.policy.vocabulary import Category, Purpose


async def policy() -> str:
    """What this vault refuses and why, who can change it, and what to do."""
    return json.dumps(
        {
            "rules": [
                "Nothing is read without a grant of the holder for this client, this purpose and these memories.",
                "A special category travels alone: in a request, a decision and a read of its own.",
                "Every value that is handed over, and every refusal, leaves a receipt.",
                "Nothing becomes a memory until the holder approves it.",
            ],
            "special_categories": [category.value for category in Category if category.special],
            "purposes": [purpose.value for purpose in Purpose],
            "refusals": [
                {"code": reason.value, "detail": detail, "who_can_fix": who, "next": then.model_dump()}
                for reason, (detail, who, then) in words.REFUSALS.items()
            ],
            "handling": words.HANDLING,
        }
    )


async def grants() -> str:
    """What the holder has granted this client, ended ones included."""

    def run() -> list[dict[str, Any]]:
        return [words.grant(each).model_dump(mode="json") for each in access.own_grants(caller())]

    return json.dumps({"grants": await on_a_thread(run)})


async def receipt(number: str) -> str:
    """One of this client's own receipts, by its id."""

    def run() -> str | None:
        who = caller()
        digits = number.removeprefix("rcp_")
        known = digits.isascii() and digits.isdigit() and len(digits) < 19
        found = ledger.receipt(who.vault_id, who.actor, int(digits), own=True) if known else None
        return words.receipt(found).model_dump_json() if found else None

    body = await on_a_thread(run)
    if body is None:
        raise ResourceNotFoundError("There is nothing here that you may see.")
    return body
