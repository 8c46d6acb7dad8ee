"""Rows of proposals, as facts: a part of the store."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from psycopg import sql

from apps.ledger.log import Act
from apps.memories.models import ProposalRow
from apps.policy.prints import Print
from apps.policy.proposals import Candidate, Likeness, Mark, Proposal, Traits
from apps.policy.staging import LASTS
from apps.policy.text import says_more
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus

COLUMNS = (
    "proposal_id",
    "client_id",
    "directive",
    "status",
    "memory_id",
    "subject",
    "label",
    "rationale",
    "as_of",
    "made_at",
    "decided_at",
    "target_id",
    "target_version",
    "candidate",
    "evidence",
    "lineage",
    "turn",
    "marks",
    "revision",
    "expires_at",
    "decided_by",
    "reason",
    "edited",
    "batch_id",
    "outcome_id",
    "undone_at",
    "lifted_at",
    "by_link",
)
# In the candidate's JSON, keyed digests by which the same decision is recognised, and all that was said.
_DECISION, SAID = "decision", "said"


# ---------------------------------------------------------------- reading
def proposals(
    vault_id: UUID,
    *,
    status: ProposalStatus | None = None,
    client_id: UUID | None = None,
    ids: Collection[UUID] | None = None,
    limit: int = 200,
    without: Collection[UUID] = (),
    held: bool = False,
    after: UUID | None = None,
) -> tuple[Proposal, ...]:
    """Proposals, newest first; `without` those that are about these memories, or became them. `held`: in the state that
    they are in for the holder, to whom one that is void has been withdrawn. `after` one of them: those behind it.
    """
    rows = ProposalRow.objects.filter(vault_id=vault_id)
    if without:
        rows = rows.exclude(_unseen_with(without))
    if status:
        rows = rows.filter(_held_as([status]) if held else Q(status=status.value))
    if client_id:
        rows = rows.filter(client_id=client_id)
    if ids is not None:
        rows = rows.filter(proposal_id__in=list(ids))
    if after is not None:
        made_at = ProposalRow.objects.filter(vault_id=vault_id, proposal_id=after).values("made_at")[:1]
        rows = rows.filter(Q(made_at__lt=Subquery(made_at)) | Q(made_at=Subquery(made_at), proposal_id__lt=after))
    return _facts(rows.order_by("-made_at", "-proposal_id"), limit)


def decided(
    vault_id: UUID,
    *,
    statuses: Collection[ProposalStatus],
    client_id: UUID | None = None,
    after: UUID | None = None,
    limit: int,
    without: Collection[UUID] = (),
) -> tuple[Proposal, ...]:
    """What was decided, or ended undecided, the newest decision first; from the one after the proposal `after` on."""
    rows = ProposalRow.objects.filter(_held_as(statuses), vault_id=vault_id)
    rows = rows.annotate(ended_at=Coalesce("decided_at", "made_at"))  # what is void ended as it was made
    rows = rows.exclude(_unseen_with(without)) if without else rows
    at = rows.filter(proposal_id=after).values_list("ended_at", flat=True).first() if after is not None else None
    if at is not None:
        rows = rows.filter(Q(ended_at__lt=at) | Q(ended_at=at, proposal_id__lt=after))
    if client_id:
        rows = rows.filter(client_id=client_id)
    return _facts(rows.order_by("-ended_at", "-proposal_id"), limit)


def approved_since(
    vault_id: UUID, since: datetime, *, limit: int, without: Collection[UUID] = ()
) -> tuple[tuple[Proposal, ...], dict[UUID | None, int]]:
    """What was approved after `since` and not undone, no erasure, nor what is forgotten: the newest, and how many of
    each go there are; under None, those that were approved one by one.
    """
    about_a_memory = Q(directive=Directive.ADD.value) | Q(target_version__isnull=False)
    rows = ProposalRow.objects.filter(
        vault_id=vault_id, status=ProposalStatus.APPROVED.value, decided_at__gt=since, undone_at=None
    ).exclude(Q(directive=Directive.ERASE.value) | (Q(label="") & about_a_memory))
    rows = rows.exclude(_unseen_with(without)) if without else rows
    counted = rows.order_by().values_list("batch_id").annotate(Count("proposal_id"))
    return _facts(rows.order_by("-decided_at", "batch_id", "-proposal_id"), limit), dict(counted)


def batch(vault_id: UUID, batch_id: UUID) -> tuple[Proposal, ...]:
    """What was approved in one go."""
    return _facts(ProposalRow.objects.filter(vault_id=vault_id, batch_id=batch_id).order_by("made_at", "proposal_id"))


def unseen_with(vault_id: UUID, ids: Collection[UUID]) -> tuple[UUID, ...]:
    """The proposals that are not there for whom these memories are not."""
    return tuple(ProposalRow.objects.filter(_unseen_with(ids), vault_id=vault_id).values_list("proposal_id", flat=True))


def proposed_as(vault_id: UUID, ids: Collection[UUID]) -> tuple[UUID, ...]:
    """The proposals that are about these memories, or became them."""
    return tuple(ProposalRow.objects.filter(_touching(ids), vault_id=vault_id).values_list("proposal_id", flat=True))


def proposal(vault_id: UUID, proposal_id: UUID) -> Proposal | None:
    """One proposal; None for an unknown id."""
    return next(iter(proposals(vault_id, ids=[proposal_id])), None)


def decision_of(vault_id: UUID, proposal_id: UUID) -> str:
    """By what its decision is recognised again; "" where it was decided as proposed, or is not."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, proposal_id=proposal_id)
    found = rows.values_list("candidate", flat=True).first()
    return str((found or {}).get(_DECISION, ""))


_CHOSEN = sql.SQL(", ").join(map(sql.SQL, COLUMNS))
_STANDING_ALONE = (
    sql.SQL(
        "SELECT {}, unnoticed IS NULL, gate.stands_alone(vault_id, current_setting('muniment.ticket'), proposal_id)"
        " FROM proposal WHERE vault_id = %s AND proposal_id = %s"
    )
    .format(_CHOSEN)
    .as_string(None)
)


def asking_alone(vault_id: UUID, proposal_id: UUID) -> tuple[str, Sequence[Any]]:
    """A query for an act to ask as it opens; `alone` reads its rows."""
    return _STANDING_ALONE, [vault_id, proposal_id]


def alone(rows: Sequence[Sequence[Any]]) -> Proposal | None:
    """One proposal, from the rows of `asking_alone`, if it adds and nothing has to be looked at before it is approved:
    no memory stands, or stood, under its subject, says or said the same, or was written since it was made and shares
    its words; if it was not compared yet, nothing is there to compare it with, and its label says no more than its
    subject does; it is no echo, replaces no symbol, and was made from nothing; and nobody has to be told of a mark.
    None for any other.
    """
    if not rows or not rows[0][-1]:
        return None
    *row, compared, _ = rows[0]
    there = fact(row)
    if not compared and says_more(there.label, there.subject):
        return None
    more = there.untold or there.marked(MarkKind.ECHO) or there.candidate.old or there.lineage or there.sources
    return None if more else there


def pending_as(vault_id: UUID, memory_ids: Collection[UUID]) -> tuple[Proposal, ...]:
    """The pending proposals whose candidates are among these."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, memory_id__in=list(memory_ids))
    return _facts(rows.filter(status=ProposalStatus.PENDING.value)) if memory_ids else ()


def left_by(vault_id: UUID, ids: Collection[UUID]) -> dict[UUID | None, UUID]:
    """Those of these proposals that were left as a note, each with the link of a share that its writer had opened."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, proposal_id__in=list(ids), by_link=True)
    return dict(rows.values_list("proposal_id", "client_id")) if ids else {}


def waiting_of(vault_id: UUID, ids: Collection[UUID], without: Collection[UUID] = ()) -> frozenset[UUID]:
    """Those of these proposals that wait still, `without` those that are about these memories."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, proposal_id__in=list(ids), status=ProposalStatus.PENDING.value)
    rows = rows.exclude(_unseen_with(without)) if without else rows
    return frozenset(rows.values_list("proposal_id", flat=True)) if ids else frozenset()


def count_pending(vault_id: UUID, without: Collection[UUID] = ()) -> int:
    """How many proposals wait for the holder; `without` those that are about these memories."""
    rows = ProposalRow.objects.filter(_held_as([ProposalStatus.PENDING]), vault_id=vault_id)
    return (rows.exclude(_unseen_with(without)) if without else rows).count()


def _held_as(statuses: Collection[ProposalStatus]) -> Q:
    """In one of these states, for the holder."""
    waits = Q(status=ProposalStatus.PENDING.value)
    void = waits & Q(marks__contains=[{"kind": MarkKind.VOID.value}])
    others = Q(status__in=[each.value for each in statuses if each is not ProposalStatus.PENDING])
    found = others | (waits & ~void) if ProposalStatus.PENDING in statuses else others
    return found | void if ProposalStatus.WITHDRAWN in statuses else found


def _touching(ids: Collection[UUID]) -> Q:
    chosen = list(ids)
    told = [str(each) for each in chosen]
    about = Q(memory_id__in=chosen) | Q(target_id__in=chosen, target_id__isnull=False)
    return (
        about
        | Q(outcome_id__in=chosen, outcome_id__isnull=False)
        | Q(candidate__has_key="other", candidate__other__in=told)
    )


def _unseen_with(ids: Collection[UUID]) -> Q:
    """What is about these memories; and what was left by a link that handed over nothing else: it tells of the link."""
    return _touching(ids) | (Q(by_link=True, lineage__contained_by=list(ids)) & ~Q(lineage=[]))


def _facts(rows: QuerySet[ProposalRow], limit: int | None = None) -> tuple[Proposal, ...]:
    return tuple(map(fact, rows.values_list(*COLUMNS)[:limit]))


def fact(row: Sequence[Any]) -> Proposal:
    """A proposal from a row's columns in the order of COLUMNS."""
    values = list(row)
    values[2], values[3] = Directive(values[2]), ProposalStatus(values[3])
    for column in (13, 14, 17):  # JSON: parsed by the ORM, or still text
        values[column] = json.loads(values[column]) if isinstance(values[column], str) else values[column]
    given = {name: each for name, each in values[13].items() if name not in (_DECISION, SAID)}
    values[13] = Candidate(**{**given, "other": UUID(given["other"]) if given.get("other") else None})
    values[14], values[15] = tuple(values[14]), tuple(values[15])
    values[17] = tuple(_mark(each) for each in values[17])
    return Proposal(*values)


def _mark(given: dict[str, Any]) -> Mark:
    memory, beside = given.get("memory"), given.get("beside")
    return Mark(
        MarkKind(given["kind"]),
        UUID(memory) if memory else None,
        given.get("version", 0),
        given.get("how", ""),
        UUID(beside) if beside else None,
        given.get("told", False),
    )


# ---------------------------------------------------------------- writing
def propose(act: Act, new: Proposal, like: Likeness, traits: Traits) -> None:
    """A proposal's label side, and by what it is compared later: nothing is looked at for it."""
    said = {SAID: like.all.hex()} if like.gist != like.all else {}
    act.insert(
        ProposalRow(
            vault_id=act.vault_id,
            proposal_id=new.proposal_id,
            client_id=new.client_id,
            by_link=new.by_link,
            directive=new.directive.value,
            status=new.status.value,
            memory_id=new.memory_id,
            subject=new.subject,
            label=new.label,
            rationale=new.rationale,
            fingerprint=like.gist,
            as_of=new.as_of,
            made_at=new.made_at,
            target_id=new.target_id,
            target_version=new.target_version,
            candidate={**_candidate_json(new.candidate), **said},
            evidence=list(new.evidence),
            lineage=list(new.lineage),
            turn=new.turn,
            marks=marks_json(new.marks),
            expires_at=new.expires_at or new.made_at + LASTS,
            unnoticed=traits_json(traits),
        )
    )


def _candidate_json(candidate: Candidate) -> dict[str, str | int]:
    told = {name: each for name, each in asdict(candidate).items() if each}
    return {name: str(each) if isinstance(each, UUID) else each for name, each in told.items()}


def traits_json(traits: Traits) -> dict[str, Any]:
    """Traits as they are stored."""
    also = [
        {"whole": each.whole.hex(), "words": sorted(each.words), "length": each.length}
        | {"numbers": sorted(each.numbers), "negated": each.negated}
        for each in traits.also
    ]
    told = {"words": list(traits.words), "bare": traits.bare, "also": also}
    found = {name: each for name, each in told.items() if each}
    return found | ({"long": list(traits.long)} if traits.long is not None else {})


def traits(told: dict[str, Any]) -> Traits:
    """Traits from what is stored of them."""
    also = tuple(
        Print(
            bytes.fromhex(each["whole"]),
            frozenset(each["words"]),
            each["length"],
            frozenset(each["numbers"]),
            each["negated"],
        )
        for each in told.get("also", ())
    )
    long = tuple(told["long"]) if "long" in told else None
    return Traits(tuple(told.get("words", ())), told.get("bare", ""), also, long)


def marks_json(marks: Iterable[Mark]) -> list[dict[str, str | int | bool]]:
    """Marks as they are stored."""
    return [
        {"kind": each.kind.value, "memory": str(each.memory_id or ""), "version": each.version, "how": each.how}
        | ({"beside": str(each.beside)} if each.beside is not None else {})
        | ({"told": True} if each.told else {})
        for each in marks
    ]


def approved(act: Act, done: Sequence[Proposal], decision: str = "") -> None:
    """They were approved, and this became of each; `decision` is by what it is recognised again."""
    query = (
        "UPDATE proposal p SET status = 'approved', decided_at = u.at, decided_by = %s, revision = p.revision + 1,"
        " outcome_id = u.became, batch_id = u.batch, edited = u.edited, candidate = p.candidate || u.more::jsonb,"
        " unnoticed = NULL"
        " FROM unnest(%s::uuid[], %s::timestamptz[], %s::uuid[], %s::uuid[], %s::boolean[], %s::text[])"
        " AS u(id, at, became, batch, edited, more)"
        " WHERE p.vault_id = %s AND p.proposal_id = u.id AND p.status = 'pending'"
    )
    more = [_more(each, decision) for each in done]
    columns = [
        [each.proposal_id for each in done],
        [each.decided_at for each in done],
        [each.outcome_id for each in done],
        [each.batch_id for each in done],
        [each.edited for each in done],
        more,
    ]
    act.later(query, [act.actor, *columns, act.vault_id])


def _more(proposal: Proposal, decision: str) -> str:
    told = _candidate_json(proposal.candidate) | ({_DECISION: decision} if decision else {})
    return json.dumps(told)


def ended(act: Act, ids: Collection[UUID], status: ProposalStatus, now: datetime, reason: str = "") -> None:
    """They end without having become anything."""
    rows = ProposalRow.objects.filter(
        vault_id=act.vault_id, proposal_id__in=list(ids), status=ProposalStatus.PENDING.value
    )
    rows.update(
        status=status.value,
        decided_at=now,
        decided_by=act.actor,
        reason=reason,
        unnoticed=None,
        revision=F("revision") + 1,
    )


def lifted(act: Act, proposal_id: UUID, now: datetime) -> None:
    """The same may be proposed again."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, proposal_id=proposal_id)
    rows.update(lifted_at=now, revision=F("revision") + 1)


def rebased(act: Act, new: Proposal, marks: Iterable[Mark]) -> None:
    """It is to change what it is about as that stands by now, in the versions that it names."""
    query = (
        "UPDATE proposal SET target_version = %s, candidate = candidate || %s::jsonb, marks = %s::jsonb,"
        " revision = revision + 1 WHERE vault_id = %s AND proposal_id = %s"
    )
    given = [new.target_version, json.dumps(_candidate_json(new.candidate)), json.dumps(marks_json(marks))]
    act.later(query, [*given, act.vault_id, new.proposal_id])


def undone(act: Act, ids: Collection[UUID], now: datetime) -> None:
    """What became of them was taken back."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, proposal_id__in=list(ids))
    rows.update(undone_at=now, revision=F("revision") + 1)
