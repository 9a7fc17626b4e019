"""Saved runs: what a file holds, and what a broken or a stranger's file does when opened."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from haystack import Document

import ragnb
from ragnb.agent.agent import ChangedError
from ragnb.agent.loop import EndedError
from ragnb.agent.opening import LONGEST_LINE
from ragnb.errors import InputError, TraceError

GOAL = "How long are exports kept, and who decided it?"
TEXT = "Exports are kept for 30 days. The data board decided this in May. " + "It is filler. " * 20


@pytest.fixture
def agent() -> ragnb.Agent:
    library = ragnb.Library.from_documents([Document(id="exports", content=TEXT)])
    return ragnb.Agent(library)


@pytest.fixture
def saved(agent: ragnb.Agent, tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl"
    agent.ask(GOAL).save(path)
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, data: list[Any]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in data))


def broken(change: Callable[[list[dict[str, Any]]], None], path: Path) -> Path:
    data = lines(path)
    change(data)
    write(path, data)
    return path


def first_entry(data: list[dict[str, Any]]) -> int:
    return next(number for number, line in enumerate(data) if "entry" in line)


def test_a_file_of_another_kind_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("just words\n")
    with pytest.raises(TraceError, match="not a trace"):
        ragnb.load(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="can't be read"):
        ragnb.load(tmp_path / "nowhere.jsonl")


def test_a_zip_named_like_a_trace_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("zeros", b"0" * 10_000_000)
    with pytest.raises(TraceError, match="not a trace"):
        ragnb.load(path)


def test_a_newer_format_asks_for_a_newer_ragnb(saved: Path) -> None:
    def newer(data: list[dict[str, Any]]) -> None:
        data[0]["ragnb"] = 99

    with pytest.raises(TraceError, match="newer ragnb"):
        ragnb.load(broken(newer, saved))


def test_a_start_of_wrong_types_is_told(saved: Path) -> None:
    def spoil(data: list[dict[str, Any]]) -> None:
        data[0]["start"]["questions"] = "all of them"

    with pytest.raises(TraceError, match="no readable start"):
        ragnb.load(broken(spoil, saved))


def test_a_huge_line_is_refused_before_it_is_read_whole(saved: Path) -> None:
    with saved.open("ab") as file:
        file.truncate(LONGEST_LINE + 10**6)
    with pytest.raises(TraceError, match="the limit"):
        ragnb.load(saved)


def _nested(data: list[dict[str, Any]]) -> None:
    number = first_entry(data)
    deep: Any = "end"
    for _ in range(400):
        deep = {"a": deep}
    data[number]["action"] = deep


def _cycle(data: list[dict[str, Any]]) -> None:
    number = first_entry(data)
    data[number]["parent"] = data[number]["entry"]


def _wrong_outcome(data: list[dict[str, Any]]) -> None:
    data[first_entry(data)]["value"] = {"kind": "decided", "allowed": True}


def _foreign_stage(data: list[dict[str, Any]]) -> None:
    data[first_entry(data)]["action"] = {"kind": "launch_rocket"}


def _lost_text(data: list[dict[str, Any]]) -> None:
    for line in data:
        if "text" in line:
            line["text"] = "gone"


def _unknown_line(data: list[dict[str, Any]]) -> None:
    data.insert(first_entry(data), {"surprise": 1})


@pytest.mark.parametrize(
    "change", [_nested, _cycle, _wrong_outcome, _foreign_stage, _lost_text, _unknown_line]
)
def test_a_broken_line_leaves_the_steps_before_it_and_says_so(
    saved: Path, change: Callable[[list[dict[str, Any]]], None]
) -> None:
    whole = ragnb.load(saved)
    run = ragnb.load(broken(change, saved))
    assert "not whole" in run.trace.lost
    assert len(run.entries) < len(whole.entries)
    assert run.states == whole.states[: len(run.entries) + 1]


def test_json_too_deep_to_read_is_a_lost_line(saved: Path) -> None:
    with saved.open("ab") as file:
        file.write(b"[" * 200_000 + b"\n")
    assert "not whole" in ragnb.load(saved).trace.lost


def test_a_forged_quote_is_marked_and_grounds_nothing(saved: Path) -> None:
    def forge(data: list[dict[str, Any]]) -> None:
        for line in data:
            for item in line.get("value", {}).get("evidence", []):
                item["quote"] = "Exports are kept for ever."

    whole = ragnb.load(saved).answer
    assert whole is not None
    assert whole.conclusions
    run = ragnb.load(broken(forge, saved))
    assert not any(item.verified for item in run.evidence)
    assert run.answer is not None
    assert not run.answer.conclusions
    assert "does not stand" in " ".join(run.trace.notes)


def test_saving_says_whose_texts_the_file_holds(agent: ragnb.Agent, tmp_path: Path) -> None:
    run = agent.ask(GOAL)
    all_texts = run.save(tmp_path / "all.jsonl")
    quotes = run.save(tmp_path / "quotes.jsonl", texts="quotes")
    assert all_texts.sources == quotes.sources == ("exports",)
    assert "passages" in str(all_texts)
    passage = "filler. It is"  # longer than any quote
    assert passage in (tmp_path / "all.jsonl").read_text()
    assert passage not in (tmp_path / "quotes.jsonl").read_text()
    again = ragnb.load(tmp_path / "quotes.jsonl")
    assert again.answer == run.answer
    with pytest.raises(TraceError, match="doesn't exist yet"):
        run.save(tmp_path / "all.jsonl")
    with pytest.raises(InputError, match="'all' or 'quotes'"):
        run.save(tmp_path / "x.jsonl", texts="some")  # type: ignore[arg-type]


def test_a_run_goes_on_in_its_file_after_it_was_cut_off(agent: ragnb.Agent, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    loop = agent.start(GOAL, trace=path)
    loop.round()
    loop.trace.close()
    with path.open("ab") as file:
        file.write(b'{"entry": "half')
    run = ragnb.load(path)
    assert "not whole" in run.trace.lost
    again = run.resume(agent)
    assert again.state == loop.state
    answer = again.run().answer
    again.trace.close()
    read = ragnb.load(path)
    assert read.answer == answer
    assert not read.trace.lost
    assert answer == agent.ask(GOAL).answer
    ended = read.resume(agent)
    with pytest.raises(EndedError):
        ended.step()
    ended.trace.close()


def test_a_changed_library_is_reported_and_the_person_chooses(
    agent: ragnb.Agent, saved: Path
) -> None:
    agent.library.add(Document(id="more", content="Exports are kept for 90 days."))
    run = ragnb.load(saved)
    with pytest.raises(ChangedError, match="library"):
        run.resume(agent)
    assert run.answer is not None
    loop = run.resume(agent, despite_changes=True)
    assert any("another library" in note for note in loop.trace.notes)
    loop.trace.close()


def test_a_changed_policy_is_reported(agent: ragnb.Agent, saved: Path) -> None:
    with pytest.raises(ChangedError, match="policy"):
        ragnb.load(saved).resume(agent.with_policy("one_shot"))


def test_opening_a_strangers_file_reads_nothing_else(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    real = Path.open

    def watch(self: Path, *args: Any, **kwargs: Any) -> Any:
        opened.append(str(self))
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", watch)
    ragnb.load(saved)
    assert set(opened) == {str(saved)}
