import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench" / "loop.py"


def test_the_bench_of_the_loop_prints_a_time_for_each_way_to_run_the_trace_and_a_fork() -> None:
    command = [sys.executable, str(BENCH), "--steps", "10", "--repeats", "1", "--peers", "none"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=BENCH.parents[2]
    )
    assert done.returncode == 0, done.stderr
    head, *rows, trace, fork = done.stdout.splitlines()
    assert "10 steps" in head
    assert len(rows) == 3
    for row in rows:
        assert re.fullmatch(r" +\d+\.\d +\d+\.\d  ragnb, .+", row)
    assert re.fullmatch(r"trace: 10 steps, \d\.\d\d MB; loaded and folded in [\d.]+ ms", trace)
    times = ", ".join(rf"\d+\.\d{{3}} ms at {step}" for step in (0, 5, 10))
    assert re.fullmatch(f"fork, trace in memory, up to its first new step: {times}", fork)
