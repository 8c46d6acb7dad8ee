"""What is streamed: the answer as it is written, and ledger lines as they appear."""

import asyncio
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import AsyncClient

from apps.ledger import services as ledger
from apps.memories import services as memories
from tests.fixtures import KITCHEN, Household
from tests.surfaces.web import Scene, browser, furnish, last_seq
from vault.clock import utc_now

EVENTS = {"accept": "text/event-stream"}


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def signed_in(scene: Scene) -> AsyncClient:
    client = AsyncClient()
    client.force_login(get_user_model().objects.get(pk=scene.holder.user_id))
    return client


async def read(response: Any, messages: int) -> list[str]:
    """The first messages of a stream, comments left out."""
    found: list[str] = []
    async for part in response.streaming_content:
        found += [each for each in part.decode().split("\n\n") if each and not each.startswith(":")]
        if len(found) >= messages:
            break
    return found


def test_an_answer_streams_its_text_and_then_its_stamps(scene: Scene) -> None:
    press = {"part": "ordinary", "do": "give", scene.home.kitchen: "give", "script": "1"}
    browser(scene.holder).post(f"/chat/{scene.offered}/decide", press)
    client = signed_in(scene)

    async def go() -> tuple[Any, list[str]]:
        response = await client.post(f"/chat/{scene.offered}/answer", headers=EVENTS)
        return response, await read(response, 1000)

    response, messages = asyncio.run(go())
    assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.headers["Cache-Control"] == "no-store"
    *pieces, finished = messages
    assert all(piece.startswith("data: <span>") for piece in pieces)
    assert "".join(piece.removeprefix("data: <span>").removesuffix("</span>") for piece in pieces).strip()
    assert 'hx-target="#turn"' in finished
    assert KITCHEN in finished
    assert "Answer ready, 1 memory handed over." in finished
    assert ledger.receipts(scene.holder.vault_id, scene.holder.actor, limit=9, kind="value.read", turn=scene.offered)


def test_a_tape_gets_the_lines_it_has_not_seen(scene: Scene) -> None:
    client, before = signed_in(scene), last_seq(scene.holder)
    memories.add(scene.holder, label="City", value="Porto", now=utc_now())

    async def go(**headers: str) -> list[str]:
        response = await client.get(f"/ledger/live?as=tape&after={before - 1}", headers=headers)
        return await read(response, 1)

    (message,) = asyncio.run(go())
    assert message.startswith(f"id: {before + 1}\n")
    assert "City" in message
    assert message.count("<li") == 2
    assert "Porto" not in message
    (resumed,) = asyncio.run(go(**{"last-event-id": str(before)}))
    assert resumed.count("<li") == 1


def test_a_page_of_the_ledger_gets_a_count(scene: Scene) -> None:
    client, before = signed_in(scene), last_seq(scene.holder)
    memories.add(scene.holder, label="City", value="Porto", now=utc_now())

    async def go(query: str) -> list[str]:
        return await read(await client.get(f"/ledger/live?after={before}{query}"), 1)

    assert "1 new line." in asyncio.run(go(""))[0]
    assert "1 new line." in asyncio.run(go("&kind=memory.added"))[0]


@pytest.mark.parametrize("deed", ["sign out", "sign out everywhere else", "another password"])
def test_a_tape_ends_with_its_session(scene: Scene, deed: str) -> None:
    """What the tape follows is the holder's: it stops at the next look once this session is over."""
    client, before = signed_in(scene), last_seq(scene.holder)
    user = get_user_model().objects.get(pk=scene.holder.user_id)

    def over() -> None:
        if deed == "another password":
            user.set_password("an entirely different one")
            user.save()
        elif deed == "sign out":
            client.session.flush()
        else:
            UserSession.objects.create(user=user, ip="::1", session_key=client.session.session_key, user_agent="")
            browser(scene.holder).post("/accounts/sessions/")
        memories.add(scene.holder, label="City", value="Porto", now=utc_now())
        connections.close_all()  # this thread's own

    async def go() -> str:
        response = await client.get(f"/ledger/live?as=tape&after={before}", headers=EVENTS)
        stream = aiter(response.streaming_content)  # type: ignore[union-attr, type-var, arg-type]
        said = [await anext(stream)]
        await asyncio.to_thread(over)
        said += [part async for part in stream]
        return b"".join(said).decode()

    assert asyncio.run(asyncio.wait_for(go(), 20)).strip() == ": nothing new"
    assert asyncio.run(client.get("/ledger/live?as=tape", headers=EVENTS)).status_code == 401  # type: ignore[arg-type]


def test_a_stranger_follows_nothing(scene: Scene) -> None:
    assert asyncio.run(AsyncClient().get("/ledger/live?after=0")).status_code == 302  # type: ignore[arg-type]
