from collections.abc import Iterator

import pytest

from tests.faults.cluster import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster for one file of tests. Its WAL writer sleeps long, so that a commit nobody flushed really dies."""
    made = Cluster()
    try:
        made.make(wal_writer_delay="10s")
        yield made
    finally:
        made.remove()
