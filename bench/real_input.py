"""Real input, checked from outside: hundreds of memories, fifty questions, three surfaces, one receipt a value.

Takes one conversation of the LoCoMo file (Maharana et al., ACL 2024; CC BY-NC 4.0: for measuring only, none of its text
is part of this project), enters one speaker's turns as memories over REST, asks the conversation's own questions as the
holder, and lets a registered client read the same memories over REST and over MCP. Exits 1 when anything does not hold.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

CANARY = "canary-b7f2 takes a tablet every morning"


def speaker_turns(conversation: dict[str, Any]) -> list[tuple[str, str]]:
    """(dialogue id, text) of the first speaker's turns, in order."""
    found = []
    for turns in conversation["conversation"].values():
        if isinstance(turns, list):
            found += [
                (t["dia_id"], t["text"]) for t in turns if t["speaker"] == conversation["conversation"]["speaker_a"]
            ]
    return found


class Run:
    """One run against one instance; `counts` is what it prints."""

    def __init__(self, url: str, recorder: Any) -> None:
        from bench.instance import Holder

        self.url = url
        self.recorder = recorder
        self.holder = Holder(url, f"{secrets.token_hex(6)}@measure.example")
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.values: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        self.special = ""

    def check(self, held: bool, what: str) -> None:
        if not held:
            self.failures.append(what)

    def enter(self, turns: list[tuple[str, str]]) -> None:
        """Every turn becomes a memory; one health memory is planted among them, full of the questions' words."""
        for number, (dialogue, text) in enumerate(turns):
            made = self.holder.call(
                "POST", "/memories", label=f"Note {number + 1}", value=text, subject=f"note.n{number}"
            )
            self.values[made["id"]], self.ids[dialogue] = text, made["id"]
            self.counts["memories entered"] += 1
        words = " ".join(text for _, text in turns[:40])[:4000]
        self.special = self.holder.call(
            "POST", "/memories", label="Morning tablet", value=f"{CANARY} {words}", category="health"
        )["id"]

    def ask(self, questions: list[dict[str, Any]]) -> None:
        """The holder asks, hands over what is offered, and leaves one memory out of every fifth answer."""
        for number, each in enumerate(questions):
            turn = self.holder.call("POST", "/turns", question=each["question"])
            self.counts["questions asked"] += 1
            card = next((part["memories"] for part in turn["card"] if part["part"] == "ordinary"), [])
            offered = [memory["id"] for memory in card]
            self.check(self.special not in offered, "a special category was offered among the ordinary")
            evidence = {self.ids[d] for d in each["evidence"] if d in self.ids}
            self.counts["questions whose evidence was offered"] += bool(evidence & set(offered))
            if turn["status"] == "offered":
                turn = self.holder.call("POST", f"/turns/{turn['id']}/decision", ordinary=offered)
            elif turn["status"] == "decided":
                turn = self.holder.call("POST", f"/turns/{turn['id']}/decision", ordinary=[])
            self.used(turn, offered)
            if number % 5 == 0 and offered:
                self.leave_out(turn, offered[0])

    def used(self, turn: dict[str, Any], expected: list[str]) -> None:
        """Count what a turn was handed, and compare it with the prompt that left."""
        handed = [item["memory"] for item in turn["items"] if item["state"] == "handed-over"]
        self.counts["values handed over to the chat"] += len(handed)
        self.check(turn["status"] == "answered", "a turn was not answered")
        self.check(sorted(handed) == sorted(expected), "a turn was handed something else than was chosen")
        prompt = self.recorder.prompts[-1]
        for memory in handed:
            self.check(
                json.dumps(self.values[memory], ensure_ascii=False)[1:-1] in json.loads(prompt)[-1]["content"],
                "a value that has a receipt is not in the prompt",
            )

    def leave_out(self, turn: dict[str, Any], memory: str) -> None:
        """The next prompt holds neither the value nor the earlier answer."""
        again = self.holder.call("POST", f"/turns/{turn['id']}/without", memory=memory)
        self.counts["memories left out"] += 1
        prompt = self.recorder.prompts[-1]
        self.check(
            json.dumps(self.values[memory], ensure_ascii=False)[1:-1] not in json.loads(prompt)[-1]["content"],
            "a memory that was left out is in the next prompt",
        )
        self.check(turn["answer"] not in prompt, "the earlier answer is in the next prompt")
        handed = [item["memory"] for item in again["items"] if item["state"] == "handed-over"]
        self.check(memory not in handed, "a memory that was left out was handed over")
        self.counts["values handed over to the chat"] += len(handed)

    def read_as_client(self, sample: list[str]) -> None:
        """A client asks for the memories, is granted them, and reads them over REST and over MCP."""
        made = self.holder.call("POST", "/clients", name="Measuring assistant")
        key = made["api_key"]
        http = httpx2.Client(base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60)
        vault = http.get("/me").json()["vault"]
        for start in range(0, len(sample), 40):
            batch = sample[start : start + 40]
            wish = http.post(
                "/access-requests",
                headers={"Idempotency-Key": secrets.token_hex(8)},
                json={"purpose": "answer", "items": [{"memory": memory} for memory in batch], "max_reads": 4},
            )
            wish.raise_for_status()
            parts = [{"part": "ordinary", "memories": batch, "reads": 4}]
            self.holder.call("POST", f"/access-requests/{wish.json()['id']}/decision", parts=parts)
            answer = http.post(
                "/reads",
                headers={"Idempotency-Key": secrets.token_hex(8)},
                json={"purpose": "answer", "memories": [*batch, self.special]},
            )
            answer.raise_for_status()
            self.client_got(answer.json(), batch, "REST")
            self.client_got(asyncio.run(self.over_mcp(vault, key, batch)), batch, "MCP")

    async def over_mcp(self, vault: str, key: str, batch: list[str]) -> dict[str, Any]:
        """The same read through the official client."""
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
            transport = streamable_http_client(f"{self.url}/mcp/{vault}", http_client=http)
            async with Client(transport) as client:
                result = await client.call_tool(
                    "read_memories", {"memories": [*batch, self.special], "purpose": "answer"}
                )
                return dict(result.structured_content or {})

    def client_got(self, answer: dict[str, Any], batch: list[str], surface: str) -> None:
        got = {each["memory"]: each["value"] for each in answer["handed_over"]}
        self.counts[f"values handed over by {surface}"] += len(got)
        self.check(
            got == {memory: self.values[memory] for memory in batch}, f"{surface} gave something else than was kept"
        )
        self.check(
            [each["memory"] for each in answer["withheld"]] == [self.special],
            f"{surface} did not withhold the special one",
        )

    def audit(self) -> None:
        """From the exported receipts alone: one for every value, and a chain that holds."""
        from apps.ledger.format.encoding import Line, verify_chain

        listed, cursor = [], ""
        while True:
            page = self.holder.http.get(f"/api/v1/receipts?limit=200{cursor}").json()
            listed += page["items"]
            if not page.get("next_cursor"):
                break
            cursor = f"&cursor={page['next_cursor']}"
        read = [each for each in listed if each["kind"] == "value.read"]
        handed = sum(count for name, count in self.counts.items() if name.startswith("values handed over"))
        self.counts["receipts of values"] = len(read)
        self.check(handed > 0, "nothing was handed over")
        self.check(len(read) == handed, f"{handed} values left and {len(read)} receipts say so")
        self.check(
            all(each["memory"] != self.special for each in read), "the special category has a receipt of a value"
        )
        lines = []
        for each in sorted(listed, key=lambda each: each["seq"]):
            whole = self.holder.http.get(f"/api/v1/receipts/{each['id']}/file").json()
            lines.append(Line(whole["receipt"], bytes.fromhex(whole["digest"]), bytes.fromhex(whole["chain_hash"])))
        vault = lines[0].body["vault"]
        name = f"{vault[4:12]}-{vault[12:16]}-{vault[16:20]}-{vault[20:24]}-{vault[24:]}"
        count, problems = verify_chain(lines, name)
        self.counts["receipts in the chain"] = count
        self.check(not problems, f"the chain does not hold: {problems[:3]}")
        self.check(
            not any(CANARY in prompt for prompt in self.recorder.prompts), "the planted health memory is in a prompt"
        )
        self.counts["prompts searched for the planted memory"] = len(self.recorder.prompts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the LoCoMo file")
    parser.add_argument("--conversation", type=int, default=0)
    parser.add_argument("--questions", type=int, default=50)
    options = parser.parse_args()
    if "DATABASE_URL" not in os.environ:  # bring the servers up around ourselves
        os.execv(
            sys.executable, [sys.executable, "-m", "ops", "exec", "--state", "bench", "--", sys.executable, *sys.argv]
        )
    from bench.instance import instance
    from bench.recorder import Recorder

    conversation = json.loads(options.data.read_text(encoding="utf-8"))[options.conversation]
    turns = speaker_turns(conversation)
    mine = {dialogue for dialogue, _ in turns}
    questions = [q for q in conversation["qa"] if q["category"] != 5 and set(q["evidence"]) & mine][: options.questions]
    recorder = Recorder()
    began = time.monotonic()
    with instance("real_input", MUNIMENT_LLM_BASE_URL=recorder.url, MUNIMENT_LLM_MODEL="recorder") as running:
        run = Run(running.url, recorder)
        run.enter(turns)
        run.ask(questions)
        run.read_as_client(random.Random(7).sample(list(run.values), 80))
        run.audit()
    for name, count in run.counts.items():
        print(f"{count:6} {name}")
    print(f"{time.monotonic() - began:6.0f} seconds")
    for failure in sorted(set(run.failures)):
        print(f"FAILED: {failure} ({run.failures.count(failure)} times)")
    print("passed" if not run.failures else "failed")
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
