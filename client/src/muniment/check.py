"""`muniment check`: where files say what was corrected in a vault, and what is so instead. It asks the vault over HTTP.

The files' text goes to that vault and nowhere else. It tells only of what a live grant of the key's client covers; each
answer with a find spends one read of that grant and leaves a receipt. Where nothing is covered, or is no more, nothing
was checked, and that is no pass.
"""

import argparse
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from . import __version__
from .files import STDIN, Trouble, check_names, small
from .output import complain, plain, show, show_json
from .texts import Unread, text_of

DESCRIPTION = "Ask a vault where files say what was corrected in it, and what is so instead."
EXIT_CODES = (
    "exit codes: 0 nothing found, and all was checked; 1 something found; 2 nothing found, and not all could be "
    "checked, or a wrong command. What was not checked is said on standard error: what is no text, is longer than "
    "16 MiB, or cannot be read; or all of it, where nothing is covered by what the key was granted. "
    "Read are UTF-8, UTF-16 and UTF-32 with a byte order mark, and Windows-1252."
)
CHECK_JSON = "muniment-check/1"
MOST_CHARACTERS = 200_000  # of one request; the vault takes somewhat more
MOST_TEXTS = 200
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file that goes to the vault as one text, and where in the file it begins: from 0."""

    file: str
    text: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a file. `instead` is the value that is so now, or None where what it says was ended."""

    file: str
    line: int
    column: int
    words: str
    subject: str
    label: str
    instead: str | None
    receipt: str | None

    def __str__(self) -> str:
        so = f"now: {self.instead} ({self.receipt})" if self.instead is not None else "ended, nothing took its place"
        return f"{self.file}:{self.line}:{self.column}: '{self.words}' was corrected in {self.subject}; {so}"

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Missed:
    """A file that was not checked, and why; without a name, what kept the rest from being checked."""

    file: str
    why: str

    def __str__(self) -> str:
        return f"{self.file} {self.why}, and was not checked." if self.file else f"Not all was checked. {self.why}"

    def to_json(self) -> dict[str, str]:
        return {"file": self.file, "why": self.why}


def main(words: Sequence[str]) -> int:
    """Run `muniment check` and return its exit code. Raises Trouble."""
    options = _parser().parse_args(words)
    if not options.url or not options.key_file:
        raise Trouble("Give --url, the vault's address, and --key-file, a file with a client's key.")
    vault = _Vault(options.url, _key(options.key_file), options.purpose, plain_http=options.plain_http)
    check_names(options.files)
    found, missed = _checked(vault, options.files)
    for each in missed:
        complain(str(each))
    code = 1 if found else 2 if missed else 0
    if options.json:
        told = {"finds": [each.to_json() for each in found], "not_checked": [each.to_json() for each in missed]}
        show_json({"format": CHECK_JSON, **told, "exit_code": code})
    else:
        show(str(each) for each in found)
    return code


def _checked(vault: "_Vault", names: Sequence[str]) -> tuple[list[Found], list[Missed]]:
    """What is found in these files, and which of them were not checked. Raises Trouble where nothing was found before
    the vault cannot be asked any more.
    """
    found: list[Found] = []
    missed: list[Missed] = []
    try:
        for batch in _batches(_pieces(names, missed)):
            told, covered = vault.check(batch)
            found += told
            if not covered:
                missed.append(Missed("", f"Nothing is covered by what this key was granted (for {vault.purpose})."))
                break
    except Trouble as trouble:
        if not found:
            raise
        missed.append(Missed("", str(trouble)))
    return found, missed


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="muniment check", description=DESCRIPTION, epilog=EXIT_CODES, allow_abbrev=False
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="what to check; - is standard input")
    parser.add_argument(
        "--url", default=os.environ.get("MUNIMENT_URL"), help="the vault's address; else MUNIMENT_URL says it"
    )
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        default=os.environ.get("MUNIMENT_KEY_FILE"),
        help="a file that holds a client's key, mnk_..., and nothing else; else MUNIMENT_KEY_FILE names it",
    )
    parser.add_argument("--purpose", default="answer", help="for which the grants were given (answer)")
    parser.add_argument("--json", action="store_true", help="the finds as one JSON document")
    parser.add_argument(
        "--plain-http", action="store_true", help="allow http to another machine: key and files travel unencrypted"
    )
    return parser


def _key(name: str) -> str:
    key = small(str(Path(name).expanduser())).decode("ascii", "replace").strip()
    if not key.startswith("mnk_") or not key.isprintable() or " " in key:
        raise Trouble(f"{name} holds no client's key: one line that begins with mnk_.")
    return key


# ---------------------------------------------------------------- the files
def _pieces(names: Sequence[str], missed: list[Missed]) -> Iterator[Piece]:
    """The files' text in pieces that the vault takes. What cannot be read is left out, and added to `missed`."""
    for name in names:
        shown = "<stdin>" if name == STDIN else name
        try:
            yield from _cut(shown, text_of(name))
        except Unread as why:
            missed.append(Missed(shown, str(why)))


def _cut(name: str, text: str) -> Iterator[Piece]:
    """Where paragraphs or lines end, where a file is longer than one request; a longer line between its words."""
    line = column = start = 0
    while start < len(text):
        end = min(start + MOST_CHARACTERS, len(text))
        if end < len(text):
            cuts = (text.rfind(mark, start, end) + len(mark) for mark in ("\n\n", "\n", " ") if mark in text[start:end])
            end = next(cuts, end)
        part = text[start:end]
        yield Piece(name, part, line, column)
        ends = _line_ends(part)
        line, column = line + ends, 0 if part.endswith(("\n", "\r")) else len(part) + (0 if ends else column)
        start = end


def _line_ends(text: str) -> int:
    """How many lines end in it, at LF, CR or both, as the vault counts them."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _batches(pieces: Iterator[Piece]) -> Iterator[list[Piece]]:
    batch: list[Piece] = []
    size = 0
    for each in pieces:
        if batch and (len(batch) == MOST_TEXTS or size + len(each.text) > MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += len(each.text)
    if batch:
        yield batch


# ---------------------------------------------------------------- the vault
class _Stay(HTTPRedirectHandler):
    """A key goes to the address that was given, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Vault:
    def __init__(self, url: str, key: str, purpose: str, *, plain_http: bool) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise Trouble("The --url is no address of a vault: write https:// and a host.")
        if parts.scheme == "http" and not plain_http and not _here(parts.hostname):
            raise Trouble("The --url is unencrypted: write https, or add --plain-http if the way there is yours.")
        self.address = f"{url.rstrip('/')}/api/v1/check"
        self.key, self.purpose = key, purpose

    def check(self, pieces: Sequence[Piece]) -> tuple[list[Found], int]:
        """What the vault finds in these, and of how many memories it looked for it. Raises Trouble."""
        told = self._ask({"texts": [each.text for each in pieces], "purpose": self.purpose})
        try:
            values = {each["memory"]: each for each in told["values"]}
            found = [_found(pieces[each["text"]], each, values.get(each["instead"], {})) for each in told["finds"]]
            return found, int(told["covered"])
        except (KeyError, TypeError, IndexError, ValueError):
            raise Trouble("The answer is not as a vault gives it: is the --url that of a Muniment?") from None

    def _ask(self, body: dict[str, Any]) -> Any:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Idempotency-Key": secrets.token_hex(16),
            "User-Agent": f"muniment/{__version__}",
        }
        request = Request(self.address, json.dumps(body).encode(), headers)  # noqa: S310  (http or https: see above)
        try:
            with build_opener(_Stay).open(request, timeout=SECONDS) as response:
                return json.load(response)
        except HTTPError as no:
            raise Trouble(_why(no)) from None
        except (URLError, OSError) as error:
            raise Trouble(f"The vault cannot be reached: {getattr(error, 'reason', error)}.") from None
        except ValueError:
            raise Trouble("The answer is no JSON: is the --url that of a Muniment?") from None


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _why(no: HTTPError) -> str:
    """The vault's own words for a no."""
    try:
        told = json.load(no)
        details = [str(each["detail"]) for each in told["errors"]] or [str(told["detail"])]
        title = plain(told["title"])
        return f"The vault said no: {title}{'' if title.endswith(('.', '!', '?')) else '.'} {plain(' '.join(details))}"
    except (ValueError, KeyError, TypeError):
        return f"The vault said no: HTTP {no.code}. Is the --url that of a Muniment?"


def _found(piece: Piece, find: dict[str, Any], value: dict[str, Any]) -> Found:
    line = int(find["line"])
    return Found(
        piece.file,
        piece.line + line,
        int(find["column"]) + (piece.column if line == 1 else 0),
        str(find["words"]),
        str(find["subject"]),
        str(find["label"]),
        value.get("value"),
        value.get("receipt"),
    )
