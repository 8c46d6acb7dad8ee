"""Breaks of the write gate: see tests/breaks.py, which knows of them by importing this."""

from dataclasses import replace
from typing import Any

import pytest

from tests.breaks import STAMP, TAKE, edit, sabotage


@sabotage(
    "a_rejected_proposal_is_a_dead_end",
    how="what was rejected may be proposed again, as though nobody had said no",
    red="test_said_again_on_any_surface_it_is_refused_and_asks_nobody",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import alike

    honest = alike.looked
    patch.setattr(alike, "looked", lambda *given, **more: replace(honest(*given, **more), rejected=False))


@sabotage(
    "an_answer_takes_as_long_whatever_is_kept",
    how="what a client suggests is compared with what is kept while it waits for its answer",
    red="test_a_guess_costs_its_client_the_same_whatever_is_kept",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import services as memories
    from apps.memories.services import catching_up

    honest = memories.propose

    def eager(caller: Any, **sent: Any) -> Any:
        done = honest(caller, **sent)
        catching_up.catch_up(caller.vault_id)
        return done

    patch.setattr(memories, "propose", eager)


@sabotage(
    "text_that_was_read_can_never_become_a_write",
    how="what somebody asks to be forgotten is put away at once",
    red="test_over_rest_too_and_it_waits_for_the_holder",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.access.services import proposing
    from apps.ledger.log import act
    from apps.memories import store
    from apps.policy.vocabulary import ReceiptKind, State

    honest = proposing._propose_routed

    def eager(caller: Any, routed: Any, known: Any, now: Any, *more: Any) -> Any:
        if routed.intent is proposing.Intent.ERASE and known is not None:
            with act(caller.vault_id, caller.actor) as doing:
                store.set_state(doing, known.memory_id, State.WITHDRAWN, now)
                doing.record(ReceiptKind.MEMORY_WITHDRAWN, memory=known.memory_id)
        return honest(caller, routed, known, now, *more)

    patch.setattr(proposing, "_propose_routed", eager)


@sabotage(
    "only_approved_and_current_is_ever_handed_over",
    how="neither the rules nor the gate ask in which state a memory is",
    red="test_in_any_other_state_it_goes_to_nobody",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.access.services import judging

    patch.setattr(judging, "visible_to_client", lambda memory, grants, **more: memory is not None)
    edit(admin, STAMP, ("i.s = 'approved' AND i.c = granted", "i.c = granted"))
    edit(admin, TAKE, ("(w.state = 'approved' OR ", "(true OR "))


@sabotage(
    "a_disguise_is_seen_through",
    how="a text is taken by its characters, whatever they look like",
    red="test_a_client_s_suggestion_in_it_is_marked_and_approved_by_the_holder_s_express_deed_alone",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import prints

    patch.setattr(prints, "ways", lambda text, _: (text,))
    patch.setattr(prints, "plainly", lambda text: (text, []))


@sabotage(
    "nothing_is_handed_over_before_its_day_or_after",
    how="the gate takes the rules' word for it that a memory holds",
    red="test_the_gate_reads_the_dates_itself",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, STAMP, ("(m.holds_until IS NULL OR m.holds_until > ts)", "true"))


@sabotage(
    "a_correction_sticks",
    how="what waits for its day takes over, whatever was said since",
    red="test_no_date_brings_it_back",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories.services import arriving

    patch.setattr(arriving, "same", lambda *_: False)
    patch.setattr(arriving, "restates", lambda *_: False)


@sabotage(
    "a_correction_sticks",
    how="no version of the past is looked at when something is said again",
    red="test_no_road_of_the_holder_takes_it_back_unasked",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import prints

    patch.setattr(prints, "sifted", lambda *_, **__: {})


@sabotage(
    "a_special_category_never_rides_along",
    how="where a suggestion comes from is not looked at",
    red="test_no_suggestion_brings_it_back_as_ordinary_among_many",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories.services import noticing

    patch.setattr(noticing, "marked_close", lambda *_: {})


@sabotage(
    "a_correction_sticks",
    how="a yes to what nobody compared yet is carried out unlooked",
    red="test_nor_does_one_of_something_new_that_nobody_compared_yet",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    honest = "gate.stands_alone(uuid,text,uuid)"
    edit(admin, honest, ("IF NOT FOUND THEN RETURN false; END IF;", "RETURN FOUND;"))


@sabotage(
    "nothing_is_kept_until_the_holder_approves",
    how="a yes is carried out though nobody who decides was shown what contradicts it",
    red="test_a_yes_before_anybody_saw_what_contradicts_it_keeps_nothing",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy.proposals import Proposal

    patch.setattr(Proposal, "untold", False)
