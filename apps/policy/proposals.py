"""Proposals as facts: what clients would like to be so, and what the vault noticed about it. No value is in them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from uuid import UUID

from apps.policy.conflicts import ClashKind
from apps.policy.ids import typed
from apps.policy.prints import Print
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus


@dataclass(frozen=True, slots=True)
class Mark:
    """Something noticed: about which memory, in which version, and how (of an echo how closely, of a conflict why).
    `beside`: the other one of two proposals that wait and say different things; it goes with that. `told`: whoever
    decides was shown it.
    """

    kind: MarkKind
    memory_id: UUID | None = None
    version: int = 0
    how: str = ""
    beside: UUID | None = None
    told: bool = field(default=False, compare=False)


_OF_ITSELF = frozenset({MarkKind.HIDDEN, MarkKind.LOOKALIKE, MarkKind.ALONE})  # where they name no memory


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a proposal would set besides label, subject and value. `other` is a second thing it is about: the memory or
    entity that would be merged into the target, or where an edge would lead from then on.
    """

    changed: bool = False  # what it corrects was true until then
    valid_from: str = ""
    valid_to: str = ""
    edge: str = ""  # the kind of an edge, where it is to be another
    other: UUID | None = None
    other_is: str = ""  # mem or ent
    other_version: int = field(default=0, repr=False)  # the one that it stood in, of a memory that would be merged
    was: str = ""  # the subject from which it was moved away
    put_under: str = field(default="", repr=False)  # the one to which it was moved
    old: str = field(default="", repr=False)  # the symbol whose place its value takes, of a deprecation


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a client would like to be so, and is not yet. Its value, where it has one, is sealed under `memory_id`.

    `target_id` is what it would change, in the version that stood then. `evidence` and `rationale` are a stranger's
    words; `lineage` the memories it was made from. `outcome_id` is what it became, or changed.
    """

    proposal_id: UUID
    client_id: UUID
    directive: Directive
    status: ProposalStatus
    memory_id: UUID  # the id the memory will have if it is added
    subject: str
    label: str
    rationale: str
    as_of: date | None
    made_at: datetime
    decided_at: datetime | None
    target_id: UUID | None = None
    target_version: int | None = None
    candidate: Candidate = Candidate()
    evidence: tuple[str, ...] = ()
    lineage: tuple[UUID, ...] = ()
    turn: str = ""
    marks: tuple[Mark, ...] = ()
    revision: int = 1
    expires_at: datetime | None = None
    decided_by: str = ""
    reason: str = ""
    edited: bool = False
    batch_id: UUID | None = None
    outcome_id: UUID | None = None
    undone_at: datetime | None = None
    lifted_at: datetime | None = None
    by_link: bool = False  # whoever opened a share left it, by the link that `client_id` then is
    more_rivals: int = field(default=0, compare=False)  # so many more that wait say otherwise than its marks name
    again: bool = field(default=False, compare=False)  # its client just sent it again: nothing of it was changed

    @property
    def source(self) -> str:
        """Whose words it is, as receipts name them."""
        return typed("lnk" if self.by_link else "cli", self.client_id)

    @property
    def by_client(self) -> UUID | None:
        """The client that made it."""
        return None if self.by_link else self.client_id

    @property
    def link_id(self) -> UUID | None:
        """The link by which it was left."""
        return self.client_id if self.by_link else None

    @property
    def says(self) -> bool:
        """Has it a value of its own?"""
        return self.directive in (Directive.ADD, Directive.CORRECT)

    @property
    def moved_to(self) -> str:
        """Where its approval moved it; of one from before that was noted, where its client would have it."""
        return self.candidate.put_under or self.subject

    @property
    def told_revision(self) -> int:
        """The revision that its client is told: it moves with the status, which is all that a client learns of it."""
        return 1 if self.status is ProposalStatus.PENDING else 2

    @property
    def about_an_edge(self) -> bool:
        """Is its target an edge?"""
        return self.directive in (Directive.SUPERSEDE_EDGE, Directive.RETRACT_EDGE)

    @property
    def target(self) -> str | None:
        """The typed id of what it would change."""
        if self.target_id is None:
            return None
        prefix = "edg" if self.about_an_edge else "mem" if self.target_version is not None else "ent"
        return typed(prefix, self.target_id)

    @property
    def other(self) -> str | None:
        """The typed id of the second thing that it is about."""
        other = self.candidate.other
        return typed(self.candidate.other_is, other) if other is not None else None

    @property
    def touched(self) -> frozenset[UUID]:
        """The memories, entities or edges that it is about, or became."""
        found = (self.memory_id, self.target_id, self.candidate.other, self.outcome_id)
        return frozenset(each for each in found if each is not None)

    def tells_of(self, hidden: Collection[UUID]) -> bool:
        """Is it about one of these, or was it left by a link that handed over nothing else?"""
        return not self.touched.isdisjoint(hidden) or bool(
            self.by_link and self.lineage and {*self.lineage} <= {*hidden}
        )

    @property
    def forgotten(self) -> bool:
        """Was the memory erased that it was about? Of what is about no memory, nothing has a label."""
        about_memories = not self.about_an_edge and (self.directive is not Directive.MERGE or self.target_version)
        return bool(about_memories) and not self.label

    @property
    def barred(self) -> bool:
        """Is the same one refused if it is suggested again? Until that is lifted."""
        turned_down = self.status is ProposalStatus.REJECTED or self.edited
        return turned_down and not self.forgotten and self.lifted_at is None and self.undone_at is None

    @property
    def void(self) -> bool:
        """Would a yes change nothing? It waits for nobody then. Its client is not told: to it, it waits."""
        return bool(self.marked(MarkKind.VOID))

    @property
    def of_itself(self) -> tuple[Mark, ...]:
        """The marks that its own words made, whatever is kept."""
        return tuple(each for each in self.marks if each.kind in _OF_ITSELF and each.memory_id is None)

    @property
    def untold(self) -> bool:
        """Was something noticed about it and what is kept, that nobody who decides was shown? Not what a yes asks for
        by itself: that its subject is taken, or that it comes from what is kept apart.
        """
        asked = (each.kind is MarkKind.ALONE or each.how == ClashKind.SAME_SUBJECT.value for each in self.marks)
        return any(each.memory_id and not each.told and not so for each, so in zip(self.marks, asked, strict=True))

    @property
    def rivals(self) -> int:
        """How many others that wait say otherwise?"""
        return sum(mark.beside is not None for mark in self.marks) + self.more_rivals

    @property
    def sources(self) -> tuple[UUID, ...]:
        """The memories, kept apart or at home, that it was made from or says the same as, as far as was noticed."""
        return tuple(each.memory_id for each in self.marked(MarkKind.ALONE) if each.memory_id is not None)

    def marked(self, kind: MarkKind) -> tuple[Mark, ...]:
        """Its marks of a kind."""
        return tuple(each for each in self.marks if each.kind is kind)


@dataclass(frozen=True, slots=True)
class Traits:
    """By what a proposal is compared once it stands, keyed: `words`, by which what is near to its value is found;
    `bare`, by which it is known without the dates and the label it gives, "" where it gives none; `also`, the prints of
    what its value may be read as besides; `long`, its long numbers, None where that was not noted.
    """

    words: tuple[int, ...] = ()
    bare: str = ""
    also: tuple[Print, ...] = ()
    long: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a proposal is known again, keyed. `gist`: its client and what it would have kept, however it is dated or
    labelled; beside it stands where that would be kept: the subject or the target. `all`: everything that it says, by
    which those are known that were made before there were gists. What has no value has no other gist.
    """

    gist: bytes
    all: bytes
    subject: str = ""
    target_id: UUID | None = None


def seen(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """The marks once they were shown to whoever decides."""
    return tuple(replace(each, told=True) for each in marks)


def without_marks_on(marks: Iterable[Mark], hidden: Iterable[UUID]) -> tuple[Mark, ...]:
    """The marks as they are for somebody for whom these memories are not there."""
    gone = set(hidden)
    return tuple(each for each in marks if each.memory_id not in gone)
