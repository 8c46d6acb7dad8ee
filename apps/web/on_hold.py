"""What a page says while nothing is stamped: one sentence, whatever was to be done."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from apps.ledger import services as ledger


class WhenOnHold(MiddlewareMixin):
    """Answers a deed that met the hold: nothing was done, and the page says so."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """503 with the page; None for everything that is no hold."""
        return render(request, "503.html", status=503) if isinstance(exception, ledger.OnHold) else None
