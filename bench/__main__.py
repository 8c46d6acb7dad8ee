"""`python -m bench [NAME…]`: run the benches, print them, write results.json; exit 1 where a `must` was missed."""

import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

import django

import bench as package
from bench.registry import BENCHES, Bench, Result, Samples, Skipped

RESULTS = Path(__file__).with_name("results.json")


def main(names: list[str]) -> int:
    """Run what is named (everything, when nothing is) and say what it gave."""
    _set_up()
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"bench.{module.name}")
    chosen = [each for each in BENCHES.values() if not names or each.name.startswith(tuple(names))]
    if not chosen:
        print(f"There is no bench of that name; there are {', '.join(BENCHES)}.", file=sys.stderr)
        return 1
    results = [result for each in chosen if (result := _run(each)) is not None]
    _write(results)
    missed = [result.bench.name for result in results if result.verdict == "missed"]
    if missed:
        print(f"Missed what they must reach: {', '.join(missed)}.", file=sys.stderr)
    return 1 if missed else 0


def _set_up() -> None:
    """Django on a new copy of the migrated template, as in the tests but with fsync."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
    django.setup()
    from tests import databases

    databases.fresh("muniment_bench")


def _run(chosen: Bench) -> Result | None:
    print(f"{chosen.name} …", flush=True)
    try:
        samples = chosen.run()
    except Skipped as reason:
        print(f"  skipped: {reason}", flush=True)
        return None
    result = Result(chosen, samples if isinstance(samples, Samples) else Samples(samples))
    low, high = min(result.samples.values), max(result.samples.values)
    sign = "≥" if chosen.better == "higher" else "≤"
    print(
        f"  {result.value:.4g} {chosen.unit}  [{low:.4g}, {high:.4g}]"
        f"  must {sign} {chosen.must:g}, goal {sign} {chosen.goal:g}: {result.verdict}",
        flush=True,
    )
    if result.samples.note:
        print(f"  {result.samples.note}", flush=True)
    return result


def _write(results: list[Result]) -> None:
    """Replace what was measured now; what was not stays as it was."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    known = {name: result for name, result in known.items() if name in BENCHES}
    known |= {result.bench.name: result.as_json() for result in results}
    RESULTS.write_text(json.dumps(dict(sorted(known.items())), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
