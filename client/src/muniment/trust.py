"""What the caller knew before the files came: keys of the log, whose cosignatures they ask for, which vault it is."""

import argparse

from .files import Trouble, small
from .format.keys import VerifierKey
from .format.members import A_VAULT_ID
from .format.policy import Policy
from .format.strict import Malformed
from .format.verdict import Trust


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every command that checks understands."""
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="VKEY|@FILE",
        help="a key of the log that you already had, or @ and a file of such keys; may be repeated",
    )
    parser.add_argument("--policy", metavar="FILE", help="whose cosignatures you ask for, and how many: a tlog-policy")
    parser.add_argument("--vault", metavar="VLT", help="the vault that the files should be of: vlt_ and 32 hex digits")


def trust_of(options: argparse.Namespace) -> Trust:
    """Read what was given. Raises Trouble."""
    return Trust(
        keys=tuple(key for given in options.key for key in _keys(given)),
        policy=None if options.policy is None else _policy(options.policy),
        vault=None if options.vault is None else _vault(options.vault),
    )


def _keys(given: str) -> tuple[VerifierKey, ...]:
    """A key `<name>+<id>+<base64>`, or `@` and the file that holds such keys, a line each."""
    try:
        text = small(given[1:]).decode() if given.startswith("@") else given
        found = tuple(VerifierKey.parse(line.strip()) for line in text.splitlines() if line.strip())
    except (Malformed, UnicodeDecodeError) as problem:
        raise Trouble(f"--key {given}: {problem}; give <name>+<id>+<base64>, or @ and its file.") from None
    if not found:
        raise Trouble(f"--key {given}: there is no key in it.")
    return found


def _policy(name: str) -> Policy:
    try:
        return Policy.parse(small(name))
    except Malformed as problem:
        raise Trouble(f"--policy {name}: {problem}.") from None


def _vault(given: str) -> str:
    if not A_VAULT_ID.fullmatch(given):
        raise Trouble(f"--vault {given}: a vault is vlt_ and 32 hex digits, as in its receipts.")
    return given
