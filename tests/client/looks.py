"""How a value looks once programs have written it, and the files it ends up in: for the tests of `muniment residue`."""

import base64
import bz2
import gzip
import html
import io
import json
import lzma
import quopri
import tarfile
import unicodedata
import urllib.parse
import zipfile
import zlib
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path

VALUE = 'Zoë O\'Neill, "Haus" Straße 12/4 & <ñandú>'


def looks(value: str) -> dict[str, bytes]:
    """A value by the look of it."""
    data, escaped = value.encode(), json.dumps(value)
    return {
        "UTF-8": data,
        "NFC": unicodedata.normalize("NFC", value).encode(),
        "NFD": unicodedata.normalize("NFD", value).encode(),
        "capitals": value.upper().encode(),
        "small letters": value.lower().encode(),
        "mixed case": "".join(c.upper() if i % 2 else c.lower() for i, c in enumerate(value)).encode(),
        "UTF-16LE": value.encode("utf-16-le"),
        "UTF-16BE": value.encode("utf-16-be"),
        "UTF-16LE in capitals, decomposed": unicodedata.normalize("NFD", value.upper()).encode("utf-16-le"),
        "Windows-1252": value.encode("cp1252", "replace"),
        "JSON": escaped.encode(),
        "JSON with capital digits": escaped.replace("\\u00eb", "\\u00EB").replace("\\u00df", "\\u00DF").encode(),
        "JSON in JSON": json.dumps(escaped).encode(),
        "JSON without ASCII escapes": json.dumps(value, ensure_ascii=False).encode(),
        "JSON for a script": escaped.replace("<", "\\u003C").replace(">", "\\u003E").replace("&", "\\u0026").encode(),
        "JSON of PHP": escaped.replace("/", "\\/").encode(),
        "a URL's path": urllib.parse.quote(value).encode(),
        "a URL's path, all of it": urllib.parse.quote(value, safe="").encode(),
        "a form": urllib.parse.quote_plus(value).encode(),
        "a form, small digits": urllib.parse.quote_plus(value).lower().encode(),
        "HTML": html.escape(value).encode(),
        "HTML in ASCII": html.escape(value).encode("ascii", "xmlcharrefreplace"),
        "SQL": value.replace("'", "''").encode(),
        "a Python literal of bytes": repr(data).encode(),
        "hex": data.hex().encode(),
        "HEX": data.hex().upper().encode(),
        **{f"base64, {n} before": base64.b64encode(b"abc"[:n] + data + b"z") for n in range(3)},
        **{f"base64 for URLs, {n} before": base64.urlsafe_b64encode(b"abc"[:n] + data + b"z") for n in range(3)},
        "base64 of JSON": base64.b64encode(escaped.encode()),
        "base64 of capitals": base64.b64encode(value.upper().encode()),
    }


def _zip(data: bytes, method: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("first.txt", "nothing here")
        archive.writestr("notes/member.txt", data)
    return made.getvalue()


def _tar(data: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        entry = tarfile.TarInfo("notes/member.txt")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return made.getvalue()


def _mail(data: bytes, *, encoding: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["To"] = "Hello", "ann@example.org"
    message.set_content("See below.\n")
    message.add_attachment(gzip.compress(data) if encoding == "gzip" else data, maintype="text", subtype="x-notes")
    if encoding == "quoted-printable":
        head = b"Subject: Hello\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        return head + quopri.encodestring(b"Dear all, this is what it says, in a line that is long: " + data)
    return message.as_bytes()


def _log(data: bytes) -> bytes:
    line = b'{"time": "2026-01-01T10:00:00Z", "event": "request", "path": "/file", "status": 200}\n'
    return line * 400 + b'{"event": "' + data + b'"}\n' + line * 400


CONTAINERS: Mapping[str, Callable[[bytes], bytes]] = {
    "a log": _log,
    "nothing around it": lambda data: data,
    "gzip": lambda data: gzip.compress(_log(data)),
    "two gzip streams": lambda data: gzip.compress(b"one") + gzip.compress(data),
    "bzip2": lambda data: bz2.compress(_log(data)),
    "xz": lambda data: lzma.compress(_log(data)),
    "zip": lambda data: _zip(_log(data), zipfile.ZIP_DEFLATED),
    "zip, not packed": lambda data: _zip(data, zipfile.ZIP_STORED),
    "a program with a zip behind it": lambda data: b"#!/bin/sh\nexit\n" + _zip(data, zipfile.ZIP_DEFLATED),
    "tar": lambda data: _tar(_log(data)),
    "tar.gz": lambda data: gzip.compress(_tar(_log(data))),
    "zip in tar.gz in zip": lambda data: _zip(
        gzip.compress(_tar(_zip(data, zipfile.ZIP_DEFLATED))), zipfile.ZIP_STORED
    ),
    "a mail's attachment": lambda data: _mail(data, encoding="base64"),
    "a mail's packed attachment": lambda data: _mail(data, encoding="gzip"),
    "a mail's text": lambda data: _mail(data, encoding="quoted-printable"),
    "a git object": lambda data: zlib.compress(b"blob 9\0" + data),
}


def write(folder: Path, container: Callable[[bytes], bytes], value: str) -> dict[str, Path]:
    """A file for each look of a value, in a folder; by the look."""
    found = {}
    for number, (look, data) in enumerate(looks(value).items()):
        found[look] = folder / f"file{number}"
        found[look].write_bytes(container(data))
    return found
