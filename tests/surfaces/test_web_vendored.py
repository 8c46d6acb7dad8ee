"""What we serve of others: exactly the files that were published, each with its licence beside it."""

import hashlib
from pathlib import Path

from django.contrib.staticfiles import finders

VENDORED = {
    # htmx.org 4.0.1: dist/htmx.min.js, dist/ext/hx-sse.min.js
    "vendor/htmx-4.0.1.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "vendor/hx-sse-4.0.1.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
    # tweetnacl 1.0.3: nacl-fast.min.js; fast-sha256 1.3.0: sha256.min.js
    "vendor/nacl-fast-1.0.3.min.js": "3ec535c004aeeb225785d8e93fb33bf99f52e399bd7dfc01969b5629baea5131",
    "vendor/fast-sha256-1.3.0.min.js": "ba93f4e2e21d8908a1306d49c0d90056f43d2b1f5eb45ec0a1d0371ea849a050",
    # @fontsource-variable/source-serif-4 5.3.1, @fontsource-variable/inter 5.3.0, @fontsource/ibm-plex-mono 5.3.0
    "fonts/source-serif-4-latin-wght-normal.woff2": "382475f38242c52d42a3e5ff8dc69b5d73f10d0d21e4550b5fe232984688779a",
    "fonts/inter-latin-wght-normal.woff2": "3100e775e8616cd2611beecfa23a4263d7037586789b43f035236a2e6fbd4c62",
    "fonts/ibm-plex-mono-latin-400-normal.woff2": "08949f728dc52d528e69b1667d15c89a5686a4ee9a296ff90983985f99c380f7",
    "fonts/ibm-plex-mono-latin-500-normal.woff2": "01d285447409c8a588692162439a038b8cbd7871309ee20267b0d2d91c6e8e22",
}
LICENCES = {
    *("HTMX-LICENSE.txt", "TWEETNACL-LICENSE.txt", "FAST-SHA256-LICENSE.txt"),
    *("SOURCE-SERIF-4-LICENSE.txt", "INTER-LICENSE.txt", "IBM-PLEX-MONO-LICENSE.txt"),
}


def test_vendored_files_are_the_published_ones() -> None:
    root = Path(str(finders.find("web/base.css"))).parent
    found = [path for folder in ("vendor", "fonts") for path in (root / folder).iterdir()]
    licences = {path.name for path in found if path.suffix == ".txt"}
    hashes = {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
        if path.suffix != ".txt"
    }
    assert hashes == VENDORED
    assert licences == LICENCES
