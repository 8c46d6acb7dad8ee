"""The breaks: for each property file one way of breaking the product, and the test that must notice.

A break is a replaced function of the code, or a replaced function of the gate in a scratch database.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest


@dataclass(frozen=True)
class Sabotage:
    """One way of breaking the product: `property` is the file's name without `test_`, `red` the test that must fail."""

    property: str
    how: str
    red: str
    break_: Callable[[Any, pytest.MonkeyPatch], None]  # given the administrator's connection

    @property
    def path(self) -> str:
        return f"tests/properties/test_{self.property}.py"


SABOTAGES: list[Sabotage] = []


def sabotage(property: str, *, how: str, red: str) -> Callable[[Any], Any]:
    """Names a break."""

    def named(break_: Callable[[Any, pytest.MonkeyPatch], None]) -> Any:
        SABOTAGES.append(Sabotage(property, how, red, break_))
        return break_

    return named


# ---------------------------------------------------------------- tools
def edit(admin: Any, function: str, *changes: tuple[str, str]) -> None:
    """Replaces text in a function of the database; AssertionError where it does not stand there any more."""
    row = admin.execute("SELECT pg_get_functiondef(%s::regprocedure)", [function]).fetchone()
    text = row[0]
    for old, new in changes:
        assert old in text, f"{function} has no longer {old!r}: write the sabotage anew"
        text = text.replace(old, new)
    admin.execute(text)


TAKE = "gate.take(uuid, text, bytea)"
STAMP = "gate.stamp(uuid, text, bytea, jsonb)"
RELEASED = (
    "TABLE (seq bigint, memory_id uuid, version int, category text, form text, attested boolean, nonce bytea,"
    " ciphertext bytea, epoch int, wrapped bytea, root_epoch int, vault_key bytea)"
)
SEALED = (
    "SELECT 0::bigint, v.memory_id, v.version, v.category, 'value', v.attested, v.nonce, v.ciphertext, y.epoch,"
    " y.wrapped, k.root_epoch, k.wrapped FROM sealed.value v"
    " JOIN sealed.key y USING (vault_id, memory_id, version) JOIN public.vault_key k USING (vault_id, epoch)"
    " WHERE v.vault_id = p_vault"
)


def replace_take(admin: Any, body: str) -> None:
    """Puts another `take` before the honest one, which it may call as `gate.honest_take`."""
    admin.execute(f"ALTER FUNCTION {TAKE} RENAME TO honest_take")
    admin.execute(
        f"CREATE FUNCTION gate.take(p_vault uuid, p_ticket text, p_handle bytea) RETURNS {RELEASED}"
        " LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS"
        f" $$ #variable_conflict use_column\nBEGIN {body} END $$"
    )
    admin.execute(f"ALTER FUNCTION {TAKE} OWNER TO muniment_gate_owner")
    admin.execute(f"GRANT EXECUTE ON FUNCTION {TAKE} TO muniment_gate")


def replace_stamp(admin: Any, body: str) -> None:
    """Puts another `stamp` before the honest one, which it calls where `body` says HONEST."""
    honest = (
        "SELECT * INTO outcome, first_seq, last_seq, stamped_at, digests"
        " FROM gate.honest_stamp(p_vault, p_ticket, p_handle, p_plan);"
    )
    admin.execute(f"ALTER FUNCTION {STAMP} RENAME TO honest_stamp")
    admin.execute(
        "CREATE FUNCTION gate.stamp(p_vault uuid, p_ticket text, p_handle bytea, p_plan jsonb, OUT outcome text,"
        " OUT first_seq bigint, OUT last_seq bigint, OUT stamped_at timestamptz, OUT digests bytea[])"
        " LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS"
        f" $$ BEGIN {body.replace('HONEST', honest)} END $$"
    )
    admin.execute(f"ALTER FUNCTION {STAMP} OWNER TO muniment_gate_owner")
    admin.execute(f"GRANT EXECUTE ON FUNCTION {STAMP} TO muniment_gate")


# ---------------------------------------------------------------- the breaks
@sabotage(
    "nothing_leaves_without_a_receipt",
    how="take releases what was refused, too",
    red="test_only_what_is_stamped_as_handed_over_is_released",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    replace_take(
        admin,
        f"RETURN QUERY SELECT * FROM gate.honest_take(p_vault, p_ticket, p_handle); RETURN QUERY {SEALED}"
        " AND EXISTS (SELECT FROM public.receipt r WHERE r.vault_id = p_vault AND r.memory_id = v.memory_id"
        " AND r.kind = 'value.refused');",
    )


@sabotage(
    "a_receipt_is_committed_before_its_value_leaves",
    how="take works in the transaction that stamped",
    red="test_whoever_holds_our_connection_cannot_undo_the_receipt_and_keep_the_value",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, TAKE, ("pg_current_xact_id_if_assigned() IS NOT NULL", "false"))


@sabotage(
    "a_read_that_cannot_be_stamped_does_not_happen",
    how="the ledger is written as far as it can be, and the values leave anyway",
    red="test_a_read_that_cannot_be_stamped_does_not_happen",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    replace_stamp(
        admin,
        "HONEST EXCEPTION WHEN OTHERS THEN outcome := 'stamped'; first_seq := 1; last_seq := 1; stamped_at := now();",
    )
    replace_take(
        admin,
        "RETURN QUERY SELECT * FROM gate.honest_take(p_vault, p_ticket, p_handle);"
        f" EXCEPTION WHEN OTHERS THEN RETURN QUERY {SEALED} AND EXISTS (SELECT FROM public.access_grant g"
        " WHERE g.vault_id = p_vault AND g.memory_ids ? encode(uuid_send(v.memory_id), 'hex'));",
    )


@sabotage(
    "the_scope_prompt_never_contains_a_memory_value",
    how="the scope prompt is built from values, because a model then chooses better",
    red="test_scope_prompt_never_contains_a_memory_value",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import services as memories
    from apps.turns.services import asking

    honest = asking.scope

    def scope(holder: Any, question: str, labels: Any) -> Any:
        shown = {each.memory_id: each.value for each in memories.show(holder, [it.memory_id for it in labels]).values}
        said = [replace(each, label=f"{each.label}: {shown.get(each.memory_id)}") for each in labels]
        return honest(holder, question, said)

    patch.setattr(asking, "scope", scope)


@sabotage(
    "an_attested_memory_is_confirmed_and_never_shown",
    how="the value of an attested memory is released with its proof",
    red="test_attested_memory_yields_proof_and_never_its_value",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    replace_take(
        admin,
        "RETURN QUERY SELECT * FROM gate.honest_take(p_vault, p_ticket, p_handle) t WHERE t.form = 'value';"
        f" RETURN QUERY {SEALED} AND v.memory_id IN (SELECT t.memory_id"
        " FROM gate.honest_take(p_vault, p_ticket, p_handle) t WHERE t.form = 'attested');",
    )


@sabotage(
    "a_special_category_never_rides_along",
    how="a special category goes with whatever it was asked for with",
    red="test_with_anything_else_it_stays_behind_and_alone_it_goes",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.access.services import judging

    patch.setattr(judging, "rides_along", lambda memory, others: False)


@sabotage(
    "one_memory_can_be_left_out_and_the_rest_stay",
    how="the earlier answer stays in the next prompt, for continuity",
    red="test_the_next_prompt_holds_neither_the_value_nor_the_earlier_answer",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.turns import provider
    from apps.turns.services import answering

    earlier: list[str] = []
    honest_stream, honest_prompt = provider.stream, answering.answer_prompt

    def stream(messages: Any) -> Iterator[str]:
        for piece in honest_stream(messages):
            earlier.append(piece)
            yield piece

    def prompt(question: str, references: Any) -> Any:
        said = "".join(earlier).replace("\n", " ")
        return honest_prompt(f"{question} Before, you answered: {said}" if said else question, references)

    patch.setattr(provider, "stream", stream)
    patch.setattr(answering, "answer_prompt", prompt)


@sabotage(
    "nothing_is_kept_until_the_holder_approves",
    how="a proposal is approved as it comes in, to save the holder a press",
    red="test_it_is_readable_on_no_road_before_and_on_all_after",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.holders import services as holders
    from apps.memories import services as memories
    from apps.policy.types import Proposal

    honest = memories.propose

    def propose(caller: Any, **more: Any) -> Any:
        made, holder = honest(caller, **more), holders.holder_of_vault(caller.vault_id)
        if isinstance(made, Proposal) and holder:
            memories.approve(holder, made.proposal_id, now=more["now"])
        return made

    patch.setattr(memories, "propose", propose)


@sabotage(
    "a_grant_ends_by_time_by_count_and_by_revocation",
    how="a read is not counted",
    red="test_it_serves_until_it_ends_and_not_once_more",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    replace_stamp(
        admin,
        "HONEST UPDATE public.access_grant g SET reads_left = g.reads_left + 1"
        " WHERE outcome = 'stamped' AND g.vault_id = p_vault AND g.grant_id = (p_plan->>'object')::uuid;",
    )


@sabotage(
    "corrections_retire_the_old_value",
    how="the index keeps the words of the version before",
    red="test_leeds_then_porto_then_faro_serves_faro",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import store

    honest = store.index

    def index(act: Any, key: Any, memory: Any, value: Any) -> None:
        if memory.version == 1:
            honest(act, key, memory, value)

    patch.setattr(store, "index", index)


@sabotage(
    "vaults_never_mix",
    how="the door opens the newest vault, whoever is signed in",
    red="test_the_session_s_person_decides_which_vault_opens",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.holders import services as holders

    def newest(user_id: Any) -> Any:
        row = admin.execute("SELECT vault_id FROM vault ORDER BY vault_id::text DESC LIMIT 1").fetchone()
        return holders.holder_of_vault(row[0])

    patch.setattr(holders, "holder", newest)


@sabotage(
    "every_surface_gives_the_same_answer",
    how="REST leaves out what was withheld",
    red="test_it_is_the_services_answer_on_every_road",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.api.views import access

    honest = access.ReadOut.to_representation

    def fewer(self: Any, result: Any) -> Any:
        return {**honest(self, result), "withheld": []}

    patch.setattr(access.ReadOut, "to_representation", fewer)


@sabotage(
    "the_operator_sees_no_values",
    how="a helpful line in the log says what was handed over",
    red="test_nothing_of_it_is_in_a_log",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import gate

    honest = gate._release

    def release(vault_id: Any, row: Any) -> Any:
        handed = honest(vault_id, row)
        logging.getLogger("muniment.gate").info("handed over %s", handed)
        return handed

    patch.setattr(gate, "_release", release)


@sabotage(
    "the_ledger_only_grows",
    how="an owner of the table may tidy it up",
    red="test_no_role_rewrites_it_not_even_its_owner",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    admin.execute("DROP TRIGGER append_only ON public.receipt")


@sabotage(
    "what_we_do_not_promise",
    how="the root key alone no longer opens a value, so a limit is not one any more",
    red="test_an_operator_with_the_root_key_and_the_database",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.memories import sealing

    patch.setattr(sealing, "open_value", lambda vault_id, sealed: "not without a key of the holder's own")


@sabotage(
    "any_order_of_deeds",
    how="the chat hands over all that was offered, whatever was ticked",
    red="test_whatever_the_order_of_deeds_what_is_handed_over_is_stamped_and_nothing_else",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.turns import services as turns

    honest = turns.decide

    def decide(holder: Any, turn_id: Any, *, ordinary: Any = None, special: Any = None, now: Any) -> Any:
        asked = turns.turn(holder, turn_id)
        everything = frozenset(item.memory_id for item in asked.items) if asked else frozenset()
        return honest(holder, turn_id, ordinary=everything, special=special, now=now)

    patch.setattr(turns, "decide", decide)


@sabotage(
    "a_stranger_can_check_a_receipt_offline",
    how="nobody looks whether a receipt's digest and its link are those of its bytes",
    red="test_whatever_is_changed_is_found",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.ledger.format import receipt_file

    patch.setattr(receipt_file, "_check_link", lambda *given: None)


@sabotage(
    "a_witness_refuses_a_fork",
    how="a witness looks at the old size and not at the proof",
    red="test_a_second_history_is_not_cosigned_whatever_it_is_said_to_continue",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.ledger.format import witness

    patch.setattr(witness, "check_consistency", lambda *given: None)


@sabotage(
    "a_rewritten_history_is_caught",
    how="two bundles are compared by their length alone",
    red="test_whoever_kept_a_bundle_sees_which_line_became_another",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.ledger.format import growth

    honest = growth._compared
    patch.setattr(growth, "_compared", lambda before, after: (None, honest(before, after)[1]))


# Their breaks are kept with these.
from tests import breaks_erasing, breaks_mail, breaks_people, breaks_sharing, breaks_writing  # noqa: E402, F401


@sabotage(
    "the_person_decides_first_and_the_reviewer_cannot_widen",
    how="a reviewer's number of reads is taken as it is sent",
    red="test_whatever_the_reviewer_asks_for_the_grant_is_no_more_than_the_person_gave",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.access.services import reviewing

    honest = reviewing.judge_review

    def judge(found: Any, by: Any, wish: Any, policy: Any, now: Any, **more: Any) -> Any:
        done = honest(found, by, replace(wish, until=None, reads=None), policy, now, **more)
        return done if not done else replace(done, reads=max(done.reads, min(wish.reads or 0, 1000)))

    patch.setattr(reviewing, "judge_review", judge)
