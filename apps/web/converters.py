"""Typed ids in URLs: what isn't one leads nowhere, like any other unknown address."""

from uuid import UUID

from django.urls import register_converter

from apps.policy.ids import typed, untyped

PREFIXES = "mem cli req gra trn prp key spc inv del usr bat ent edg mrg ord shr lnk".split()


class _Typed:
    regex = "[a-z]{3}_[0-9a-f]{32}"
    prefix = ""

    def to_python(self, value: str) -> UUID:
        found = untyped(self.prefix, value)
        if found is None:
            raise ValueError(value)
        return found

    def to_url(self, value: UUID) -> str:
        return typed(self.prefix, value)


class _ReceiptNumber:
    """A receipt's number in its vault, as `rcp_412`."""

    regex = "rcp_[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value[4:])

    def to_url(self, value: int) -> str:
        return f"rcp_{value}"


def register() -> None:
    """Make `<mem:…>`, `<trn:…>`, … and `<rcp:…>` known to `path`."""
    for prefix in PREFIXES:
        register_converter(type(f"Typed{prefix.title()}", (_Typed,), {"prefix": prefix}), prefix)
    register_converter(_ReceiptNumber, "rcp")
