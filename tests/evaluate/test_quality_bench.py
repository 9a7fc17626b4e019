import json
import os
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench" / "quality.py"
TEXTS = {
    "Blue": "Blue is a painting by Aino Laine.",
    "Aino Laine": "Aino Laine was a painter who was born in Oulu.",
    "Red": "Red is a painting by Olli Salo.",
}


def bench(data: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "RAGNB_DATA"}
    if data is not None:
        environment["RAGNB_DATA"] = str(data)
    command = [sys.executable, str(BENCH), *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=BENCH.parents[2],
        env=environment,
    )


def test_the_bench_of_quality_prints_rows_with_intervals_and_paired_differences(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "multihop" / "hotpotqa"
    folder.mkdir(parents=True)
    corpus = [
        {"doc_id": name, "title": name, "text": text, "sentences": [text]}
        for name, text in TEXTS.items()
    ]
    question = {
        "id": "1",
        "question": "Where was the maker of the painting Blue born?",
        "answer": "Oulu",
        "type": "bridge",
        "gold_docs": ["Blue", "Aino Laine"],
        "supporting_sentences": [["Blue", 0], ["Aino Laine", 0]],
    }
    rows = {"corpus": corpus, "questions": [question, {**question, "id": "2"}]}
    for name, lines in rows.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    part = ["runs", "--sets", "hotpotqa", "--sample", "1", "--variants", "one_shot, BM25"]
    done = bench(tmp_path, *part)
    assert done.returncode == 0, done.stderr
    assert "hotpotqa: 1 questions, 3 chunks" in done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith("evidence")]
    assert len(lines) == 2
    assert "1.000 [1.000, 1.000]" in lines[0]
    assert "one_shot, BM25       +0.000 [+0.000, +0.000]" in done.stdout


def test_without_data_the_bench_of_quality_says_that_it_was_skipped() -> None:
    done = bench(None)
    assert "skipped: RAGNB_DATA names no folder" in done.stderr
