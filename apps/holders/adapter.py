"""What allauth asks of us: a sign-up opens a vault, through the same service as everything else."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from apps.holders import services


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up may be closed by a setting; a new person gets a vault in a household of their own."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        user = super().save_user(request, user, form, commit)
        if commit:
            name = user.email.partition("@")[0]
            services.open_vault(user.pk, name, f"{name}'s household")
        return user
