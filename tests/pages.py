"""The holder on the pages, in the drivers' vocabulary: forms without script, as a person would fill them in."""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apps.policy.types import Holder
from tests.drivers import Asked, No, signed_in


class WebHolder:
    """The holder on the web surface."""

    name = "web"

    def __init__(self, holder: Holder) -> None:
        self.browser = signed_in(holder)

    def post(self, path: str, **fields: Any) -> str | No:
        """The page that a form leads to, its text as a person reads it."""
        response = self.browser.post(path, fields, follow=True)
        if response.status_code >= 400:
            return No("page", response.status_code)
        self.at = response.request["PATH_INFO"]
        return html.unescape(response.content.decode())

    def add(self, label: str, value: str, **more: Any) -> str | No:
        before = set(re.findall(r"mem_[0-9a-f]{32}", self.browser.get("/file").content.decode()))
        page = self.post("/file/add", label=label, value=value, **{"category": "ordinary", **more})
        if isinstance(page, No):
            return page
        (new,) = set(re.findall(r"mem_[0-9a-f]{32}", page)) - before
        return str(new)

    def show(self, memories: Sequence[str]) -> dict[str, str] | No:
        page = self.post("/file/show", memory=list(memories))
        if isinstance(page, No):
            return page
        found = {}
        for memory in memories:
            area = re.search(rf'id="{memory[4:]}_value"[^>]*>\r?\n?(.*?)</textarea>', page, re.S)
            if area:
                found[memory] = area[1]
        return found

    def decide(self, request: str, parts: Mapping[str, Sequence[str]], reads: int | None = 1) -> str | No:
        for part, chosen in parts.items():
            fields = {"part": part.removeprefix("special:"), "do": "allow" if chosen else "deny", "give": list(chosen)}
            fields |= {"until": "week", "reads": "" if reads is None else str(reads)}
            page = self.post(f"/requests/{request}/decide", **fields)
            if isinstance(page, No):
                return page
        return "decided"

    def approve(self, proposal: str) -> str | No:
        shown = self.post("/inbox/show", proposal=proposal)
        if isinstance(shown, No):
            return shown
        fields = {
            name: value
            for name in ("label", "subject", "value", "shown", "category")
            if (value := _field(shown, f"{proposal[4:]}_{name}")) is not None
        }
        card = {f"{proposal[4:]}_{name}": value for name, value in {"category": "ordinary", **fields}.items()}
        page = self.post(f"/inbox/{proposal}/approve", **card)
        if isinstance(page, No):
            return page
        return No("already-decided") if "This was decided before" in page else "approved"

    def ask_turn(self, question: str) -> Asked | No:
        return self._turn(self.post("/chat", question=question))

    def decide_turn(self, turn: str, ordinary: Sequence[str]) -> Asked | No:
        fields = {"part": "ordinary", "do": "give" if ordinary else "none", "give": list(ordinary)}
        return self._turn(self.post(f"/chat/{turn}/decide", **fields))

    def without(self, turn: str, memory: str) -> Asked | No:
        return self._turn(self.post(f"/chat/{turn}/without", memory=memory))

    def _turn(self, page: str | No) -> Asked | No:
        """`answer` is the newest answer's part of the page."""
        if isinstance(page, No):
            return page
        card = tuple(dict.fromkeys(re.findall(r'(?:name|value)="(mem_[0-9a-f]{32})"', page)))
        newest = page.partition('aria-label="Earlier answer"')[0]
        status = "offered" if f'action="{self.at}/decide"' in page else "answered"
        return Asked(self.at.rpartition("/")[2], status, card, newest if status == "answered" else "")


def _field(page: str, name: str) -> str | None:
    """What a form's field holds: a text area's text, or an input's value."""
    area = re.search(rf'<textarea[^>]*id="{name}"[^>]*>\r?\n?(.*?)</textarea>', page, re.S)
    if area:
        return area[1]
    tag = re.search(rf'<input[^>]*id="{name}"[^>]*>', page)
    value = re.search(r'value="([^"]*)"', tag[0]) if tag else None
    return value[1] if value else None
