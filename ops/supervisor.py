"""One process that keeps the others alive: it starts them, restarts what dies, and stops all in order.

Single-threaded on purpose: the signal that tells a child of its parent's death follows the thread that
started the child. It sleeps in ``select`` until a signal or a deadline wakes it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

from ops.accounts import Account
from ops.process import spawn
from ops.trouble import Trouble

HEALTHY_AFTER = 20.0  # seconds alive after which a part's earlier deaths are forgotten
LONGEST_PAUSE = 15.0
KEPT_LOGS = 3


class Interrupted(Exception):
    """Somebody asked for the end (Ctrl-C or SIGTERM) while a step was running."""


@dataclass
class Part:
    """A process that is to be there all the time."""

    name: str
    argv: Sequence[str | Path]
    env: Mapping[str, str]
    account: Account
    ready: Callable[[int], bool]
    cwd: Path = Path("/")
    before: Callable[[], None] = lambda: None
    stop_signal: int = signal.SIGTERM
    hard_stop: int = signal.SIGKILL
    patience: float = 10.0
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    due: float | None = None


@dataclass
class Step:
    """A process that runs once and must answer, e.g. a migration."""

    name: str
    argv: Sequence[str | Path]
    env: Mapping[str, str]
    account: Account
    cwd: Path = Path("/")
    answers: Sequence[int] = (0,)  # the exit statuses that are an answer, not a failure
    process: subprocess.Popen[bytes] | None = None
    output: Path | None = None


@dataclass
class Supervisor:
    """Parts are started in the order they are given and stopped in the reverse of it."""

    log: Path
    say: Callable[[str], None]
    changed: Callable[[], None] = lambda: None
    parts: list[Part] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    asked: int = 0

    def __post_init__(self) -> None:
        self._wake, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1

    # ------------------------------------------------------------------ parts
    def start(self, part: Part) -> None:
        """Start a part for the first time, with a fresh log."""
        _rotate(self.log / f"{part.name}.log")
        self.parts.append(part)
        self._launch(part)

    def _launch(self, part: Part) -> None:
        part.before()
        with self._open(part.name) as output:
            part.process = spawn(
                part.argv,
                env=part.env,
                account=part.account,
                cwd=part.cwd,
                output=output,
                death_signal=part.stop_signal,
            )
        part.started, part.due = time.monotonic(), None
        self.changed()

    def _open(self, name: str) -> IO[bytes]:
        return (self.log / f"{name}.log").open("ab")

    def await_ready(self, *parts: Part, seconds: float = 60) -> None:
        """Wait until each part is ready. Trouble when one dies on the way or takes too long."""
        until = time.monotonic() + seconds
        waiting = list(parts)
        while waiting:
            for part in waiting:
                if part.process is not None and part.process.poll() is not None:
                    raise Trouble(f"{part.name} did not start: {self._last_words(part.name)}")
            waiting = [part for part in waiting if not (part.process and part.ready(part.process.pid))]
            if waiting and time.monotonic() > until:
                names = ", ".join(part.name for part in waiting)
                raise Trouble(f"{names} took longer than {seconds:.0f} s to start: see the logs in {self.log}.")
            if waiting:
                self._turn(0.02, excluding=waiting)

    def _last_words(self, name: str) -> str:
        path = self.log / f"{name}.log"
        lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
        if any("No space left on device" in line for line in lines[-20:]):
            return "the disk is full: free some space and start again"
        last = lines[-1].strip().removeprefix("muniment: ") if lines else "it said nothing"
        return f"{last} (see {path})"

    # ------------------------------------------------------------------ steps
    def begin(self, step: Step) -> Step:
        """Start a step without waiting for it; its output goes to a log of its own."""
        step.output = self.log / f"{step.name}.log"
        _rotate(step.output)
        with self._open(step.name) as output:
            step.process = spawn(step.argv, env=step.env, account=step.account, cwd=step.cwd, output=output)
        self.steps.append(step)
        return step

    def finish(self, *steps: Step, seconds: float = 900) -> None:
        """Wait for the end of each step, keeping the parts alive meanwhile. Trouble when one fails."""
        until = time.monotonic() + seconds
        for step in steps:
            assert step.process is not None
            while step.process.poll() is None:
                if time.monotonic() > until:
                    raise Trouble(f"{step.name} took longer than {seconds:.0f} s: see {step.output}.")
                self._turn(0.2)
            self.steps.remove(step)
            if step.process.returncode not in step.answers:
                raise Trouble(f"{step.name} failed: {self._last_words(step.name)}")

    # ------------------------------------------------------------------ the loop
    def serve(self, *, idle: Callable[[], bool] = lambda: False, every: float = 5.0) -> None:
        """Keep the parts alive until asked to stop, or until ``idle`` says so (asked ``every`` seconds)."""
        while not self.asked:
            self._turn(every)
            if idle():
                return

    def _turn(self, seconds: float, excluding: Sequence[Part] = ()) -> None:
        """Sleep until something happens or the time is over; then see to the dead."""
        if self.asked:
            raise Interrupted
        now = time.monotonic()
        deadlines = [part.due - now for part in self.parts if part.due is not None]
        pause = max(0.0, min([seconds, *deadlines]))
        if select.select([self._wake], [], [], pause)[0]:
            os.read(self._wake, 4096)
        for part in self.parts:
            if not any(part is other for other in excluding):
                self._look_after(part)

    def _look_after(self, part: Part) -> None:
        now = time.monotonic()
        if part.process is not None and part.process.poll() is not None:
            code = part.process.returncode
            part.process = None
            part.deaths = 1 if now - part.started > HEALTHY_AFTER else part.deaths + 1
            pause = min(LONGEST_PAUSE, 0.1 * 2 ** (part.deaths - 1))
            part.due = now + pause
            how = f"killed by signal {-code}" if code < 0 else f"exit {code}"
            self.say(f"{part.name} stopped ({how}); it starts again in {pause:.1f} s ({self.log}/{part.name}.log)")
            self.changed()
        if part.process is None and part.due is not None and now >= part.due and not self.asked:
            try:
                self._launch(part)
            except OSError as error:  # a full disk or process table: try again later
                part.deaths += 1
                part.due = now + LONGEST_PAUSE
                self.say(f"{part.name} cannot be started ({error.strerror}); trying again in {LONGEST_PAUSE:.0f} s")

    # ------------------------------------------------------------------ the end
    def stop(self) -> None:
        """Stop everything, last started first. Being asked a second time cuts the waiting short."""
        before = self.asked
        for step in self.steps:
            _signal(step.process, signal.SIGTERM)
        for step in self.steps:
            self._await_end(step.process, 10, before)
            _signal(step.process, signal.SIGKILL)
        groups: list[list[Part]] = [
            [part for part in self.parts if part.name not in ("postgres", "valkey")],
            [part for part in self.parts if part.name in ("postgres", "valkey")],
        ]
        for group in groups:
            for part in reversed(group):
                part.due = None
                _signal(part.process, part.stop_signal)
            for part in group:
                if not self._await_end(part.process, part.patience, before):
                    _signal(part.process, part.hard_stop)
                    if not self._await_end(part.process, 5, before):
                        _signal(part.process, signal.SIGKILL)
                        self._await_end(part.process, 5, before)
        self.changed()

    def _await_end(self, process: subprocess.Popen[bytes] | None, seconds: float, before: int) -> bool:
        until = time.monotonic() + seconds
        while process is not None and process.poll() is None:
            left = until - time.monotonic()
            if left <= 0 or (self.asked > before + 1 and left < seconds - 1):
                return False
            if select.select([self._wake], [], [], min(left, 0.5))[0]:
                os.read(self._wake, 4096)
        return True


def _signal(process: subprocess.Popen[bytes] | None, number: int) -> None:
    if process is not None and process.poll() is None:
        process.send_signal(number)


def _rotate(path: Path) -> None:
    """Keep the logs of the last starts as name.log.1 … name.log.3."""
    if not path.exists() or path.stat().st_size == 0:
        return
    for number in range(KEPT_LOGS - 1, 0, -1):
        older = path.with_name(f"{path.name}.{number}")
        if older.exists():
            older.replace(path.with_name(f"{path.name}.{number + 1}"))
    path.replace(path.with_name(f"{path.name}.1"))
