"""A model endpoint that keeps every prompt: what left for a model, as seen from outside."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Recorder:
    """Speaks OpenAI's chat completions on a loopback port. It answers with what it was given, and chooses nothing
    when it is asked to scope, so that the vault's own recall decides."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                recorder.prompts.append(json.dumps(body["messages"], ensure_ascii=False))
                text = "I have read what you handed over." if body.get("stream") else "no idea"
                if body.get("stream"):
                    answer = f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\ndata: [DONE]\n\n"
                else:
                    answer = json.dumps({"choices": [{"message": {"content": text}}]})
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
                self.send_header("Content-Length", str(len(answer.encode())))
                self.end_headers()
                self.wfile.write(answer.encode())

            def log_message(self, *args: object) -> None:
                """Silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"
