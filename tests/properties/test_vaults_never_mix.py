"""Vaults never mix: whatever a key or a session of one vault sends, another's memories answer like ids that never were.

Protects every holder from every other one, and from whoever guesses ids.
"""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import async_to_sync
from pytest_django import DjangoDbBlocker

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Asked, Refused
from apps.policy.vocabulary import Category, Purpose
from apps.turns import services as turns
from apps.web import urls as web
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, canary, give, read_ids, register
from tests.drivers import Http
from tests.fixtures import VALUES, Household, household
from tests.properties.conftest import Mcp, Surface
from tests.surfaces.pages import OPEN_PAGES
from tests.surfaces.routes import CLIENT, REST, TOOLS, Route, Scene
from tests.surfaces.test_every_route_and_tool_is_listed import scene_of
from tests.threads import at_once
from vault.clock import utc_now

ID = re.compile(r"\b(mem|cli|req|gra|trn|prp|key|vlt|spc|del|inv|ent|edg|mrg|bat|hld|usr|ord|shr|lnk)_[0-9a-f]{32}\b")
PASSING = re.compile(
    r"""\d{4}-\d\d-\d\dT[\d:.]+Z|rcp_\d+|sha256:[0-9a-f]{64}|mnk_[\w-]+|seq['"]: ?\d+"""
    r"""|(?<="digest":")[0-9a-f]{64}(?=","receipts":)"""  # over a bundle's own time
)  # new at each call


@pytest.fixture
def robber(mallory: Vault) -> Assistant:
    """A client of Mallory's, who knows every id of Alice's."""
    return register(mallory, "Robber")


def test_another_vault_s_memory_is_answered_like_one_that_never_was(
    alice: Vault, cook: Assistant, robber: Assistant, surface: Surface
) -> None:
    give(cook, "kitchen", "time")
    own = surface.client(cook).read([alice.mem("kitchen")])
    assert own and own.values == {alice.mem("kitchen"): alice.values["kitchen"]}, "the control: its own client reads it"
    client, never = surface.client(robber), f"mem_{uuid4().hex}"
    foreign, unknown = client.read([alice.mem("kitchen")]), client.read([never])
    assert repr(foreign).replace(alice.mem("kitchen"), never).replace(_receipt(foreign), "") == repr(unknown).replace(
        _receipt(unknown), ""
    )
    assert not foreign or foreign.withheld == {alice.mem("kitchen"): "not-found"}
    assert client.ask([alice.mem("kitchen")]) == client.ask([never])
    assert len(alice.handed()) == 1


def _receipt(read: Any) -> str:
    return read.receipt if read else "-"


# ---------------------------------------------------------------- every route and tool
@dataclass(frozen=True)
class Standing:
    """Somebody's household with one of everything, and a stranger's. What the stranger sends changes nothing in the
    first, or the next test sees it."""

    scene: Scene
    stranger: Household
    ids: Mapping[str, str]  # of one of everything, by its kind


@pytest.fixture(scope="module")
def standing(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Standing:
    """One for all that is asked here."""
    with django_db_blocker.unblock():
        scene = scene_of(household())
        ids = dict(zip("trn prp req mem gra cli key spc del inv".split(), _ids(scene), strict=True)) | _linked(scene)
        return Standing(scene, household(), ids)


def others(scene: Scene) -> Callable[[str], str]:
    """Replaces every id by one that never was, of the same kind; the same one by the same."""
    known: dict[str, str] = {}
    return lambda text: ID.sub(lambda found: known.setdefault(found[0], f"{found[1]}_{uuid4().hex}"), text)


def whole(response: Any) -> bytes:
    """An answer's body, streamed or not."""

    async def streamed() -> bytes:
        return b"".join([part async for part in response.streaming_content])

    if not response.streaming:
        return bytes(response.content)
    return async_to_sync(streamed)() if response.is_async else b"".join(response)


def plain(response: Any, ids: Callable[[str], str]) -> tuple[int, str]:
    """An answer without what differs from call to call: times, request ids, the ids themselves."""
    text = ids(whole(response).decode())
    return response.status_code, ID.sub("", PASSING.sub("", text))


@pytest.mark.parametrize("row", [row for row in REST if row.foreign], ids=lambda row: f"{row.method} {row.template}")
def test_no_route_tells_a_foreign_id_from_an_unknown_one(
    row: Route, standing: Standing, settle: Callable[[], Household]
) -> None:
    scene, mine = standing.scene, settle()
    call, unknown = row.call(scene), others(scene)
    path, body = call.path or scene.path(row.template), json.dumps(call.body)
    answers = []
    for ids in (str, unknown):
        if answers and (row.foreign == 201 or row.service == "access.route_text"):
            mine = settle()  # what was made once is found the second time
        http = Http(mine.key) if row.who is CLIENT else Http(holder=mine.holder)
        headers = {name: secrets.token_hex(8) if name == "Idempotency-Key" else it for name, it in call.headers.items()}
        answers.append(plain(http.send(row.method, ids(path), json.loads(ids(body)), **headers), unknown))
    assert answers[0] == answers[1]
    assert not [value for value in VALUES if value in answers[0][1]]


@pytest.mark.parametrize("tool", list(TOOLS))
def test_no_tool_tells_a_foreign_id_from_an_unknown_one(
    tool: str, standing: Standing, settle: Callable[[], Household], server: str
) -> None:
    scene, mine = standing.scene, settle()
    unknown = others(scene)
    client = mine.as_mcp(server)
    arguments = TOOLS[tool][1](scene)
    if tool == "get_receipt":
        return  # receipts are numbered in each vault; that another's is not shown is below
    said = []
    for ids in (str, unknown):
        text = unknown(repr(client.call(tool, **json.loads(ids(json.dumps(arguments))))))
        said.append(ID.sub("", PASSING.sub("", text)))
    assert said[0] == said[1] or tool == "propose_memory"
    assert not [value for value in VALUES if value in said[0]]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("page", [page for page in web.urlpatterns if "<" in str(page.pattern)], ids=lambda p: p.name)
def test_no_page_tells_a_foreign_id_from_an_unknown_one(page: Any, method: str, live: None, standing: Standing) -> None:
    if "rcp:" in str(page.pattern) or page.name in OPEN_PAGES:
        return  # numbered in each vault; or for everybody: a notice, a link that was mailed and is known by its token
    path = "/" + re.sub(r"<(\w{3}):\w+>", lambda found: standing.ids[found[1]], str(page.pattern))
    http, unknown = Http(holder=standing.stranger.holder), others(standing.scene)
    foreign, never = http.send(method, path), http.send(method, unknown(path))
    assert foreign.status_code == never.status_code
    assert foreign.status_code in (302, 404, 405), "nothing of another's is opened"
    assert not [value for value in VALUES if value.encode() in foreign.content]


def _ids(scene: Scene) -> list[str]:
    client = scene.path("<str:client>")
    return [
        scene.answered,
        scene.proposal,
        scene.wish,
        scene.home.kitchen,
        scene.grant,
        client,
        scene.key,
        *scene.people(),
    ]


def _linked(scene: Scene) -> dict[str, str]:
    """An entity, a link, a merge, a batch, an order and a share of the scene's holder."""
    http, home = Http(holder=scene.home.holder), scene.home
    anna, ann = (http.call("POST", "entities", {"kind": "person", "name": name})["id"] for name in ("Anna", "Ann"))
    drawn = http.call("POST", "edges", {"kind": "about", "from": home.time, "to": anna})["id"]
    merged = http.call("POST", "merges", {"kept": anna, "merged": ann})["id"]
    decided = {"decision": "approve", "items": [{"proposal": scene.proposal, "revision": 1}]}
    batch = http.call("POST", "proposals/decisions", decided)["batch"]
    holder = typed("usr", home.holder.user_id)
    gone = http.call("POST", "memories", {"label": "Old address", "value": "Long ago"})["id"]
    order = http.call("POST", "erasures", {"memories": [gone], "request": "Number 7"})["id"]
    (link,) = http.call("GET", f"shares/{scene.share}")["links"]
    made = {"ent": anna, "edg": drawn, "mrg": merged, "bat": batch, "usr": holder, "ord": order}
    return made | {"shr": scene.share, "lnk": link["id"]}


def test_a_key_opens_the_vault_it_belongs_to_whatever_the_address_says(
    alice: Vault, robber: Assistant, server: str
) -> None:
    at_alice_s = Mcp(f"{server}/mcp/vlt_{alice.id.hex}", robber.key)
    got = at_alice_s.subjects()
    assert not got and got.code == "unauthenticated"


def test_a_receipt_number_is_one_s_own(alice: Vault, cook: Assistant, robber: Assistant, surface: Surface) -> None:
    give(cook, "kitchen")
    own = surface.client(cook).read([alice.mem("kitchen")])
    assert own and surface.client(cook).receipt(own.receipt)
    seen = surface.client(robber).receipt(own.receipt)
    assert not seen, "the number is another vault's, or none of this client's"


# ---------------------------------------------------------------- every service
def test_no_service_of_a_holder_reaches_into_another_vault(alice: Vault, cook: Assistant, mallory: Vault) -> None:
    grant = give(cook, "kitchen")
    wish = cook.ask("time")
    made = memories.propose(cook.caller, label="City", value=canary(), now=utc_now())
    assert made
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    thief, now = mallory.holder, utc_now()
    (key,) = access.keys(alice.holder)
    decision = {Category.ORDINARY: access.Decision(frozenset({alice.ids["time"]}))}
    everything = frozenset(alice.ids.values())
    before = _picture(alice)
    deeds: dict[str, Callable[[UUID | None], Any]] = {
        "memory": lambda id_: memories.memory(thief, id_ or alice.ids["kitchen"]),
        "history": lambda id_: memories.history(thief, id_ or alice.ids["kitchen"]),
        "correct": lambda id_: memories.correct(thief, id_ or alice.ids["kitchen"], value="x", now=now),
        "put away": lambda id_: memories.put_away(thief, id_ or alice.ids["kitchen"], now),
        "put back": lambda id_: memories.put_back(thief, id_ or alice.ids["diary"], now),
        "proposal": lambda id_: memories.proposal(thief, id_ or made.proposal_id),
        "approve": lambda id_: memories.approve(thief, id_ or made.proposal_id, now=now),
        "reject": lambda id_: memories.reject(thief, id_ or made.proposal_id, now),
        "request": lambda id_: access.request(thief, id_ or wish.request_id),
        "decide": lambda id_: access.decide(thief, id_ or wish.request_id, decision, now),
        "grant": lambda id_: access.grant(thief, id_ or grant.grant_id),
        "revoke grant": lambda id_: access.revoke_grant(thief, id_ or grant.grant_id, now),
        "make key": lambda id_: access.make_key(thief, id_ or cook.client.client_id, now),
        "revoke key": lambda id_: access.revoke_key(thief, id_ or key.key_id, now),
        "revoke": lambda id_: access.revoke(thief, id_ or cook.client.client_id, now),
        "pause": lambda id_: access.pause(thief, id_ or cook.client.client_id, True),
        "turn": lambda id_: turns.turn(thief, id_ or asked.turn_id),
        "decide turn": lambda id_: turns.decide(thief, id_ or asked.turn_id, ordinary=everything, now=now),
        "answer": lambda id_: list(turns.answer(thief, id_ or asked.turn_id, now)),
        "without": lambda id_: turns.without(thief, id_ or asked.turn_id, alice.ids["kitchen"], now),
        "show": lambda id_: memories.show(thief, [id_ or alice.ids["kitchen"]]).values,
        "candidates": lambda id_: memories.show_candidates(thief, (made,)).values if id_ is None else (),
    }
    for name, deed in deeds.items():
        foreign, never = deed(None), deed(uuid4())
        assert foreign == never, f"{name} tells another vault's id from an unknown one"
        assert not foreign, name
    assert _picture(alice) == before
    assert memories.show(alice.holder, [alice.ids["kitchen"]]).values, "the control: the same id, its own holder"


def _picture(vault: Vault) -> list[object]:
    return [
        memories.memories(vault.holder),
        memories.proposals(vault.holder, None),
        access.grants(vault.holder),
        access.clients(vault.holder),
        access.keys(vault.holder),
        turns.recent(vault.holder),
        vault.receipts(),
    ]


def test_no_list_holds_anything_of_another(alice: Vault, mallory: Vault, cook: Assistant, robber: Assistant) -> None:
    give(cook, "kitchen")
    give(robber, "kitchen")
    cook.ask("time")
    turns.ask(alice.holder, QUESTION, utc_now())
    theirs = repr(
        [
            *_picture(mallory),
            access.subjects(robber.caller),
            access.own_grants(robber.caller),
            access.waiting(mallory.holder, utc_now()),
            memories.own_proposals(robber.caller),
        ]
    )
    mine = [alice.id, alice.holder.user_id, cook.client.client_id, *alice.ids.values()]
    assert not [each for each in mine if each.hex in theirs or str(each) in theirs]
    assert not [secret for secret in alice.secrets if secret in theirs]


def test_a_word_of_one_finds_nothing_in_another(alice: Vault, mallory: Vault) -> None:
    word = alice.values["kitchen"].split()[-1]
    assert memories.search(alice.id, alice.holder.actor, word, 10)
    assert memories.search(mallory.id, mallory.holder.actor, word, 10) == ()


def test_the_session_s_person_decides_which_vault_opens(alice: Vault, mallory: Vault) -> None:
    """Not the newest, not the last one used."""
    for vault in (alice, mallory, alice):
        assert holders.holder(vault.holder.user_id) == vault.holder
        http = Http(holder=vault.holder)
        assert http.call("GET", "me")["vault"] == f"vlt_{vault.id.hex}"
        listed = {each["id"] for each in http.call("GET", "memories")["items"]}
        assert listed == {vault.mem(name) for name in vault.ids}


@pytest.mark.parametrize("name", ["vault", "vault_id", "tenant", "user_id", "X-Vault"])
def test_no_parameter_or_header_names_another_vault(alice: Vault, robber: Assistant, name: str) -> None:
    there = f"vlt_{alice.id.hex}"
    http = Http(robber.key)
    for response in (
        http.send("GET", f"subjects?{name}={there}"),
        http.send("GET", "subjects", **{name: there}),
        http.send("POST", "reads", {"memories": [alice.mem("time")], "purpose": "care", name: there}, **_once()),
    ):
        assert alice.mem("kitchen") not in response.content.decode()
        assert not [value for value in alice.values.values() if value in response.content.decode()]
    assert alice.handed() == []


def _once() -> dict[str, str]:
    return {"Idempotency-Key": secrets.token_hex(8)}


# ---------------------------------------------------------------- at once
def test_two_vaults_at_once_on_four_threads_never_cross(alice: Vault, mallory: Vault) -> None:
    """Reads and writes of both, interleaved on connections that both use."""
    parties = [register(alice, "Cook"), register(mallory, "Cook")]
    for party in parties:
        give(party, "kitchen", "time")

    def work(number: int) -> list[str]:
        crossed = []
        for round_ in range(12):
            own, other = parties[(number + round_) % 2], parties[(number + round_ + 1) % 2]
            result = read_ids(own, [own.vault.ids["kitchen"], other.vault.ids["kitchen"]])
            if [each.handed.value for each in result.released] != [own.vault.values["kitchen"]]:
                crossed.append("read")
            asked = access.ask(own.caller, [Asked(other.vault.ids["time"])], purpose=Purpose.CARE, now=utc_now())
            if not isinstance(asked, Refused):
                crossed.append("ask")
            kept = memories.add(own.vault.holder, label="Note", value=canary(), now=utc_now())
            if memories.memory(other.vault.holder, kept.memory_id) is not None:
                crossed.append("add")
            if {each.memory_id for each in memories.memories(own.vault.holder)} & set(other.vault.ids.values()):
                crossed.append("list")
        return crossed

    assert at_once([partial(work, number) for number in range(4)]) == [[]] * 4
    for party in parties:
        assert ledger.verify(party.vault.id, party.vault.holder.actor)
        assert {memory for memory, _ in party.vault.handed()} == {party.vault.ids["kitchen"]}


def test_a_purpose_of_one_vault_s_grant_is_nothing_to_another(alice: Vault, cook: Assistant, robber: Assistant) -> None:
    give(cook, "kitchen", purpose=PURPOSE)
    result = read_ids(robber, [alice.ids["kitchen"]])
    assert result.released == []
