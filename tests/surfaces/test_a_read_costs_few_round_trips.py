"""What a read costs on the wire to PostgreSQL, counted where libpq speaks: pinned, so that it does not creep up."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connections

from tests.fixtures import Household

# the key and its client; the facts; the stamp; the release (where a key leads is remembered)
READ = 4
ALIASES = ("default", "gate")


@contextmanager
def counted(folder: Path) -> Iterator[list[int]]:
    """Let libpq write down every message of both aliases; the list holds the number of round trips once left."""
    found: list[int] = []
    traces = [folder / alias for alias in ALIASES]
    descriptors = []
    for alias, trace in zip(ALIASES, traces, strict=True):
        connections[alias].ensure_connection()
        descriptors.append(os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
        connections[alias].connection.pgconn.trace(descriptors[-1])
    yield found
    for alias, descriptor in zip(ALIASES, descriptors, strict=True):
        connections[alias].connection.pgconn.untrace()  # flushes
        os.close(descriptor)
    found.append(sum(turns(trace) for trace in traces))


def turns(trace: Path) -> int:
    """How often the server answered after the client had spoken (F: from the frontend, B: from the backend)."""
    sides = [line.split("\t")[1] for line in trace.read_text(errors="replace").splitlines() if line.count("\t") > 1]
    return sum(1 for before, after in itertools.pairwise(sides) if (before, after) == ("F", "B"))


@pytest.mark.parametrize("count", [1, 3])
def test_a_read_is_four_round_trips(home: Household, tmp_path: Path, count: int) -> None:
    client, holder = home.as_client(), home.as_holder()
    mine = [home.kitchen, home.time, home.budget][:count]
    wish = client.ask(mine)
    holder.decide(wish.request, {"ordinary": mine}, reads=None)
    client.read(mine)  # the key's "last used" is written once a minute: by this one
    with counted(tmp_path) as trips:
        assert len(client.read(mine).handed) == count
    assert trips == [READ]


def test_a_refused_read_costs_no_release(home: Household, tmp_path: Path) -> None:
    client = home.as_client()
    client.read([home.kitchen])
    with counted(tmp_path) as trips:
        assert client.read([home.kitchen]).withheld == {home.kitchen: "grant-required"}
    assert trips == [READ - 1]


def test_two_grants_are_two_stamps(home: Household, tmp_path: Path) -> None:
    client, holder = home.as_client(), home.as_holder()
    for memory in (home.kitchen, home.time):
        holder.decide(client.ask([memory]).request, {"ordinary": [memory]}, reads=None)
    client.read([home.kitchen])
    with counted(tmp_path) as trips:
        assert len(client.read([home.kitchen, home.time]).handed) == 2
    assert trips == [READ + 2]
