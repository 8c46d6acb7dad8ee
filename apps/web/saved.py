"""`verify.html`: the page that checks a file in the browser, as one file that works from a disk.

Everything stands in it, and its policy lets nothing else in and nothing out: it names its one script and its one style
by their hashes, and forbids every connection.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.template.loader import render_to_string

STATIC = Path(__file__).parent / "static" / "web"
LIBRARIES = ("vendor/fast-sha256-1.3.0.min.js", "vendor/nacl-fast-1.0.3.min.js")
VERIFIER = "strict json note tree report pinned receipt certificate fork chain bundle verifying page"
SCRIPTS = (*LIBRARIES, *(f"verify/{name}.js" for name in VERIFIER.split()))  # in this order, on both pages
STYLES = ("base.css", "pages.css", "verify.css", "print.css")


def saved_page(vkeys: tuple[str, ...], host: str) -> tuple[str, str]:
    """The file's text and the Content-Security-Policy that stands in it. `vkeys` are filled in; `host` gave it out."""
    script, style = _inlined()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "connect-src 'none'; form-action 'none'; base-uri 'none'"
    )
    context = {"script": script, "style": style, "policy": policy, "vkeys": vkeys, "saved_from": host}
    return render_to_string("web/verify/saved.html", context), policy


@cache
def _inlined() -> tuple[str, str]:
    """The script and the style, in one piece each. Fonts stay behind: each has a fallback on every system."""
    script = "\n".join((STATIC / name).read_text() for name in SCRIPTS)
    style = "\n".join(_style(name) for name in STYLES)
    assert "</" not in style and "</script" not in script
    return script, style


def _style(name: str) -> str:
    text = (STATIC / name).read_text()
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("@font-face"))
    return f"@media print {{\n{kept}\n}}" if name == "print.css" else kept


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
