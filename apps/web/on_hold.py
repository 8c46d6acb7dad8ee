"""What a page says while nothing is stamped, and while somebody else holds the vault: one sentence, whatever was to be
done.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from apps.ledger import services as ledger
from apps.web.doors import typed_texts
from vault.failures import busy


class WhenOnHold(MiddlewareMixin):
    """Answers a deed that met the hold, or a vault that is busy: nothing was done, and the page says so."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """503 with the page; None for everything else."""
        if isinstance(exception, ledger.OnHold):
            return render(request, "503.html", status=503)
        if busy(exception):
            response = render(request, "busy.html", {"typed": typed_texts(request)}, status=503)
            response.headers["Retry-After"] = "5"
            return response
        return None
