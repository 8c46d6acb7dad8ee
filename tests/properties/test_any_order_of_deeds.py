"""Whatever the order of deeds, the promises hold: what was handed over is what is stamped, one for one, and never what
was put away, retired or special in company.

Protects the holder from the sequence of deeds that nobody thought of. Hypothesis thinks of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from apps.access import services as access
from apps.access.services import ReadResult
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.types import AccessRequest, Asked, Proposal, Refused, Turn
from apps.policy.vocabulary import Category, Claim, Form, ItemState, Refusal, TurnStatus
from apps.turns import services as turns
from tests.cast import PURPOSE, Assistant, Vault, canary, new_vault, read_ids, register
from vault.clock import utc_now

CATEGORIES = st.sampled_from([Category.ORDINARY, Category.ORDINARY, Category.HEALTH, Category.BELIEF])


@dataclass
class Kept:
    """A memory as it should stand."""

    memory_id: UUID
    category: Category
    attested: bool
    value: str
    version: int = 1
    away: bool = False


@dataclass
class Given:
    """A grant as it should stand."""

    grant_id: UUID
    client: Assistant
    category: Category
    ids: frozenset[UUID]
    left: int | None
    revoked: bool = False


@dataclass
class World:
    """The vault, and beside it what it should be."""

    vault: Vault
    clients: list[Assistant]
    kept: dict[UUID, Kept] = field(default_factory=dict)
    given: dict[UUID, Given] = field(default_factory=dict)
    paused: set[UUID] = field(default_factory=set)
    cooling: set[tuple[UUID, Category]] = field(default_factory=set)
    retired: set[str] = field(default_factory=set)
    handed: list[tuple[UUID, Form, int]] = field(default_factory=list)
    refused: int = 0

    def covered(self, by: Assistant, each: Kept) -> bool:
        """Should a read of this be served to this client now?"""
        return by.client.client_id not in self.paused and any(
            given.client is by
            and not given.revoked
            and given.category is each.category
            and each.memory_id in given.ids
            and (given.left is None or given.left > 0)
            for given in self.given.values()
        )

    def seen(self, by: Assistant, each: Kept) -> bool:
        """Was this client ever shown that this exists?"""
        return not each.away and (
            not each.category.special
            or any(
                given.client is by and given.category is each.category and each.memory_id in given.ids
                for given in self.given.values()
            )
        )


class Deeds(RuleBasedStateMachine):
    """Deeds of a holder and two clients, in any order."""

    ids = Bundle("ids")
    grants = Bundle("grants")
    candidates = Bundle("candidates")
    answered = Bundle("answered")

    @initialize(target=ids)
    def open(self) -> Any:
        vault = new_vault("Alice")
        self.world = World(vault, [register(vault, "Cook"), register(vault, "Clinic")])
        categories = {"pills": Category.HEALTH, "friday": Category.BELIEF}
        for name, memory_id in vault.ids.items():
            category = categories.get(name, Category.ORDINARY)
            kept = Kept(memory_id, category, name == "budget", vault.values[name], away=name == "diary")
            self.world.kept[memory_id] = kept
        return multiple(*vault.ids.values())

    # ------------------------------------------------------------ the holder's file
    @rule(target=ids, category=CATEGORIES, attested=st.booleans())
    def add(self, category: Category, attested: bool) -> UUID:
        name, value = canary(), canary()
        claim = Claim.BUDGET if attested else None
        memory_id = self.world.vault.keep(name, value, label=f"Cooking {name}", category=category, claim=claim)
        self.world.kept[memory_id] = Kept(memory_id, category, attested, value)
        return memory_id

    @rule(memory_id=ids, category=st.one_of(st.none(), CATEGORIES))
    def correct(self, memory_id: UUID, category: Category | None) -> None:
        kept, value = self.world.kept[memory_id], canary()
        new = memories.correct(self.world.vault.holder, memory_id, value=value, category=category, now=utc_now())
        assert not isinstance(new, Refused)
        self.world.retired.add(kept.value)
        assert new.version > kept.version, "what was proposed in other words may have a number in between"
        kept.value, kept.version, kept.category = value, new.version, category or kept.category

    @rule(memory_id=ids)
    def put_away(self, memory_id: UUID) -> None:
        assert memories.put_away(self.world.vault.holder, memory_id, utc_now())
        self.world.kept[memory_id].away = True

    @rule(memory_id=ids)
    def put_back(self, memory_id: UUID) -> None:
        assert memories.put_back(self.world.vault.holder, memory_id, utc_now())
        self.world.kept[memory_id].away = False

    # ------------------------------------------------------------ asking and deciding
    @rule(
        target=grants,
        who=st.integers(0, 1),
        wanted=st.lists(ids, min_size=1, max_size=3),
        reads=st.sampled_from([None, 1, 2]),
    )
    def grant(self, who: int, wanted: list[UUID], reads: int | None) -> Any:
        """Asked for as a client would: ordinary ones by id, special ones by category; and given as asked."""
        by, category = self.world.clients[who], self.world.kept[wanted[0]].category
        chosen = {each for each in wanted if self._offered(each, category)}
        if not chosen:
            return multiple()
        lines = [Asked(category=category)] if category.special else [Asked(each) for each in chosen]
        wish = access.ask(by.caller, lines, purpose=PURPOSE, purpose_note=canary(), now=utc_now())
        if (by.client.client_id, category) in self.world.cooling:
            assert isinstance(wish, Refused) and wish.reason is Refusal.COOL_DOWN
            return multiple()
        assert isinstance(wish, AccessRequest)
        until, holder = utc_now() + timedelta(hours=1), self.world.vault.holder
        decision = access.Decision(frozenset(wanted), until, reads)
        decided = access.decide(holder, wish.request_id, {category: decision}, utc_now())
        if isinstance(decided, Refused):
            assert (decided.reason, set(wanted) > chosen) == (Refusal.NOT_FOUND, True), "ticked, and not asked for"
            decision = access.Decision(frozenset(chosen), until, reads)
            decided = access.decide(holder, wish.request_id, {category: decision}, utc_now())
        assert isinstance(decided, AccessRequest)
        (made,) = access.granted(by.caller, decided)
        assert made.memory_ids == chosen, "nothing beside what was asked for, whatever was ticked"
        self.world.given[made.grant_id] = Given(made.grant_id, by, category, made.memory_ids, reads)
        return made.grant_id

    def _offered(self, memory_id: UUID, category: Category) -> bool:
        kept = self.world.kept[memory_id]
        return not kept.away and kept.category is category

    @rule(who=st.integers(0, 1), category=CATEGORIES)
    def deny(self, who: int, category: Category) -> None:
        by, world = self.world.clients[who], self.world
        ordinary = [each.memory_id for each in world.kept.values() if self._offered(each.memory_id, Category.ORDINARY)]
        if not category.special and not ordinary:
            return
        line = Asked(category=category) if category.special else Asked(ordinary[0])
        wish = access.ask(by.caller, [line], purpose=PURPOSE, purpose_note=canary(), now=utc_now())
        if isinstance(wish, Refused):
            assert (by.client.client_id, category) in world.cooling
            return
        assert access.decide(world.vault.holder, wish.request_id, {category: access.NO}, utc_now())
        world.cooling.add((by.client.client_id, category))

    @rule(grant_id=grants)
    def revoke(self, grant_id: UUID) -> None:
        assert access.revoke_grant(self.world.vault.holder, grant_id, utc_now())
        self.world.given[grant_id].revoked = True

    @rule(who=st.integers(0, 1), paused=st.booleans())
    def pause(self, who: int, paused: bool) -> None:
        by = self.world.clients[who]
        assert access.pause(self.world.vault.holder, by.client.client_id, paused)
        (self.world.paused.add if paused else self.world.paused.discard)(by.client.client_id)

    # ------------------------------------------------------------ reading
    @rule(who=st.integers(0, 1), wanted=st.lists(ids, min_size=1, max_size=4, unique=True))
    def read(self, who: int, wanted: list[UUID]) -> None:
        world, by = self.world, self.world.clients[who]
        asked = [world.kept[each] for each in wanted]
        seen = [each for each in asked if world.seen(by, each)]
        alone = {each.memory_id for each in seen if not each.category.special or len({it.category for it in seen}) == 1}
        expected = {each.memory_id for each in seen if each.memory_id in alone and world.covered(by, each)}
        result = read_ids(by, wanted)
        assert isinstance(result, ReadResult)
        assert {each.handed.memory_id for each in result.released} == expected
        assert {each.memory_id for each in result.withheld} == set(wanted) - expected
        for grant_id in {each.grant_id for each in result.released}:
            assert grant_id
            given = world.given[grant_id]
            given.left = None if given.left is None else given.left - 1
        for each in result.released:
            self._handed(each.handed.memory_id, each.handed.form, each.handed.value)
        world.refused += len(result.withheld)

    def _handed(self, memory_id: UUID, form: Form, value: str | None) -> None:
        kept = self.world.kept[memory_id]
        assert not kept.away
        assert value not in self.world.retired
        assert (form, value) == ((Form.ATTESTED, None) if kept.attested else (Form.VALUE, kept.value))
        self.world.handed.append((memory_id, form, kept.version))

    # ------------------------------------------------------------ proposals
    @rule(target=candidates)
    def propose(self) -> Proposal:
        made = memories.propose(
            self.world.clients[0].caller, label=f"Cooking {canary()}", value=canary(), now=utc_now()
        )
        assert isinstance(made, Proposal)
        return made

    @rule(target=ids, made=consumes(candidates), value=st.one_of(st.none(), st.builds(canary)), category=CATEGORIES)
    def approve(self, made: Proposal, value: str | None, category: Category) -> UUID:
        text = value or canary()
        done = memories.approve(self.world.vault.holder, made.proposal_id, now=utc_now(), value=text, category=category)
        assert not isinstance(done, Refused)
        version = done.memory.version
        self.world.kept[made.memory_id] = Kept(made.memory_id, category, False, text, version)
        return made.memory_id

    @rule(made=consumes(candidates))
    def reject(self, made: Proposal) -> None:
        assert memories.reject(self.world.vault.holder, made.proposal_id, utc_now())

    # ------------------------------------------------------------ the chat
    @rule(target=answered, keep=st.integers(0, 255), special=st.booleans())
    def turn(self, keep: int, special: bool) -> UUID:
        world = self.world
        asked = turns.ask(world.vault.holder, "What should I cook on Friday, for my faith?", utc_now())
        offered = [item.memory_id for item in asked.items]
        assert not [each for each in offered if world.kept[each].away]
        chosen = frozenset(each for place, each in enumerate(offered) if keep >> (place % 8) & 1)
        of = {kind: {each.memory_id for each in asked.items if each.category is kind} for kind in Category}
        if asked.status is TurnStatus.OFFERED:
            categories = {item.category for item in asked.items if item.category.special} if special else set()
            decided = turns.decide(
                world.vault.holder,
                asked.turn_id,
                ordinary=chosen & of[Category.ORDINARY],
                special={each: chosen & of[each] for each in categories},
                now=utc_now(),
            )
            assert not isinstance(decided, Refused)
        allowed = {each for each in chosen if special or not world.kept[each].category.special}
        return self._answer(asked, allowed)

    @rule(target=answered, turn_id=answered, place=st.integers(0, 7))
    def leave_out(self, turn_id: UUID, place: int) -> Any:
        earlier = turns.turn(self.world.vault.holder, turn_id)
        assert earlier
        used = [item.memory_id for item in earlier.items if item.state is ItemState.HANDED_OVER]
        if not used:
            return multiple()
        out = used[place % len(used)]
        again = turns.without(self.world.vault.holder, turn_id, out, utc_now())
        assert not isinstance(again, Refused)
        allowed = {each for each in used if each != out and not self.world.kept[each].away}
        return self._answer(again, allowed)

    def _answer(self, asked: Turn, allowed: set[UUID]) -> UUID:
        *_, last = turns.answer(self.world.vault.holder, asked.turn_id, utc_now())
        assert isinstance(last, turns.Finished)
        handed = [item.memory_id for item in last.turn.items if item.state is ItemState.HANDED_OVER]
        assert set(handed) == allowed
        for memory_id in sorted(handed, key=lambda each: self._seq(last.turn, each)):
            kept = self.world.kept[memory_id]
            self.world.handed.append((memory_id, Form.ATTESTED if kept.attested else Form.VALUE, kept.version))
        for kept in self.world.kept.values():
            if kept.memory_id not in handed or kept.attested:
                assert kept.value not in last.turn.answer
        assert not [value for value in self.world.retired if value in last.turn.answer]
        return asked.turn_id

    def _seq(self, turn: Turn, memory_id: UUID) -> int:
        return next(item.seq or 0 for item in turn.items if item.memory_id == memory_id)

    # ------------------------------------------------------------ what always holds
    @precondition(lambda self: hasattr(self, "world"))
    @invariant()
    def what_was_handed_over_is_what_is_stamped(self) -> None:
        stamped = [
            (each.memory_id, Form(each.form), each.version) for each in self.world.vault.receipts(kind="value.read")
        ]
        assert stamped == self.world.handed
        assert len(self.world.vault.receipts(kind="value.refused")) == self.world.refused

    @precondition(lambda self: hasattr(self, "world"))
    @invariant()
    def grants_stand_as_they_should(self) -> None:
        for grant in access.grants(self.world.vault.holder):
            given = self.world.given[grant.grant_id]
            assert (grant.reads_left, grant.revoked_at is not None) == (given.left, given.revoked)

    @precondition(lambda self: hasattr(self, "world"))
    @invariant()
    def the_file_stands_as_it_should(self) -> None:
        found = {each.memory_id: each for each in memories.memories(self.world.vault.holder)}
        assert set(found) == set(self.world.kept), "nothing is kept that was not added or approved"
        for memory_id, kept in self.world.kept.items():
            assert (found[memory_id].version, found[memory_id].category) == (kept.version, kept.category)

    def teardown(self) -> None:
        if hasattr(self, "world"):
            assert ledger.verify(self.world.vault.id, self.world.vault.holder.actor)


@pytest.fixture
def patient() -> Iterator[settings]:
    """Every example is a vault of its own on a real database."""
    yield settings(
        max_examples=15,
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )


def test_whatever_the_order_of_deeds_what_is_handed_over_is_stamped_and_nothing_else(
    live: None, patient: settings
) -> None:
    run_state_machine_as_test(Deeds, settings=patient)
