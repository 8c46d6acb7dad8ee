from collections.abc import Iterator

import pytest

from ops.state import Lock, run_folder
from tests.faults.cluster import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster for one file of tests. Its WAL writer sleeps long, so that a commit nobody flushed really dies.

    There is one a checkout at a time: another process that runs these tests waits until it is gone.
    """
    lock = Lock(run_folder("faults").with_suffix(".lock"))
    try:
        lock.take(wait=True)
        made = Cluster()
        try:
            made.make(wal_writer_delay="10s")
            yield made
        finally:
            made.remove()
    finally:
        lock.release()
