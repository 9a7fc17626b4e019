"""A provider of chat models among the tests: OpenAI's HTTP address, with every fault on demand."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from haystack import Document
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

import ragnb

KEY = "sk-test-0123456789abcdef"
TEXTS = {
    "exports": "Exports are kept for 30 days. The data board decided this in May 2024.",
    "imports": "Imports are kept for 7 days. The import team decided this.",
    "leave": "Employees get 28 days of paid leave per year. Unused days lapse in March.",
}
GOAL = "How long are exports kept, and how many days of paid leave do employees get?"


def good(  # noqa: PLR0911 - one match over the prompts
    system: str, user: str
) -> dict[str, Any]:
    """Reply as a sound model would: from what it is given."""
    data = re.findall(r"BEGIN DATA (\w+) ?(.*)\n([\s\S]*?)\nEND DATA \1", user)
    if system.startswith("You class"):
        return {"kind": "single", "complex": True, "reason": "Two things are asked."}
    if system.startswith("You plan how a request is carried out"):
        goal = user.rpartition("Request: ")[2]
        parts = [part.strip(" ?") + "?" for part in goal.split(", and ")]
        return {"steps": [_step(number, part) for number, part in enumerate(parts, start=1)]}
    if system.startswith("You look back"):
        quotes = [text for _, label, text in data if not label.startswith(("answer", "s"))]
        new = quotes[0] if quotes else ""
        verdict = "satisfied" if quotes else "insufficient"
        said = {"verdict": verdict, "new": new, "found": [], "query": "", "why": "So it reads."}
        return said | {"next": "continue"}
    if system.startswith("You plan"):
        goal = user.splitlines()[0].removeprefix("Request: ")
        parts = [part.strip(" ?") + "?" for part in goal.split(", and ")]
        return {"questions": [{"text": part, "query": part.strip("?")} for part in parts]}
    if system.startswith("You choose"):
        if "Call 1, " in user:
            return {"calls": [{"name": "finish", "arguments": {"why": "Each has a quote."}}]}
        asked = re.findall(r"(?m)^Question \d+: (.*)$", user)
        return {"calls": [{"name": "search", "arguments": {"query": text}} for text in asked]}
    if system.startswith("You find"):
        words = set(re.findall(r"\w{4,}", user.rpartition("Question: ")[2].lower()))
        found = [s for s in re.findall(r"[^.]+\.", data[0][2]) if len(words & _words(s)) > 1]
        support = "strong" if any(c.isdigit() for c in data[0][2]) else "weak"
        return {"quotes": [{"quote": s.strip(), "says": s, "support": support} for s in found]}
    if system.startswith("You judge"):
        parts = re.split(r"(?m)^Question (?=\d+:)", user)[1:]
        judged = [(int(part.split(":")[0]), "BEGIN DATA" in part) for part in parts]
        return {
            "questions": [
                {"question": n, "enough": enough, "missing": "", "query": ""}
                for n, enough in judged
            ]
        }
    if system.startswith("You sort"):
        return {"order": list(range(len(data), 0, -1))}
    return {
        "claims": [
            {"question": _asked(text, user), "statement": text, "cites": [label.split(":")[0]]}
            for _, label, text in data
        ]
    }


def _step(number: int, question: str) -> dict[str, Any]:
    step = {"id": f"s{number}", "tool": "search", "question": question, "depends_on": []}
    step["arguments"] = [{"name": "query", "value": question}]
    return step | {"for_each": "", "reason": "It is asked.", "replan_when": "Nothing comes."}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))


def _asked(text: str, user: str) -> int:
    questions = re.findall(r"(?m)^Question (\d+): (.*)$", user)
    return int(max(questions, key=lambda q: len(_words(q[1]) & _words(text)))[0])


def scripted(messages: list[ChatMessage]) -> Any:
    return good(messages[0].text or "", messages[1].text or "")


class Provider:
    """The server, what was sent to it, and the fault that it has now."""

    def __init__(self) -> None:
        self.fault = "none"
        self.requests: list[dict[str, Any]] = []
        self.released = threading.Event()
        self.brain: Callable[[str, str], Any] = good
        self.keys: list[str] = []
        self.speaks: Callable[[dict[str, Any], Any], dict[str, Any]] | None = None
        """Replies in the way of another provider than OpenAI."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers["content-length"])
                provider.answer(self, json.loads(self.rfile.read(size)))

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        self.requests.append(body)
        self.keys.append(http.headers.get("authorization", ""))
        if self.speaks is not None:
            _send(http, 200, self.speaks(body, self.brain))
            return
        fault = self.fault
        first = len(self.requests) % 2 == 1
        if fault in {"401", "500", "429"} or (fault.endswith("_once") and first):
            status = int(fault[:3])
            headers = {"Retry-After": "7"} if status == 429 else {}
            said = f"Incorrect API key provided: {KEY}." if status == 401 else f"no luck with {KEY}"
            _send(http, status, {"error": {"message": said}}, headers)
        elif fault == "400_schema" and "response_format" in body:
            _send(http, 400, {"error": {"message": "response_format is not supported"}})
        elif fault == "400_tools" and "tools" in body:
            _send(http, 400, {"error": {"message": "tools are not supported"}})
        elif fault == "hang":
            self.released.wait(20)
        elif fault == "cut_connection":
            http.send_response(200)
            http.send_header("content-length", "5000")
            http.end_headers()
            http.wfile.write(b'{"id": "x", "choices": [{"mess')
            http.close_connection = True
        elif fault == "no_choices":
            _send(http, 200, {"id": "x", "object": "chat.completion", "choices": []} | _BASE)
        elif fault == "not_json_http":
            _send_bytes(http, 200, b"<html>It works!</html>", "text/html")
        else:
            system, user = (message["content"] for message in body["messages"][:2])
            _reply(http, body, fault, self.brain(system, user))


_BASE = {"created": 1, "model": "test-model"}
_USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def _text(  # noqa: PLR0911 - one match over the faults
    fault: str, reply: Any
) -> str:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    match fault:
        case "prose":
            return f"Sure, here you are:\n```json\n{text}\n```\nAnything else?"
        case "thinking":
            return f"<think>It may be {{1}}, or {text[:20]}</think>\n{text}"
        case "cut_reply":
            return text[: len(text) // 2]
        case "broken_json":
            return text.replace('"', "", 3).replace("}", "", 1) + " and so on"
        case "schema_violation":
            return json.dumps({"result": reply, "score": "high"})
        case "repetition":
            return text[:12] + "the the the " * 3000
        case "empty" | "refusal" | "tool_calls":
            return ""
    if fault == "invented_quote" and "quotes" in reply:
        invented = {"quote": "Exports are kept for 99 years.", "says": "x", "support": "strong"}
        return json.dumps({"quotes": [*reply["quotes"], invented]})
    if fault == "unknown_citation" and "claims" in reply:
        claims = [c | {"cites": [*c["cites"], "E77", "the handbook"]} for c in reply["claims"]]
        return json.dumps({"claims": claims})
    return text


def _reply(http: BaseHTTPRequestHandler, body: dict[str, Any], fault: str, reply: Any) -> None:
    text = _text(fault, reply)
    if body.get("stream"):
        _stream(http, text, cut=fault == "cut_stream")
        return
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if fault == "refusal":
        message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    if fault == "tool_calls":
        call = {"name": "search", "arguments": "{}"}
        tool = {"id": "c1", "type": "function", "function": call}
        message = {"role": "assistant", "content": None, "tool_calls": [tool]}
    finish = "length" if fault in {"cut_reply", "repetition"} else "stop"
    data = {
        "id": "x",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": None if fault == "no_usage" else _USAGE,
    } | _BASE
    _send(http, 200, data)


def _stream(http: BaseHTTPRequestHandler, text: str, *, cut: bool) -> None:
    http.send_response(200)
    http.send_header("content-type", "text/event-stream")
    http.send_header("transfer-encoding", "chunked")
    http.end_headers()
    parts = [text[at : at + 40] for at in range(0, len(text), 40)]
    for number, part in enumerate([*parts, None]):
        delta = {"role": "assistant", "content": part} if part is not None else {}
        choice = {"index": 0, "delta": delta, "finish_reason": None if part else "stop"}
        data = {"id": "x", "object": "chat.completion.chunk", "choices": [choice]} | _BASE
        line = f"data: {json.dumps(data)}\n\n".encode()
        http.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
        if cut and number == 1:
            http.close_connection = True
            return
    line = b"data: [DONE]\n\n"
    http.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n0\r\n\r\n")


def _send(
    http: BaseHTTPRequestHandler, status: int, data: Any, headers: dict[str, str] | None = None
) -> None:
    _send_bytes(http, status, json.dumps(data).encode(), "application/json", headers)


def _send_bytes(
    http: BaseHTTPRequestHandler,
    status: int,
    data: bytes,
    kind: str,
    headers: dict[str, str] | None = None,
) -> None:
    http.send_response(status)
    for name, value in {"content-type": kind, **(headers or {})}.items():
        http.send_header(name, value)
    http.send_header("content-length", str(len(data)))
    http.end_headers()
    http.wfile.write(data)


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    yield made
    made.close()


@pytest.fixture
def generator(provider: Provider) -> Iterator[OpenAIChatGenerator]:
    made = OpenAIChatGenerator(
        api_key=Secret.from_token(KEY),
        model="test-model",
        api_base_url=provider.address,
        max_retries=0,
    )
    yield made
    made.close()


@pytest.fixture(scope="module")
def library() -> Iterator[ragnb.Library]:
    documents = [Document(id=name, content=text) for name, text in TEXTS.items()]
    with ragnb.Library.from_documents(documents) as made:
        yield made


@pytest.fixture
def goal() -> str:
    return GOAL


@pytest.fixture
def sound() -> Callable[[list[ChatMessage]], Any]:
    return scripted
