"""What a space may settle, checked once for every surface. Pure.

Whoever settles sends the whole policy and the version it was made from, so that of two who settle at once neither
undoes what the other did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from apps.policy.grants import LONGEST, MOST_READS, SHORTEST
from apps.policy.people import Ages, Membership, SpacePolicy, Tier
from apps.policy.retention import check_keeping
from apps.policy.text import TextProblem, pieces
from apps.policy.tiers import NOTICE, OLDEST_TIER, POWER, narrower, wider
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal, Role

MOST_NOTICE = 1_000
NUMBERS = {  # from which to which
    "lapse_days": (7, 365),
    "cool_down_hours": (1, 720),
    "share_hours_most": (0, 720),
    "share_opens_most": (1, 50),
}


def settled(
    wish: SpacePolicy, now: SpacePolicy, members: Iterable[Membership], at: datetime, youngest: int | None = None
) -> SpacePolicy | Refused:
    """The policy that holds once `wish` is settled, one version on; the same as `now` where nothing would change.
    `youngest` is the age in years of the youngest child who lives in the space.

    A table of ages by which a guardian would do more with such a child than by the one that holds `at` this moment
    holds in thirty days; until then a guardian may do what both allow. Refused as stale where another policy stands
    than the one that the wish was made from. Raises TextProblem by the name of a policy's field.
    """
    if wish.version != now.version:
        return Refused(Refusal.STALE)
    known = tuple(members)
    checked = replace(wish, notice=check_notice(wish.notice), keeping=check_keeping(wish.keeping))
    checked = replace(checked, tiers_before=now.tiers_before, tiers_from=now.tiers_from)  # nobody's to write
    _check_numbers(checked)
    _check_tiers(checked.tiers)
    _check_clinic(checked, known)
    if checked.tiers != now.tiers:
        checked = _turned(checked, table_of(now, at), at, youngest)
    return now if checked == now else replace(checked, version=now.version + 1)


def table_of(policy: SpacePolicy, at: datetime) -> tuple[Tier, ...]:
    """The table of ages that holds in a space then."""
    return ages(policy, at).held


def ages(policy: SpacePolicy, at: datetime) -> Ages:
    """What guardians may do in a space at which age, as it is then, and what is to come."""
    if policy.tiers_from is None or at >= policy.tiers_from:
        return Ages(policy.tiers)
    return Ages(policy.tiers_before, policy.tiers, policy.tiers_from)


def _turned(wish: SpacePolicy, held: tuple[Tier, ...], at: datetime, youngest: int | None) -> SpacePolicy:
    if youngest is None or not wider(wish.tiers, held, youngest):
        return replace(wish, tiers_before=(), tiers_from=None)
    return replace(wish, tiers_before=narrower(wish.tiers, held), tiers_from=at + NOTICE)


def check_notice(text: str) -> str:
    """A space's own notice: a paragraph a line; blanks around a line and empty lines are left out. Raises TextProblem.

    It stands below ours where people decide, so nothing may stand in it that cannot be seen.
    """
    if any(hidden and shown != "[U+000A]" for shown, hidden in pieces(text)):
        raise TextProblem("notice", "It holds a hidden or a control character. Write it as plain text.")
    told = "\n".join(line.strip() for line in text.split("\n") if line.strip())
    if len(told) > MOST_NOTICE:
        raise TextProblem("notice", f"It is {len(told)} characters long; at most {MOST_NOTICE} are kept.")
    return told


def _check_numbers(wish: SpacePolicy) -> None:
    shortest, longest = int(SHORTEST.total_seconds()), int(LONGEST.total_seconds())
    if wish.most_ttl_seconds is not None and not shortest <= wish.most_ttl_seconds <= longest:
        raise TextProblem("most_ttl_seconds", f"A grant lasts from a minute to {LONGEST.days} days.")
    if wish.most_reads is not None and not 1 <= wish.most_reads <= MOST_READS:
        raise TextProblem("most_reads", f"A grant is for 1 to {MOST_READS} reads.")
    for field, (least, most) in NUMBERS.items():
        if not least <= getattr(wish, field) <= most:
            raise TextProblem(field, f"Write a whole number from {least} to {most}.")


def _check_tiers(tiers: Sequence[Tier]) -> None:
    """Ages rise from birth on, what a guardian may do only falls, and ends at twenty-one at the latest."""
    if not tiers or tiers[0].from_years != 0:
        raise TextProblem("tiers", "The table begins at 0 years.")
    years, powers = [each.from_years for each in tiers], [POWER[each.guardian] for each in tiers]
    if years != sorted(set(years)) or powers != sorted(set(powers), reverse=True):
        raise TextProblem("tiers", "With each later age a guardian may do less: decide, then look, then nothing.")
    if tiers[-1].guardian is not None or tiers[-1].from_years > OLDEST_TIER:
        raise TextProblem("tiers", f"A guardian may do nothing any more from {OLDEST_TIER} years on at the latest.")


def _check_clinic(wish: SpacePolicy, members: Sequence[Membership]) -> None:
    """Reviewers and emergencies are a clinic's. Emergencies need somebody whom each is reported to."""
    clinic = any(each.kind == "clinic" for each in members)
    for field in ("review_categories", "break_glass", "privacy_lead"):
        if getattr(wish, field) and not clinic:
            raise TextProblem(field, "Only a clinic settles this.")
    if wish.privacy_lead and wish.privacy_lead not in {each.user_id for each in leads(members)}:
        said = "Choose somebody who has a place here beside a vault of their own, and opens no file in an emergency."
        raise TextProblem("privacy_lead", said)
    if wish.break_glass and not wish.privacy_lead:
        raise TextProblem("privacy_lead", "Choose who is told of each emergency and looks at it afterwards.")


def leads(members: Iterable[Membership]) -> tuple[Membership, ...]:
    """Who may be a space's privacy lead: whoever does something there. To hold a vault alone is to be cared for; and
    nobody looks at what they did in an emergency themself.
    """
    return tuple(each for each in members if each.roles - {Role.HOLDER} and Role.EMERGENCY not in each.roles)
