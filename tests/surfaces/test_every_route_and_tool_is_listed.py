"""Every route and tool stands in the table, and does what its line says: called once as allowed, and refused else."""

import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.urls import URLPattern
from pytest_django import DjangoDbBlocker

import vault.urls
from apps.access import services as access
from apps.api import log
from apps.api import urls as api
from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.erasing import Where
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, EntityKind, What
from apps.policy.types import Caller, Holder, Refused
from apps.policy.vocabulary import Level, Role
from apps.shares import services as shares
from apps.web import urls as web
from tests.drivers import Http
from tests.fixtures import Household, household
from tests.holders.people import acting, address_of, newcomer, space_of
from tests.surfaces.pages import OPEN_PAGES, PAGES
from tests.surfaces.routes import ANYONE, CLIENT, EITHER, HOLDER, LOG, REST, TOOLS, Route, Scene
from vault.clock import utc_now

OTHERS = {"openapi.json", "docs", ""}  # the description of the surface, and its not-found
UNHEARD = {"space-notice", "erased", "erased-certificate", "unsubscribe"}  # of a space, or a secret, that there is not
UNHEARD |= {"guest", "guest-keep"}  # nobody is one where it is not switched on
UNHEARD |= {"share-askew"}  # unless a link's token is in it
NAMES = {Caller: CLIENT, Holder: HOLDER, (Caller, Holder): EITHER}


def scene_of(home: Household) -> Scene:
    client, holder, now = home.as_client(), home.as_holder(), utc_now()
    granted = client.ask([home.kitchen])
    holder.decide(granted.request, {"ordinary": [home.kitchen]}, reads=None)
    read = client.read([home.kitchen])
    answered = holder.decide_turn(holder.ask_turn("Which kitchen equipment do I have?").turn, [home.kitchen])
    mine = space_of(home.holder)
    acting(home.holder, newcomer("Rosa"))
    joined = holders.invite_to_space(home.holder.user_id, mine, address_of(other := newcomer("Otto")), Role.ADMIN, now)
    invited = holders.invite_to_vault(
        home.holder, f"{secrets.token_hex(6)}@home.example", Role.DELEGATE, Level.VIEW, now
    )
    assert not isinstance(joined, Refused)
    assert not isinstance(invited, Refused)
    holders.accept(other.user_id, joined[1], now)
    twice = memories.add(home.holder, label="Home town", value="Leeds", now=now)
    assert not isinstance(twice, Refused)
    memories.correct(home.holder, twice.memory_id, value="Porto", now=utc_now())
    anna, anne = (naming.name(home.holder, EntityKind.PERSON, called, now) for called in ("Anna", "Anne"))
    time = untyped("mem", home.time)
    assert time is not None
    edge = linking.draw(home.holder, EdgeKind.ABOUT, time, anna.entity_id, now)
    merge = merging.merge(home.holder, What.ENTITY, anna.entity_id, anne.entity_id, now)
    assert not isinstance(edge, Refused)
    assert not isinstance(merge, Refused)
    old = memories.add(home.holder, label="Old address", value="Long ago", now=now)
    assert not isinstance(old, Refused)
    gone = erasure.order(home.holder, Where(ids=frozenset({old.memory_id})), utc_now(), request="12/7")
    assert not isinstance(gone, Refused)
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    shared = shares.make(home.holder, [kitchen], utc_now())
    assert not isinstance(shared, Refused)
    return Scene(
        home,
        wish=client.ask([home.time]).request,
        granted=granted.request,
        grant=typed("gra", access.grants(home.holder)[0].grant_id),
        receipt=read.receipt,
        proposal=client.propose("Spices", "Cumin and salt", derived_from=[]).proposal,
        turn=holder.ask_turn("How long is my cooking time?").turn,
        answered=answered.turn,
        key=typed("key", access.keys(home.holder)[0].key_id),
        space=typed("spc", mine),
        member=typed("usr", other.user_id),
        delegation=typed("del", holders.delegations(home.holder)[0].delegation_id),
        invitation=typed("inv", invited[0].invitation_id),
        twice=typed("mem", twice.memory_id),
        entity=typed("ent", anna.entity_id),
        edge=typed("edg", edge.edge_id),
        merge=typed("mrg", merge.merge_id),
        order=typed("ord", gone.order_id),
        share=typed("shr", shared.share.share_id),
    )


@pytest.fixture
def scene(live: None, request: pytest.FixtureRequest) -> Scene:
    """A scene of a test's own; whoever looks only, by GET, looks at the one that stands."""
    row = request.node.callspec.params.get("row")
    found: Scene = request.getfixturevalue("standing") if row and row.method == "GET" else scene_of(household())
    return found


@pytest.fixture(scope="module")
def standing(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Scene:
    """A scene for tests in which strangers come or somebody looks: nothing changes in it, or the next test sees it."""
    with django_db_blocker.unblock():
        return scene_of(household())


def routes() -> Iterator[tuple[str, str, Any]]:
    for pattern in api.urlpatterns:
        assert isinstance(pattern, URLPattern)
        template = str(pattern.pattern)
        if template in OTHERS:
            continue
        view: Any = pattern.callback.view_class
        for method in view.http_method_names:
            if method not in ("head", "options") and hasattr(view, method):
                yield method.upper(), template, view


def test_the_table_is_the_url_conf() -> None:
    assert sorted((method, template) for method, template, _ in routes()) == sorted(
        (row.method, row.template) for row in REST
    )


def test_who_may_call_and_what_is_refused_is_as_declared(live: None) -> None:
    who = {
        (method, template): NAMES[view.allow[method]] if view.allow else ANYONE for method, template, view in routes()
    }
    assert who == {(row.method, row.template): row.who for row in REST}
    paths = Http().call("GET", "openapi.json")["paths"]
    described = {
        (method.upper(), path): set(operation["x-problems"])
        for path, methods in paths.items()
        for method, operation in methods.items()
    }
    assert described == {
        (row.method, "/api/v1/" + row.template.replace("<str:", "{").replace(">", "}")): set(row.refuses)
        for row in REST
    }


def test_the_pages_are_listed() -> None:
    assert {pattern.name for pattern in web.urlpatterns} == PAGES
    assert [str(entry.pattern) for entry in vault.urls.urlpatterns] == [
        *("api/v1/", "log/", "accounts/", "console/", "review/", "")
    ]
    assert {str(entry.pattern) for entry in log.urlpatterns} == set(LOG)


def test_the_tools_are_listed(home: Household, server: str) -> None:
    async def names(client: Any) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert home.as_mcp(server).run(names) == list(TOOLS)


ids = [f"{row.method} {row.template}" for row in REST]


@pytest.mark.parametrize("row", REST, ids=ids)
def test_a_route_answers_whom_it_names_and_nobody_else(
    row: Route, scene: Scene, settle: Callable[[], Household]
) -> None:
    call = row.call(scene)
    path = call.path or scene.path(row.template)
    client, holder = Http(scene.home.key), Http(holder=scene.home.holder)
    other = settle()
    own = {CLIENT: [client], HOLDER: [holder], EITHER: [holder, client], ANYONE: [Http()]}[row.who]

    def send(http: Http, **without: str) -> Any:
        return http.send(row.method, path, call.body, **{**call.headers, **without})

    # nobody, and a key that is none
    if row.who is not ANYONE:
        for stranger in (Http(), Http("mnk_" + "x" * 43), Http("Basic")):
            response = send(stranger)
            assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
            assert response.headers["WWW-Authenticate"] == 'Bearer realm="muniment"'
    # the wrong kind of credential
    if row.who is CLIENT:
        assert (send(holder).status_code, send(holder).json()["code"]) == (403, "client-only")
    if row.who is HOLDER:
        assert (send(client).status_code, send(client).json()["code"]) == (403, "holder-only")
    # another vault's credential of the right kind
    foreign = Http(other.key) if own[-1] is client else Http(holder=other.holder)
    if row.who is not ANYONE and row.foreign:
        response = send(foreign)
        assert response.status_code == row.foreign
        told = b"" if response.streaming else response.content
        sent = f"{path} {call.body}"
        assert not [each for each in scene.ids() if each not in sent and each.encode() in told]
    # whom it names, last: it may change the scene
    for http in own:
        response = send(http)
        assert response.status_code == call.status, response.content
        assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("tool", list(TOOLS))
def test_a_tool_answers_its_own_vault_and_nobody_else(
    tool: str, scene: Scene, server: str, settle: Callable[[], Household]
) -> None:
    arguments = TOOLS[tool][1](scene)
    assert scene.home.as_mcp(server).call(tool, **arguments)
    other = settle()
    answer = other.as_mcp(server).call(tool, **arguments)  # its own vault, with the first one's ids
    if tool in ("check_request", "request_access"):
        assert answer.code == "not-found"
    elif tool == "read_memories":
        assert answer["withheld"][0]["problem"] == "not-found"


def invited_to(scene: Scene) -> str:
    """The token of an invitation that is open to somebody."""
    made = holders.invite_to_vault(
        scene.home.holder, f"{secrets.token_hex(6)}@home.example", Role.DELEGATE, Level.VIEW, utc_now()
    )
    assert not isinstance(made, Refused)
    return made[1]


@pytest.mark.parametrize("page", web.urlpatterns, ids=lambda page: page.name)
def test_a_page_is_opened_by_the_holder_alone(page: URLPattern, live: None, standing: Scene) -> None:
    """Nobody, and a client's key, are led to the sign-in; nothing is told and nothing is done."""
    unknown = uuid4().hex
    path = "/" + str(page.pattern)
    path = re.sub(r"<(?!rcp|str|int)(\w{3}):\w+>", lambda found: f"{found[1]}_{unknown}", path)
    path = path.replace("<rcp:seq>", standing.receipt).replace("<int:number>", "1").replace("<int:version>", "1")
    if "<str:token>" in path:
        path = path.replace("<str:token>", invited_to(standing))
    for stranger in (Http(), Http(standing.home.key)):
        for method in ("GET", "POST"):
            response = stranger.send(method, path)
            if page.name in OPEN_PAGES:
                unheard = {404} if page.name in UNHEARD else set()
                assert response.status_code in {200, 403, 405, 503} | unheard
            else:
                assert response.status_code in (302, 403, 405), path
                assert response.status_code != 302 or response.headers["Location"].startswith("/accounts/login/")
    assert utc_now()
