"""The address at which somebody does without a letter, with no sign-in and no cookie, as `List-Unsubscribe` has it.

Its token says whose letters and which, and is signed. Nothing is looked up to read it, so that it is as good when the
account is gone as before.
"""

from uuid import UUID

from django.core.signing import BadSignature, Signer

from apps.policy.wishes import Switch


def _signer() -> Signer:
    return Signer(salt="muniment-unsubscribe/1", sep=".")


def leaving_token(user_id: UUID, switch: Switch) -> str:
    """The token by which this person does without what this switches. It does not run out."""
    return _signer().sign(f"{user_id.hex}.{switch.value}")


def left_by(token: str) -> tuple[UUID, Switch] | None:
    """Who does without what; None for what is no token of ours."""
    try:
        user_id, _, switch = _signer().unsign(token).partition(".")
        return UUID(user_id), Switch(switch)
    except (BadSignature, ValueError):
        return None
