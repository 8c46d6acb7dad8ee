"""Looking for values that should be gone, in every form at once, against grep looking for one as it is."""

import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from apps.erasure import residue
from bench.registry import Samples, Skipped, bench

FILES, FILE_BYTES, REPETITIONS = 4, 64 << 20, 7
VOCABULARY = 5_000


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """Words made of syllables, the commonest short, and how common each is: by Zipf's law, as in any language."""
    chosen = random.Random(1)
    syllables = [
        first + vowel + last for first in "bcdfghklmnprstvw" for vowel in "aeiou" for last in ("", "n", "r", "st")
    ]
    made = {"".join(chosen.choices(syllables, k=1 + number * 3 // VOCABULARY)) for number in range(2 * VOCABULARY)}
    words = sorted(made, key=lambda word: (len(word), word))[:VOCABULARY]
    return words, [1 / (rank + 3) for rank in range(VOCABULARY)]


def _sentence(chosen: random.Random, count: int) -> str:
    words, weights = _vocabulary()
    return " ".join(chosen.choices(words, weights, k=count))


@contextmanager
def _logs() -> Iterator[list[Path]]:
    """Files of log lines in which none of the values is; read once, so that they are in memory."""
    chosen = random.Random(11)
    lines = [
        f'{{"time": "2026-01-{n % 28 + 1:02d}T10:{n % 60:02d}:00Z", "request": "{chosen.getrandbits(64):x}",'
        f' "event": "{_sentence(chosen, 3)}", "text": "{_sentence(chosen, chosen.randint(5, 30))}"}}\n'
        for n in range(20_000)
    ]
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name, f"app{number}.log") for number in range(FILES)]
        for path in paths:
            with path.open("w") as out:
                while out.tell() < FILE_BYTES:
                    out.write("".join(chosen.choices(lines, k=10_000)))
            path.read_bytes()
        yield paths


def _values(count: int, chosen: random.Random) -> list[str]:
    """Values of the same words as the logs, which hold no such sentence."""
    return [f"{_sentence(chosen, 4)} {chosen.randint(1, 999)}" for _ in range(count)]


def _seconds_of_residue(paths: Sequence[Path], values: Sequence[str]) -> float:
    """All of a search, from the values to the report: processor time, so that a neighbour's work does not count."""
    started = time.process_time()
    report = residue.search(paths, values)
    ended = time.process_time()
    assert (report.exit_code, report.coverage.engine) == (0, "hyperscan"), report.verdict
    assert report.bytes_read >= FILES * FILE_BYTES
    return ended - started


@bench("residue_1_vs_grep", "ratio", "higher", must=0.4, goal=0.8)
def residue_1_vs_grep() -> Samples:
    """Bytes a second of a search for one value in all its forms ÷ those of `grep -cF` for it as it is, LC_ALL=C."""
    grep = shutil.which("grep")
    if grep is None:
        raise Skipped("there is no grep here")
    chosen, ratios, speeds = random.Random(3), [], []
    with _logs() as paths:
        for _ in range(REPETITIONS):
            (value,) = _values(1, chosen)
            command = [grep, "-cF", value, *map(str, paths)]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            grepped = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            assert done.returncode == 1 and done.stdout.count(":0") == FILES
            searched = _seconds_of_residue(paths, [value])
            ratios.append(grepped / searched)
            speeds.append(FILES * FILE_BYTES / searched / 1e6)
    return Samples(ratios, f"256 MiB of logs in memory; {max(speeds):.0f} MB/s at best; values of five words")


@bench("residue_100_vs_1", "ratio", "higher", must=0.3, goal=0.6)
def residue_100_vs_1() -> Samples:
    """Bytes a second of a search for 100 values at once ÷ those of a search for one."""
    chosen, ratios = random.Random(5), []
    with _logs() as paths:
        for _ in range(REPETITIONS):
            values = _values(100, chosen)
            one = _seconds_of_residue(paths, values[:1])
            ratios.append(one / _seconds_of_residue(paths, values))
    return Samples(ratios, "256 MiB of logs in memory; with the time it takes to prepare for the values")
