"""A share carries only what it was given: chosen ordinary memories that still say what they said then, whatever is done
to them in between, whoever opens it and however often; an attested one by its proof alone, a special one never.

Protects the holder from a link that widens behind their back.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from apps.erasure import services as erasure
from apps.memories import gate
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.ids import typed
from apps.policy.rules import item_of
from apps.policy.shares import opening_plan
from apps.policy.types import Authority, Memory, Plan, Refused
from apps.policy.vocabulary import Category, Claim, Form, ReceiptKind
from apps.shares import services as shares
from tests.cast import Vault, canary
from tests.shares.links import GONE, one
from vault.clock import utc_now

DEEDS, SHARES = 40, 3


@dataclass
class Kept:
    """A memory as it should stand. `given`: the value that a share made now would carry."""

    value: str
    attested: bool = False
    version: int = 1
    away: bool = False
    special: bool = False
    home: bool = False
    gone: bool = False

    @property
    def may_leave(self) -> bool:
        return not (self.away or self.special or self.home or self.gone)


@dataclass
class Sent:
    """A share that was made: its token, and each memory with the version that it had."""

    token: str
    items: list[tuple[str, int]]
    openings: list[shares.Opened] = field(default_factory=list)


@dataclass
class File:
    """A vault, what was done in it, and what it should be."""

    vault: Vault
    chance: random.Random
    kept: dict[str, Kept] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)

    def add(self) -> None:
        name, attested = f"note{len(self.kept)}", self.chance.random() < 0.3
        self.vault.keep(name, subject=f"cooking.{name}", claim=Claim.BUDGET if attested else None)
        self.kept[name] = Kept(self.vault.values[name], attested)

    def some(self) -> str:
        return self.chance.choice([name for name, each in self.kept.items() if not each.gone])

    # ------------------------------------------------------------ what may happen to a memory
    def correct(self) -> None:
        kept, value = self.kept[name := self.some()], canary()
        self._correct(name, value, Category.HEALTH if kept.special else Category.ORDINARY)
        kept.value = value

    def make_special(self) -> None:
        kept = self.kept[name := self.some()]
        if not kept.special:
            self._correct(name, kept.value, Category.HEALTH)
            kept.special = True

    def make_ordinary(self) -> None:
        kept = self.kept[name := self.some()]
        if kept.special:
            self._correct(name, kept.value, Category.ORDINARY)
            kept.special = False

    def _correct(self, name: str, value: str, category: Category) -> None:
        done = memories.correct(self.vault.holder, self.vault.ids[name], value=value, category=category, now=utc_now())
        assert isinstance(done, Memory), done
        self.kept[name].version = done.version

    def put_away(self) -> None:
        name = self.some()
        self.kept[name].away = bool(memories.put_away(self.vault.holder, self.vault.ids[name], utc_now()))

    def put_back(self) -> None:
        name = self.some()
        assert memories.put_back(self.vault.holder, self.vault.ids[name], utc_now())
        self.kept[name].away = False

    def keep_at_home(self) -> None:
        kept = self.kept[name := self.some()]
        kept.home = not kept.home
        memories.mark(self.vault.holder, self.vault.ids[name], now=utc_now(), local_only=kept.home)

    def erase(self) -> None:
        if sum(not each.gone for each in self.kept.values()) > SHARES:
            name = self.some()
            erasure.order(self.vault.holder, Where(ids=frozenset({self.vault.ids[name]})), utc_now())
            self.kept[name].gone = True

    # ------------------------------------------------------------ what is shared, and opened
    def share(self) -> None:
        names = self.chance.sample(sorted(self.kept), self.chance.randint(1, min(4, len(self.kept))))
        made = shares.make(
            self.vault.holder, [self.vault.ids[each] for each in names], utc_now(), lasts=timedelta(hours=1), opens=50
        )
        if all(self.kept[each].may_leave for each in names):
            assert isinstance(made, shares.Made), made
            self.sent.append(Sent(made.links[0].token, [(each, self.kept[each].version) for each in names]))
        else:
            assert isinstance(made, Refused), "what may not be shared was"

    def open(self) -> None:
        for sent in self.sent:
            done = shares.open_(sent.token, utc_now())
            self.check(sent, done)
            if isinstance(done, shares.Opened):
                sent.openings.append(done)

    def look_again(self) -> None:
        for sent in self.sent:
            for opened in sent.openings[-1:]:
                self.check(sent, shares.view(sent.token, opened.opening.opening_id, utc_now()))

    def check(self, sent: Sent, done: shares.Opened | shares.Challenge | Refused) -> None:
        now = [(self.kept[name], version) for name, version in sent.items]
        carried = [each for each, version in now if each.may_leave and each.version == version]
        expected = [(Form.ATTESTED, None) if each.attested else (Form.VALUE, each.value) for each in carried]
        if not expected:
            assert done == GONE
            return
        assert isinstance(done, shares.Opened), done
        assert [(each.form, each.value) for each in done.values] == expected


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_in_between(alice: Vault, seed: int) -> None:
    file = File(alice, random.Random(seed))
    deeds: tuple[Callable[[], None], ...] = (
        file.add, file.correct, file.make_special, file.make_ordinary, file.put_away, file.put_back, file.put_back,
        file.keep_at_home, file.erase, file.share, file.share,
    )  # fmt: skip
    for _ in range(6):
        file.add()
    file.share()
    for _ in range(DEEDS):
        file.chance.choice(deeds)()
        file.open()
        file.look_again()
    handed = sum(len(each.openings) for each in file.sent)
    assert handed, "the control: something was opened"
    told = [each for kind in ("value.opened", "value.viewed") for each in alice.receipts(kind=kind)]
    assert told and {each.category for each in told} == {"ordinary"}


def _lie(alice: Vault, memory: Memory, form: Form) -> None:
    """A plan that names a memory which the share was not given goes to the gate as it is."""
    share, token = one(alice, "time", "kitchen")
    found = memories.facts(alice.id, alice.holder.actor, [memory.memory_id])[0]
    (link,) = share.links
    opening = typed("opn", link.link_id)
    authority = Authority("shr", share.share_id, share.terms_version)
    plan = Plan(ReceiptKind.VALUE_OPENED, authority, (item_of(found, form),), request=opening)
    handle = gate.handle_for(token)
    stamped = gate.stamp(alice.id, link.recipient, link.recipient, handle, plan, "lie")
    assert stamped.outcome == "stale"
    with pytest.raises(gate.NotReleased):
        gate.take(alice.id, link.recipient, link.recipient, handle)


@pytest.mark.parametrize("name", ["dislikes", "pills", "friday", "diary"])
def test_the_gate_hands_out_nothing_else_whatever_it_is_asked(alice: Vault, name: str) -> None:
    memory = next(each for each in memories.memories(alice.holder) if each.memory_id == alice.ids[name])
    _lie(alice, memory, Form.VALUE)


def test_the_gate_hands_out_no_attested_value(alice: Vault) -> None:
    share, token = one(alice, "budget")
    (link,) = share.links
    (memory,) = memories.facts(alice.id, alice.holder.actor, [alice.ids["budget"]])
    honest = opening_plan(share, [memory], link.link_id, ReceiptKind.VALUE_OPENED)
    items = (item_of(memory, Form.VALUE),)
    lying = Plan(honest.kind, honest.authority, items, request=honest.request)
    stamped = gate.stamp(alice.id, link.recipient, link.recipient, gate.handle_for(token), lying, "lie")
    assert stamped.outcome == "stale"
