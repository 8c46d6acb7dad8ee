"""What the person wishes of mail: which letters, when, and the words by which they know them."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.authentication import HOLDER, holder_of
from apps.api.inputs import NoQuery
from apps.api.schema import IF_MATCH, operation
from apps.api.views.base import Resource, agreed, queried, require_match, tagged, taken
from apps.api.wishing import MailIn, MailOut, told, wish_of
from apps.mail import services as mail


class MyMail(Resource):
    """The person's own, at whichever vault they sit."""

    allow = {"GET": HOLDER, "PATCH": HOLDER}

    @operation("What the person wishes of mail", gives=MailOut, query=NoQuery)
    def get(self, request: Request) -> Response:
        queried(request, NoQuery)
        return tagged(told(mail.wishes(holder_of(request).user_id)), request)

    @operation(
        "Wish something else of mail: it holds at once, also for letters that wait. What is not sent stays",
        takes=MailIn,
        gives=MailOut,
        headers=[IF_MATCH],
        refuses=("precondition-required", "precondition-failed"),
    )
    def patch(self, request: Request) -> Response:
        user_id, sent = holder_of(request).user_id, taken(request, MailIn)
        held = mail.wishes(user_id)
        require_match(request, told(held))
        # The service compares versions again, under a lock: of two that were sent at once, one finds it moved.
        kept = agreed(mail.set_wishes(user_id, wish_of(held, sent), self.now), STALE="precondition-failed")
        return tagged(told(kept), request)
