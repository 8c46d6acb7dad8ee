"""What a minor seals leaves no trace: for a guardian, or a delegate, every page, count, number, answer and ETag is the
same bytes with it and without it.

Protects a child who keeps something to themself from having to explain that there is something.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.memories.services import linking, merging, naming
from apps.policy.grants import Narrower
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, EntityKind, What
from apps.policy.roles import Barred
from apps.policy.types import Asked, Caller, Holder, Refused, Turn
from apps.policy.vocabulary import Category, Directive, Purpose, Role, State
from apps.turns import services as turns
from tests.alike import Look, alike, bare
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.routes import EITHER, HOLDER, REST
from vault.clock import utc_now

QUESTION = "Which kitchen equipment do I have, and how is my cooking time?"
DIARY = "What I wrote about Sam"
MOST = 6  # of one kind are looked at; every line and every id stands in the lists
VOLATILE = {"Request-Id", "Set-Cookie", "Date", "X-Request-Id"}


@dataclass(frozen=True)
class Home:
    """A minor's vault with a client and somebody who acts for them there."""

    house: Household
    seat: Holder
    caller: Caller

    @property
    def minor(self) -> Holder:
        return self.house.holder

    def memory(self, name: str) -> UUID:
        found = untyped("mem", getattr(self.house, name))
        assert found is not None
        return found


@pytest.fixture(params=[Role.GUARDIAN, Role.DELEGATE])
def open_home(request: pytest.FixtureRequest, settle: Callable[[], Household]) -> Callable[[], Home]:
    """Opens vaults of a minor, with a guardian or a delegate, all alike."""

    def make() -> Home:
        house = settle()
        caller = access.authenticate(house.key, utc_now())
        assert caller is not None
        return Home(house, acting(house.holder, newcomer("Rosa"), request.param), caller)

    return make


# ---------------------------------------------------------------- looking
def look(at: Home) -> Look:
    """Everything that the seat can GET: every page that a page leads to, and every REST route with every id that an
    answer names; what differs at each look taken out."""
    browser = Client()
    browser.force_login(get_user_model().objects.get(pk=at.seat.user_id))
    own = holders.holder(at.seat.user_id)
    assert own is not None
    seated = {"to": typed("vlt", at.seat.vault_id), "seat": typed("vlt", own.vault_id)}
    assert browser.post("/people/seat", seated).status_code == 302
    browser.get("/file")  # takes up the note that one sits there now
    seen: Look = {}
    todo = ["/", "/inbox", "/ledger", "/ledger.csv", "/ledger.bundle.jsonl", "/file", "/grants", "/people", "/you"]
    while todo:
        path = todo.pop(0)
        if path in seen or path.startswith(("/static", "/accounts", "/verify", "/admin", "/api", "/ledger/live")):
            continue
        if path.startswith("/receipts/") and len([each for each in seen if each.startswith("/receipts/")]) >= MOST:
            continue
        seen[path] = _got(browser.get(path))
        body = seen[path][2].decode()
        todo += [each.replace("&amp;", "&") for each in re.findall(r'(?:href|connect)="(/[^"#]*)', body)]
    return {**seen, **_rest(at, browser)}


def _rest(at: Home, browser: Client) -> Look:
    """Every REST route for a holder, with each id that it answers about."""
    seat = {"Muniment-Seat": typed("vlt", at.seat.vault_id)}
    seen: Look = {}
    ids: dict[str, set[str]] = {}
    routes = [each for each in REST if each.method == "GET" and each.who in (HOLDER, EITHER)]
    for each in sorted(routes, key=lambda route: route.template.count("<")):
        if each.template.endswith("/stream"):
            continue
        for path in _filled(each.template, ids)[-MOST:]:
            seen[path] = _got(browser.get(path, headers=seat))
            for kind, digits in re.findall(rb'"([a-z]{3})_([0-9a-f]{32}|[0-9]+)"', seen[path][2]):
                ids.setdefault(kind.decode(), set()).add(f"{kind.decode()}_{digits.decode()}")
    return seen


KINDS = {
    "access_request": "req",
    "receipt": "rcp",
    "memory": "mem",
    "proposal": "prp",
    "turn": "trn",
    "client": "cli",
    "grant": "gra",
    "key": "key",
    "delegation": "del",
    "invitation": "inv",
    "space": "spc",
    "entity": "ent",
    "edge": "edg",
    "merge": "mrg",
    "order": "ord",
}


def _filled(template: str, ids: dict[str, set[str]]) -> list[str]:
    named = re.findall(r"<str:(\w+)>", template)
    if not named:
        return [f"/api/v1/{template}?limit=100" if template in PAGED else f"/api/v1/{template}"]
    if named[0] not in KINDS:
        return []
    return [f"/api/v1/{template}".replace(f"<str:{named[0]}>", each) for each in sorted(ids.get(KINDS[named[0]], ()))]


PAGED = {"receipts", "memories", "grants", "proposals", "entities", "merges", "erasures"}


def _got(response: Any) -> tuple[int, dict[str, str], bytes]:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)
    body = re.sub(rb'"(instance|request_id|server_time)": ?"[^"]*"', b"", body)
    headers = {name: value for name, value in response.headers.items() if name not in VOLATILE | {"Content-Length"}}
    return response.status_code, headers, body


# ---------------------------------------------------------------- living
def _asked(at: Home, *ids: UUID, category: Category | None = None) -> UUID:
    wanted = [Asked(each) for each in ids] + ([Asked(category=category)] if category else [])
    wish = access.ask(at.caller, wanted, purpose=Purpose.CARE, now=utc_now())
    assert not isinstance(wish, Refused), wish
    return wish.request_id


def _granted(at: Home, request_id: UUID, *ids: UUID) -> None:
    decision = access.Decision(frozenset(ids), utc_now() + timedelta(hours=1), None)
    done = access.decide(at.minor, request_id, {Category.ORDINARY: decision}, utc_now())
    assert not isinstance(done, Refused), done


def _read(at: Home, *ids: UUID) -> None:
    key = utc_now().isoformat()
    done = access.read(at.caller, list(ids), purpose=Purpose.CARE, idempotency_key=key, body_digest=key, now=utc_now())
    assert not isinstance(done, Refused) and len(done.released) == len(ids), done


def _turn(by: Holder, question: str, *, ordinary: bool = True) -> Turn:
    asked = turns.ask(by, question, utc_now())
    chosen = frozenset(each.memory_id for each in turns.card(by, asked).ordinary)
    turns.decide(by, asked.turn_id, ordinary=chosen if ordinary else frozenset(), now=utc_now())
    list(turns.answer(by, asked.turn_id, utc_now()))
    found = turns.turn(by, asked.turn_id)
    assert found is not None
    return found


def _proposed(at: Home, label: str) -> UUID:
    made = memories.propose(at.caller, label=label, value="words", now=utc_now())
    assert not isinstance(made, Refused)
    return made.proposal_id


def _linked(at: Home, mine: UUID, other: UUID) -> None:
    """Somebody whom what is then sealed is about, under two names; what it was made into; what was merged into it."""
    now, time = utc_now(), at.memory("time")
    sam, sammy = (naming.name(at.minor, EntityKind.PERSON, called, now).entity_id for called in ("Sam", "Sammy"))
    (mum, *_) = (each.entity.entity_id for each in naming.entities(at.minor) if each.entity.name == "Mum")
    done = [
        linking.draw(at.minor, EdgeKind.ABOUT, mine, sam, now),
        linking.draw(at.minor, EdgeKind.ABOUT, mine, mum, now),
        linking.draw(at.minor, EdgeKind.RELATES_TO, mum, sam, now),
        linking.draw(at.minor, EdgeKind.DERIVED_FROM, time, mine, now),
        merging.merge(at.minor, What.ENTITY, sam, sammy, now),
        merging.merge(at.minor, What.MEMORY, mine, other, now),
    ]
    assert not [each for each in done if isinstance(each, Refused)]


def _told(at: Home, *ids: UUID) -> None:
    """The client reads these, and suggests that every edge it is told of beside them ends."""
    key = utc_now().isoformat()
    done = access.read(at.caller, ids, purpose=Purpose.CARE, idempotency_key=key, body_digest=key, now=utc_now())
    assert not isinstance(done, Refused) and len(done.beside.edges) >= len(ids)
    for edge, _ in done.beside.edges:
        made = access.propose(at.caller, directive=Directive.RETRACT_EDGE, target=edge.edge_id, now=utc_now())
        assert not isinstance(made, Refused), made


def _live(at: Home, private: bool) -> None:
    """Some days of a vault; with `private` also what the minor then seals, and everything about it."""
    now, time = utc_now(), at.memory("time")
    mine: tuple[UUID, ...] = ()
    mum = naming.name(at.minor, EntityKind.PERSON, "Mum", now)
    assert not isinstance(linking.draw(at.minor, EdgeKind.ABOUT, time, mum.entity_id, now), Refused)
    if private:
        mine = (memories.add(at.minor, label="Sam", value=DIARY, now=now).memory_id,)
    _granted(at, _asked(at, time, *mine), time, *mine)
    _read(at, time, *mine)
    _turn(at.seat if at.seat.role is Role.GUARDIAN else at.minor, QUESTION)
    if private:
        _granted(at, _asked(at, *mine), *mine)
        _read(at, *mine)
        approved = memories.approve(at.minor, _proposed(at, "Where Sam lives"), now=now)
        assert not isinstance(approved, Refused)
        found = _turn(at.minor, "Where does Sam live, and what about Sam?")
        assert {item.memory_id for item in found.items} & {*mine, approved.memory.memory_id}
        _asked(at, approved.memory.memory_id)
        secret = memories.add(at.minor, label="A test", value="x", category=Category.HEALTH, now=now)
        at_once = memories.approve(at.minor, _proposed(at, "What Sam likes"), now=now, sealed=True)
        assert not isinstance(at_once, Refused)
        mine = (*mine, approved.memory.memory_id, secret.memory_id)
        memories.show(at.minor, mine)
        street = memories.add(at.minor, label="Sam's street", value="x", now=now)
        assert not isinstance(street, Refused)
        _linked(at, mine[0], street.memory_id)
    _told(at, time, *mine[:1])
    _asked(at, at.memory("kitchen"), *mine[:1])
    _asked(at, category=Category.HEALTH)
    _proposed(at, "Spices")
    for each in mine:
        assert not isinstance(memories.seal_from_guardians(at.minor, each, now), Refused)
    memories.show(at.seat, [time])
    if private:
        memories.correct(at.minor, mine[0], value="Something else", now=now)
        memories.show(at.minor, mine[:1])
    memories.add(at.minor, label="Bicycle", value="A red one", now=now)


# ---------------------------------------------------------------- the promise
def test_a_guardian_sees_the_same_bytes_before_and_after(open_home: Callable[[], Home]) -> None:
    at = open_home()
    _live(at, private=False)
    before = look(at)
    assert {status for status, _, _ in before.values()} >= {200, 403}
    assert any("ETag" in headers for _, headers, _ in before.values())
    now = utc_now()
    kept = memories.add(at.minor, label="Sam", value=DIARY, now=now, sealed=True)
    memories.show(at.minor, [kept.memory_id])
    memories.correct(at.minor, kept.memory_id, value="Something else", now=now)
    alike(before, look(at))
    assert not isinstance(memories.put_back(at.minor, kept.memory_id, now), Refused)
    after = look(at)
    assert b"Sam" in after["/file"][2] and before["/ledger"] != after["/ledger"], "the look would have noticed"


def test_two_vaults_are_alike_whatever_was_done_about_it_before(open_home: Callable[[], Home]) -> None:
    without, having = open_home(), open_home()
    _live(without, private=False)
    _live(having, private=True)
    alike(bare(look(without)), bare(look(having)))


def test_its_ids_answer_like_ids_that_never_were(open_home: Callable[[], Home]) -> None:
    at = open_home()
    now = utc_now()
    kept = memories.add(at.minor, label="Sam", value=DIARY, now=now)
    request_id = _asked(at, kept.memory_id)
    _granted(at, request_id, kept.memory_id)
    grant = access.grants(at.minor)[0]
    proposal = _proposed(at, "Where Sam lives")
    approved = memories.approve(at.minor, proposal, now=now)
    assert not isinstance(approved, Refused)
    memories.seal_from_guardians(at.minor, kept.memory_id, now)
    memories.seal_from_guardians(at.minor, approved.memory.memory_id, now)
    nobody = UUID(int=7)
    answers: list[Callable[[Any], object]] = [
        lambda it: memories.memory(at.seat, it["memory"]),
        lambda it: memories.history(at.seat, it["memory"]),
        lambda it: [each.value for each in memories.show(at.seat, [it["memory"]]).values],
        lambda it: memories.correct(at.seat, it["memory"], value="x", now=now),
        lambda it: memories.put_away(at.seat, it["memory"], now),
        lambda it: memories.put_back(at.seat, it["memory"], now),
        lambda it: memories.proposal(at.seat, it["proposal"]),
        lambda it: memories.reject(at.seat, it["proposal"], now),
        lambda it: access.request(at.seat, it["request"]),
        lambda it: access.decide(at.seat, it["request"], {Category.ORDINARY: access.NO}, now),
        lambda it: access.grant(at.seat, it["grant"]),
        lambda it: access.narrow(at.seat, it["grant"], Narrower(reads=1), now),
        lambda it: access.revoke_grant(at.seat, it["grant"], now),
    ]
    there = {"memory": kept.memory_id, "proposal": proposal, "request": request_id, "grant": grant.grant_id}
    for each in answers:
        assert each(there) == each(dict.fromkeys(there, nobody))
    known = memories.memory(at.minor, kept.memory_id)
    assert known is not None and (known.version, known.state) == (1, State.SEALED), "and none of it did anything"
    stands = access.grant(at.minor, grant.grant_id)
    assert stands is not None and stands.revoked_at is None


def test_no_assistant_is_offered_it_whoever_holds_the_key(open_home: Callable[[], Home]) -> None:
    """A guardian may have registered the assistant: its key would look behind the seal."""
    at = open_home()
    kept = memories.add(at.minor, label="Sam", value=DIARY, now=utc_now())
    _granted(at, _asked(at, kept.memory_id), kept.memory_id)
    _read(at, kept.memory_id)
    memories.seal_from_guardians(at.minor, kept.memory_id, utc_now())
    assert "Sam" not in {each.label for each in access.subjects(at.caller)}
    asked = access.ask(at.caller, [Asked(kept.memory_id)], purpose=Purpose.CARE, now=utc_now())
    assert isinstance(asked, Refused)
    read = access.read(
        at.caller, [kept.memory_id], purpose=Purpose.CARE, idempotency_key="again", body_digest="again", now=utc_now()
    )
    assert not isinstance(read, Refused)
    assert [(each.memory_id, each.reason.value) for each in read.withheld] == [(kept.memory_id, "not-found")]
    offered = turns.ask(at.minor, "What about Sam?", utc_now())
    assert kept.memory_id not in {item.memory_id for item in offered.items}


def test_sealing_is_the_holder_s_own_act(open_home: Callable[[], Home]) -> None:
    at = open_home()
    kitchen = at.memory("kitchen")
    with pytest.raises(Barred):
        memories.seal_from_guardians(at.seat, kitchen, utc_now())
    with pytest.raises(Barred):
        memories.add(at.seat, label="Note", value="x", now=utc_now(), sealed=True)
    memories.seal_from_guardians(at.minor, kitchen, utc_now())
    shown = memories.show(at.minor, [kitchen])
    assert shown.values[0].value is not None, "to the holder it is there"
    written = turns.receipts(at.minor, kind="memory.sealed")
    assert [(each.actor, each.memory_id) for each in written] == [(at.minor.actor, kitchen)]
    for each in memories.put_back(at.seat, kitchen, utc_now()), memories.put_away(at.seat, kitchen, utc_now()):
        assert isinstance(each, Refused), "nor does a guardian take the seal off"


def test_a_guardian_who_narrows_a_grant_takes_out_nothing_unseen(open_home: Callable[[], Home]) -> None:
    at = open_home()
    kept = memories.add(at.minor, label="Sam", value=DIARY, now=utc_now()).memory_id
    time, kitchen = at.memory("time"), at.memory("kitchen")
    _granted(at, _asked(at, time, kitchen, kept), time, kitchen, kept)
    (grant,) = access.grants(at.minor)
    memories.seal_from_guardians(at.minor, kept, utc_now())
    less = access.narrow(at.seat, grant.grant_id, Narrower(memory_ids=frozenset({time})), utc_now())
    assert not isinstance(less, Refused)
    assert less.memory_ids == {time}
    stands = access.grant(at.minor, grant.grant_id)
    assert stands is not None and stands.memory_ids == {time, kept}


def test_a_guardian_s_lines_are_numbered_without_gaps(open_home: Callable[[], Home]) -> None:
    at = open_home()
    _live(at, private=True)
    mine = turns.receipts(at.minor, limit=500)
    theirs = turns.receipts(at.seat, limit=500)
    assert len(theirs) < len(mine)
    assert [each.seq for each in theirs] == list(range(len(theirs), 0, -1))
    assert turns.last_number(at.seat) == len(theirs)
    assert {(each.digest, each.chain_hash, each.salt, each.commitment) for each in theirs} == {(b"", b"", b"", None)}
    pages: list[int] = []
    before: int | None = None
    while found := turns.receipts(at.seat, limit=3, before=before):
        pages += [each.seq for each in found]
        before = found[-1].seq
    assert pages == [each.seq for each in theirs]
    assert all(turns.receipt(at.seat, each.seq) == each for each in theirs)
    assert turns.receipt(at.seat, len(theirs) + 1) is None
    newer = turns.receipts(at.seat, limit=500, after=len(theirs) - 2)
    assert [each.seq for each in newer] == [len(theirs), len(theirs) - 1]
    shown = turns.shown(at.seat, memories.show(at.seat, [at.memory("kitchen")]))
    assert (shown.first, shown.last, shown.values[0].seq) == (len(theirs) + 1,) * 3
