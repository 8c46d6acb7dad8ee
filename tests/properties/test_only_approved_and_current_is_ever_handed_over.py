"""Only what is approved and current is ever handed over: whatever else a memory may be, it goes to nobody.

Protects the holder from what they put away, corrected, merged, erased, never approved or keep at home, on every road.
"""

from collections.abc import Callable

import pytest

from apps.access import services as access
from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import merging
from apps.policy.ids import typed
from apps.policy.links import Merge, What
from apps.policy.types import Asked, Memory, Proposal, Refused
from apps.policy.vocabulary import ReceiptKind, State
from apps.turns import services as turns
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, canary, give
from tests.days import Day
from tests.drivers import signed_in
from tests.erasing import erase_within_an_act
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now

KNOWN = {"local-only": "local-only"}  # one that was given it before is told why; of everything else nothing is known


def put_away(alice: Vault) -> None:
    assert memories.put_away(alice.holder, alice.ids["time"], utc_now())


def seal(alice: Vault) -> None:
    assert memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())


def merge(alice: Vault) -> None:
    done = merging.merge(alice.holder, What.MEMORY, alice.ids["kitchen"], alice.ids["time"], utc_now())
    assert isinstance(done, Merge)


def erase(alice: Vault) -> None:
    erase_within_an_act(alice, "time")


def keep_at_home(alice: Vault) -> None:
    assert memories.mark(alice.holder, alice.ids["time"], utc_now(), local_only=True)


def end(alice: Vault) -> None:
    """What it says was true until a moment that has come."""
    day, memory_id, same = Day(), alice.ids["time"], alice.values["time"]
    done = memories.correct(alice.holder, memory_id, value=same, now=utc_now(), valid_to=str(day), on_purpose=True)
    assert isinstance(done, Memory)
    day.comes(alice.id)


STATES: dict[str, Callable[[Vault], None]] = {
    "put away": put_away,
    "sealed": seal,
    "merged": merge,
    "erased": erase,
    "local-only": keep_at_home,
    "over": end,
}


@pytest.fixture(params=STATES)
def state(request: pytest.FixtureRequest) -> str:
    """Each state in which a memory goes to nobody."""
    return str(request.param)


def test_every_state_is_tried() -> None:
    tried = {State.APPROVED, State.WITHDRAWN, State.SEALED, State.MERGED, State.ERASED}
    assert set(State) == tried, "a new state is tried here, too"


# ---------------------------------------------------------------- states
def test_in_any_other_state_it_goes_to_nobody(alice: Vault, cook: Assistant, surface: Surface, state: str) -> None:
    client, memory = surface.client(cook), alice.mem("time")
    give(cook, "time", "dislikes")
    before = client.read([memory])
    assert before and before.values == {memory: alice.values["time"]}, "the control"
    STATES[state](alice)
    got = client.read([memory, alice.mem("dislikes")])
    assert got and got.values == {alice.mem("dislikes"): alice.values["dislikes"]}
    assert got.withheld == {memory: KNOWN.get(state, "not-found")}
    listed = client.subjects()
    assert listed and memory not in [each.memory for each in listed]
    wish = client.ask([memory])
    assert not wish and wish.code == "not-found"


def test_what_was_stamped_before_is_not_released_again(alice: Vault, cook: Assistant, state: str) -> None:
    """The same read within its minute, which spends nothing and takes again."""
    give(cook, "time")
    assert cook.read("time", key="again").released
    STATES[state](alice)
    again = cook.read("time", key="again")
    assert (again.released, [each.reason.value for each in again.withheld]) == ([], [KNOWN.get(state, "not-found")])


def test_a_request_that_named_it_gives_nothing_of_it(alice: Vault, cook: Assistant, state: str) -> None:
    """Asked before, decided after: it is not on the holder's page to choose, and not given if it is sent."""
    wish = cook.ask("time", "dislikes")
    STATES[state](alice)
    page = signed_in(alice.holder).get(f"/requests/{typed('req', wish.request_id)}").content.decode()
    assert alice.labels["dislikes"] in page and alice.labels["time"] not in page
    both = frozenset({alice.ids["time"], alice.ids["dislikes"]})
    decision = {wish.parts[0].part.category: access.Decision(both)}
    decided = access.decide(alice.holder, wish.request_id, decision, utc_now())
    assert not isinstance(decided, Refused)
    (granted,) = access.granted(cook.caller, decided)
    assert granted.memory_ids == {alice.ids["dislikes"]}


def test_the_chat_does_not_take_it_either(alice: Vault, model: openai.Model, state: str) -> None:
    earlier = turns.ask(alice.holder, QUESTION, utc_now())
    assert alice.ids["time"] in [each.memory_id for each in earlier.items]
    chosen = frozenset({alice.ids["time"], alice.ids["dislikes"]})
    turns.decide(alice.holder, earlier.turn_id, ordinary=chosen, now=utc_now())
    STATES[state](alice)
    sent = len(model.prompts)
    told_so_far = list(turns.answer(alice.holder, earlier.turn_id, utc_now()))
    if state == "erased":
        assert told_so_far == [] and turns.turn(alice.holder, earlier.turn_id) is None, "the question went with it"
        return
    assert isinstance(told_so_far[-1], turns.Finished)
    later = turns.ask(alice.holder, QUESTION, utc_now())
    assert alice.ids["time"] not in [each.memory_id for each in later.items]
    told = " ".join(model.prompts[sent:])
    assert alice.values["dislikes"] in told, "the control"
    assert alice.values["time"] not in told
    assert alice.labels["time"] not in told


def test_search_does_not_find_it(alice: Vault, state: str) -> None:
    word = alice.values["time"].split()[-1]
    assert memories.search(alice.id, alice.holder.actor, word, 10)
    STATES[state](alice)
    found = memories.search(alice.id, alice.holder.actor, word, 10)
    assert bool(found) is (state in ("local-only", "over")), "which stay within the vault"


# ---------------------------------------------------------------- versions
def test_of_its_versions_the_current_one_alone_is_served(alice: Vault, cook: Assistant, surface: Surface) -> None:
    client, memory = surface.client(cook), alice.mem("time")
    give(cook, "time")
    wrong, newest, told_late = alice.values["time"], canary(), canary()
    memories.correct(alice.holder, alice.ids["time"], value=newest, now=utc_now(), valid_from="2024-01-01")
    memories.correct(
        alice.holder, alice.ids["time"], value=told_late, now=utc_now(), valid_from="2019-01-01", valid_to="2020-01-01"
    )
    assert len(memories.history(alice.holder, alice.ids["time"])) == 3
    got = client.read([memory])
    assert got and got.values == {memory: newest}
    for gone in (wrong, told_late):
        assert memories.search(alice.id, alice.holder.actor, gone.split()[-1], 10) == ()


def test_going_back_serves_what_holds_then(alice: Vault, cook: Assistant) -> None:
    give(cook, "time")
    first = alice.values["time"]
    memories.correct(alice.holder, alice.ids["time"], value=canary(), now=utc_now())
    assert not isinstance(memories.revert(alice.holder, alice.ids["time"], utc_now()), Refused)
    assert [each.handed.value for each in cook.read("time").released] == [first]


def test_one_that_was_opened_again_is_what_it_was(alice: Vault, cook: Assistant, surface: Surface) -> None:
    """Two sources say otherwise: it holds until the holder says so."""
    give(cook, "time")
    now = utc_now()
    with act(alice.id, alice.holder.actor) as reopening:
        assert store.set_reopened(reopening, alice.ids["time"], now)
        found = store.memory(alice.id, alice.ids["time"])
        assert found is not None
        reopening.record(ReceiptKind.MEMORY_REOPENED, **memories.about(found))
    got = surface.client(cook).read([alice.mem("time")])
    assert got and got.values == {alice.mem("time"): alice.values["time"]}


# ---------------------------------------------------------------- proposals
@pytest.mark.parametrize("ended", ["pending", "rejected", "withdrawn"])
def test_what_is_not_approved_is_nowhere(alice: Vault, cook: Assistant, surface: Surface, ended: str) -> None:
    value = canary()
    made = memories.propose(cook.caller, label="Cooking city", value=value, now=utc_now())
    assert isinstance(made, Proposal)
    if ended == "rejected":
        memories.reject(alice.holder, made.proposal_id, utc_now())
    if ended == "withdrawn":
        access.revoke(alice.holder, cook.client.client_id, utc_now())
    client, memory = surface.client(cook), typed("mem", made.memory_id)
    got = client.read([memory])
    assert not got or got.withheld == {memory: "not-found"}
    listed = client.subjects()
    assert not listed or memory not in [each.memory for each in listed]
    assert memories.search(alice.id, alice.holder.actor, value, 10) == ()
    if ended != "withdrawn":
        no = access.ask(cook.caller, [Asked(made.memory_id)], purpose=PURPOSE, now=utc_now())
        assert isinstance(no, Refused) and no.reason.value == "not-found"


def test_what_is_merged_or_put_away_the_holder_still_sees(alice: Vault, state: str) -> None:
    """The other half of the promise: it goes to nobody else, and only what is erased goes from its holder."""
    STATES[state](alice)
    shown = memories.show(alice.holder, [alice.ids["time"]])
    assert [each.value for each in shown.values] == ([] if state == "erased" else [alice.values["time"]])
