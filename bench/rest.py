"""What a read over REST costs beside a bare view that also authenticates, commits a row and selects one."""

import hashlib
import os
import secrets
import statistics
import time
from urllib.parse import urlsplit

import httpx2
import psycopg

from bench.instance import Holder, Instance, instance
from bench.registry import bench

ROUNDS, REQUESTS = 5, 120
BARE_SCHEMA = """
CREATE TABLE bench_key (hash bytea PRIMARY KEY);
CREATE TABLE bench_audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz DEFAULT now(),
                          memory text, reader text);
CREATE TABLE bench_value (memory text PRIMARY KEY, value text);
GRANT SELECT, INSERT ON bench_key, bench_audit, bench_value TO muniment_app;
"""


@bench("rest_read_vs_bare", "times", better="lower", must=3.0, goal=1.8)
def read_vs_bare() -> list[float]:
    """Five ratios of medians: a read of one value ÷ the bare view, the two taking turns request by request."""
    with instance("rest", settings="bench.settings") as running:
        key, memory = prepared(running)
        with httpx2.Client(base_url=running.url, headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:
            body = {"memories": [memory], "purpose": "answer"}
            _round(http, body, 40)
            return [_ratio(*_round(http, body, REQUESTS)) for _ in range(ROUNDS)]


def prepared(running: Instance, holder: Holder | None = None) -> tuple[str, str]:
    """An API key and the id of a memory that it may read without end: of this holder, or of a new one."""
    holder = holder or Holder(running.url, f"{secrets.token_hex(6)}@measure.example")
    memory = holder.call("POST", "/memories", label="Note", value="x" * 224)["id"]
    key = holder.call("POST", "/clients", name="Measuring assistant")["api_key"]
    with httpx2.Client(base_url=f"{running.url}/api/v1", headers={"Authorization": f"Bearer {key}"}) as http:
        wish = http.post(
            "/access-requests",
            headers={"Idempotency-Key": "one"},
            json={"purpose": "answer", "items": [{"memory": memory}]},
        ).json()
    parts = [{"part": "ordinary", "memories": [memory], "reads": None}]
    holder.call("POST", f"/access-requests/{wish['id']}/decision", parts=parts)
    admin = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{running.database}").geturl()
    with psycopg.connect(admin, autocommit=True) as database:
        database.execute(BARE_SCHEMA)
        database.execute("INSERT INTO bench_key VALUES (%s)", [hashlib.sha256(key.encode()).digest()])
        database.execute("INSERT INTO bench_value VALUES (%s, %s)", [memory, "x" * 224])
    return key, memory


def _round(http: httpx2.Client, body: dict[str, object], count: int) -> tuple[list[float], list[float]]:
    reads, bare = [], []
    for _ in range(count):
        began = time.perf_counter()
        answer = http.post("/api/v1/reads", json=body, headers={"Idempotency-Key": secrets.token_hex(8)})
        reads.append(time.perf_counter() - began)
        if answer.status_code != 200 or not answer.json()["handed_over"]:
            raise RuntimeError(f"a read did not hand over: {answer.text[:200]}")
        began = time.perf_counter()
        answer = http.post("/bare", json=body)
        bare.append(time.perf_counter() - began)
        answer.raise_for_status()
    return reads, bare


def _ratio(reads: list[float], bare: list[float]) -> float:
    return statistics.median(reads) / statistics.median(bare)
