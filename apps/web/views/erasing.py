"""`/erase`: what goes for good is shown first, and then gone; `/erasures/<ord_…>`: what came of it, to print and keep.

What is to be erased is posted, so that no subject stands in an address; a memory's own page leads here by its id.
"""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from apps.access import services as access
from apps.erasure import services as erasing
from apps.holders import services as holders
from apps.memories import services as memories
from apps.memories.services import naming
from apps.policy.erasing import Basis, Order, Plan
from apps.policy.ids import typed, untyped
from apps.policy.roles import Deed
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Receipt, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.turns import services as turns
from apps.web.doors import back, for_form, for_holder, json_file, or_404, page
from apps.web.erase_forms import MOST_TICKED, OrderForm, PersonalForm, WhereForm
from apps.web.erasures import told
from apps.web.lines import names_of
from vault.clock import utc_now

MOST_ORDERS = 50
MOST_LISTED = 1_000  # of what would go; how many there are is said of all
CHANGED = "Something changed since you looked. This is what would go by now: look at it, then press again."
NONE_THERE = "Nothing in the file is all of this. Say less, or look at how it is written."


@for_form(Deed.ERASE)
def erase(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Say what goes, and see it: nothing is erased yet. What was erased before stands below."""
    one = http_request.GET.get("memory")
    if http_request.method != "POST" and one is None:
        return _choose(http_request, holder, _where(holder, None))
    where = _where(holder, http_request.POST if http_request.method == "POST" else {"memories": [one]})
    if not where.is_valid():
        return or_404(None) if one is not None else _choose(http_request, holder, where)
    plan = erasing.preview(holder, where.where)
    if isinstance(plan, Plan):
        return _shown(http_request, holder, where, plan, OrderForm())
    if one is not None:
        return or_404(None)
    where.add_error(None, NONE_THERE)
    return _choose(http_request, holder, where)


@require_POST
@for_holder
def order(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Erase what was shown. Where something changed meanwhile, or was not said, it is shown again."""
    holders.ask(holder, Deed.ERASE)
    where, form = _where(holder, http_request.POST), OrderForm(http_request.POST)
    if not where.is_valid():
        return _choose(http_request, holder, where)
    done = _ordered(holder, where, form, http_request.POST.get("plan", "")) if form.is_valid() else None
    if isinstance(done, Order):
        return back(http_request, done, f"/erasures/{typed('ord', done.order_id)}", "Erased. It is out of reach now.")
    plan = erasing.preview(holder, where.where)
    if isinstance(plan, Refused):
        where.add_error(None, NONE_THERE)
        return _choose(http_request, holder, where)
    stale = isinstance(done, Refused) and done.reason is Refusal.STALE
    return _shown(http_request, holder, where, plan, form, 409 if stale else 400)


def _ordered(holder: Holder, where: WhereForm, form: OrderForm, plan: str) -> Order | Refused | None:
    given = form.cleaned_data
    ordering = erasing.order_and_search if given["search"] else erasing.order
    try:
        done = ordering(
            holder,
            where.where,
            utc_now(),
            basis=Basis(given["basis"]),
            request=given["request"],
            derived=form.choice,
            plan=plan,
        )
    except TextProblem as problem:
        form.blame(problem)
        return None
    if isinstance(done, Refused):
        if done.reason is Refusal.STALE:
            form.add_error(None, CHANGED)
        elif done.reason is not Refusal.NOT_FOUND:
            form.refuse(done)
    return done


# ---------------------------------------------------------------- personal data
@for_form(Deed.ERASE)
def personal(http_request: HttpRequest, holder: Holder) -> HttpResponse:
    """Which memories hold personal data of a known kind: a list to choose from, made by looking at every value."""
    form = PersonalForm(http_request.POST or None)
    if not form.is_valid():
        return page(http_request, "erase/personal.html", 400 if form.errors else 200, form=form)
    found = erasing.personal_data(holder, form.looked_for, form.cleaned_data["country"].strip().upper())
    return page(
        http_request,
        "erase/found.html",
        found=found,
        shown=[(memory, sorted(kinds)) for memory, kinds in found.found[:MOST_TICKED]],
        behind=len(found.found) - MOST_TICKED,
    )


# ---------------------------------------------------------------- what came of it
@require_safe
@for_holder
def erasure(http_request: HttpRequest, holder: Holder, order_id: UUID) -> HttpResponse:
    """An order's certificate; or how far it is, where the receipts of a large one follow."""
    found = or_404(erasing.erasure(holder, order_id))
    return page(
        http_request,
        "erase/certificate.html",
        told=told(found),
        request_number=erasing.words(holder, order_id),
        ordered=_receipt(holder, order_id, ReceiptKind.ERASURE_ORDERED),
        certified=_receipt(holder, order_id, ReceiptKind.ERASURE_CERTIFIED),
    )


@require_safe
@for_holder
def certificate(http_request: HttpRequest, holder: Holder, order_id: UUID) -> HttpResponse:
    """The certificate as a file that is checked elsewhere."""
    found = or_404(erasing.certificate_file(holder, order_id))
    return json_file(found, f"{typed('ord', order_id)}.certificate.json")


@require_safe
@for_holder
def opening(http_request: HttpRequest, holder: Holder, order_id: UUID) -> HttpResponse:
    """The words that came with an order, and what shows that its receipt is bound to them, as a file."""
    found = or_404(erasing.opening(holder, order_id))
    return json_file(found, f"{typed('ord', order_id)}.opening.json")


@require_POST
@for_holder
def forget_words(http_request: HttpRequest, holder: Holder, order_id: UUID) -> HttpResponse:
    """Erase the words that came with an order."""
    done = erasing.forget_words(holder, order_id, utc_now())
    return back(http_request, done, f"/erasures/{typed('ord', order_id)}", "Erased. The order stays without them.")


def _receipt(holder: Holder, order_id: UUID, kind: ReceiptKind) -> Receipt | None:
    found = turns.receipts(holder, limit=1, object=typed("ord", order_id), kind=kind.value)
    return found[0] if found else None


# ---------------------------------------------------------------- together
def _where(holder: Holder, given: object) -> WhereForm:
    return WhereForm(
        given,
        memories=memories.memories(holder),
        known=naming.entities(holder),
        clients=access.clients(holder),
        zone=holder.time_zone,
    )


def _choose(http_request: HttpRequest, holder: Holder, form: WhereForm) -> HttpResponse:
    before = untyped("ord", http_request.GET.get("before", ""))
    orders = erasing.orders(holder, MOST_ORDERS + 1, before)
    names = names_of(holder)
    return page(
        http_request,
        "erase/choose.html",
        400 if form.errors else 200,
        form=form,
        holds=erasing.holds(holder, utc_now()),
        horizon_days=erasing.horizon_days(),
        orders=[(each, names.party(each.made_by)) for each in orders[:MOST_ORDERS]],
        older=orders[MOST_ORDERS - 1].order_id if len(orders) > MOST_ORDERS else None,
        earlier=before is not None,
    )


def _shown(
    http_request: HttpRequest, holder: Holder, where: WhereForm, plan: Plan, form: OrderForm, status: int = 200
) -> HttpResponse:
    alike = frozenset(plan.still_held)
    same = [each for each in memories.memories(holder) if each.memory_id in alike] if alike else []
    both = [each.memory_id for each in (*plan.named, *same)]
    return page(
        http_request,
        "erase/preview.html",
        status,
        where=where,
        form=form,
        plan=plan,
        named=plan.named[:MOST_LISTED],
        behind=len(plan.named) - MOST_LISTED,
        may_search=len(plan.named) + len(plan.derived) + len(plan.merged) <= erasing.MOST_SEARCHED,
        made=(*plan.derived, *plan.merged)[:MOST_LISTED],
        made_behind=len(plan.derived) + len(plan.merged) - MOST_LISTED,
        same=same,
        both=both if len(both) <= MOST_TICKED else (),
        holds=erasing.holds(holder, utc_now()),
        horizon_days=erasing.horizon_days(),
    )
