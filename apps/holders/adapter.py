"""What allauth asks of us: a sign-up opens a vault, and what it says to a person is said in our words."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest

from apps.holders import services
from apps.mail import services as mail
from apps.policy.letters import inert
from apps.policy.people import Invitation
from vault.clock import utc_now

log = logging.getLogger("muniment.mail")

# What allauth tells of ways to sign in, as our letter has it.
FACTORS = {
    "mfa/email/webauthn_added": ("passkey", "added"),
    "mfa/email/webauthn_removed": ("passkey", "removed"),
    "mfa/email/totp_activated": ("codes", "added"),
    "mfa/email/totp_deactivated": ("codes", "removed"),
    "mfa/email/recovery_codes_generated": ("recovery", "added"),
}


@contextmanager
def _or_logged() -> Iterator[None]:
    """A mail server that is down is the operator's to see, not a failure of what the person did."""
    try:
        yield
    except (OSError, SMTPException) as error:
        log.error("a mail could not be sent: %s (MUNIMENT_SMTP_URL)", type(error).__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up may be closed by a setting; a new person gets a vault in a household of their own."""

    # The numbers are allauth's ACCOUNT_RATE_LIMITS: five failures in five minutes for an address.
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This sign-in is switched off. Ask whoever runs this server.",
        "duplicate_email": "This address is yours already.",
        "email_password_mismatch": "No vault opens with this address and password. Check both.",
        "email_taken": "A vault is open under this address already. Sign in, or set a new password.",
        "enter_current_password": "Type the password you have now.",
        "incorrect_password": "That is not the password you have now.",
        "rate_limited": "That was too often in a short time. Wait a few minutes, then go on.",
        "too_many_login_attempts": "Too many failed sign-ins. Wait five minutes, then try again.",
        "unknown_email": "No vault is open under this address.",
        "unverified_primary_email": "Confirm this address first, then make it the one you sign in with.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.SIGNUP_OPEN)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        with _or_logged():
            super().send_mail(template_prefix, email, context | {"phrase": mail.phrase_at(email)})

    def render_mail(self, template_prefix: str, email: Any, context: Any, headers: Any = None) -> Any:
        """A mail of two parts that say the same."""
        made = super().render_mail(template_prefix, email, context, headers)
        if not made.alternatives:
            made.attach_alternative(mail.html_of(made.subject, made.body), "text/html")
        return made

    def send_notification_mail(self, template_prefix: str, user: Any, *args: Any, **kwargs: Any) -> None:
        """What changes how somebody signs in is told by letter, which is sent until it is taken; the rest at once."""
        if template_prefix in FACTORS:
            services.factor_changed(user.pk, *FACTORS[template_prefix], utc_now())
        else:
            super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        user = super().save_user(request, user, form, commit)
        if commit:
            name = user.email.partition("@")[0]
            services.open_vault(user.pk, name, f"{name}'s household")
        return user


def send_invitation(invitation: Invitation, token: str) -> None:
    """Mail the link to whom it is for: text and HTML, no word of what the vault holds."""
    context = {"invitation": replace(invitation, invited_by=inert(invitation.invited_by)), "token": token}
    AccountAdapter().send_mail("account/email/invitation", invitation.email, context)


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Passkeys and codes, for a confirmed address or not (MFA_ALLOW_UNVERIFIED_EMAIL).

    allauth asks for a confirmed address first, so that nobody can sign up with another's and lock its owner out of it.
    Here a second step is worth more than that: an instance may have no mail server, and then no address could ever be
    confirmed and no vault guarded by more than a password. What the owner of the address loses is the address on this
    instance, never a vault of theirs, and its operator can give it back.
    """

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": "Turn on a passkey or one-time codes first.",
        "incorrect_code": "This code doesn’t fit. Codes change every half minute, so take the newest.",
    }

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        """What a new passkey is called until its holder gives it a name."""
        given: str = super().generate_authenticator_name(user, type)
        return {"Master key": "First passkey", "Backup key": "Second passkey"}.get(given, "Another passkey")
