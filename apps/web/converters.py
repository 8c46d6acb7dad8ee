"""Typed ids in URLs: what isn't one leads nowhere, like any other unknown address."""

import re
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


class _Askew:
    """What is nearly the address of a share's link, `s/<token>`: in capitals, with a slash too many, with another sign
    in its place, or encoded once too often. As a list of what stands after the `s`.
    """

    between = r"(?:[/;\\]|%(?:25)*(?:2[fF]|3[bB]|5[cC]))"
    regex = rf"{between}*[sS]{between}.*"

    def to_python(self, value: str) -> list[str]:
        return [each for each in re.split(self.between, value) if each][1:]

    def to_url(self, value: list[str]) -> str:
        return "/".join(["s", *value, ""])


def register() -> None:
    """Make `<mem:…>`, `<trn:…>`, …, `<rcp:…>` and `<askew:…>` known to `path`."""
    for prefix in PREFIXES:
        register_converter(type(f"Typed{prefix.title()}", (_Typed,), {"prefix": prefix}), prefix)
    register_converter(_ReceiptNumber, "rcp")
    register_converter(_Askew, "askew")
