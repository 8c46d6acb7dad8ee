"""Residue: whether the bytes of values are still anywhere in folders and files, after they were erased.

Standard library alone, and the library of the extra `fast` where it is; so it runs here and in the client's package as
`muniment residue`. It writes nothing, sends nothing, and says no value: see report.py.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from .forms import FORMS
from .limits import Limits
from .matcher import Matcher
from .report import Coverage, Finding, Report, Unopened, fingerprints
from .searching import Search
from .walking import walk

__all__ = ["Coverage", "Finding", "Limits", "Report", "Unopened", "search"]


def search(
    roots: Iterable[Path | str], values: Sequence[bytes | str], *, limits: Limits | None = None, library: bool = True
) -> Report:
    """Look for each value, in every form, in every file at and below the roots.

    A value is text, or bytes, which are taken for text where they are UTF-8. The report names values by their index
    here. `library` false searches with Python alone. Nothing that cannot be read raises: it is told in the report.
    """
    places = tuple(Path(root) for root in roots)
    matcher = Matcher(values, library=library)
    coverage = Coverage(values=len(values), engine=matcher.engine, forms=FORMS)
    data = [value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass") for value in values]
    report = Report(coverage, fingerprints(data), unsearched=matcher.short)
    search = Search(matcher, report, limits or Limits())
    coverage.roots = tuple(search.shown(str(place)) for place in places)
    walk(search, places)
    return report
