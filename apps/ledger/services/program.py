"""The offline verifier as one file: a zipapp of `client/src/muniment`, for whoever has Python and nothing else.

The same sources give the same bytes on every machine: names in order, one time for all, nothing compressed. So its
digest can be told to somebody, who can make the file again from the sources. This file is also a script, needs only
Python, and is what `make verifier` runs.
"""

import hashlib
import io
import os
import sys
import zipfile
from functools import cache
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[3]
_PACKAGE = _CHECKOUT / "client" / "src" / "muniment"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment a zip file can name
_START = b'import sys\n\nfrom muniment.__main__ import run\n\nif __name__ == "__main__":\n    sys.exit(run())\n'


@cache
def program() -> bytes:
    """The zipapp's bytes: `python3 muniment.pyz verify FILE`. Raises FileNotFoundError where `client/` is missing."""
    members = {"LICENSE": (_CHECKOUT / "LICENSE").read_bytes(), "__main__.py": _START}
    for folder, _, names in os.walk(_PACKAGE, followlinks=True, onerror=_raise):
        paths = [Path(folder, name) for name in names if name.endswith(".py")]
        members |= {f"muniment/{path.relative_to(_PACKAGE).as_posix()}": path.read_bytes() for path in paths}
    made = io.BytesIO()
    made.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(made, "w") as archive:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, members[name])
    return made.getvalue()


def _raise(error: OSError) -> None:
    raise error


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(program())
    sys.stdout.write(f"{hashlib.sha256(program()).hexdigest()}  {sys.argv[1]}\n")
