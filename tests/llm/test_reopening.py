"""A statement that holds back, or rests on nothing, opens the gap of its question again, once."""

from collections.abc import Callable
from typing import Any

import pytest
from haystack.dataclasses import ChatMessage

import ragnb
from ragnb.agent.policies.followups import follow_up

GOAL = "How long are exports kept?"
HEDGED = {"question": 1, "statement": "Exports are probably kept for 30 days.", "cites": ["E1"]}
BARE = {"question": 1, "statement": "Exports are kept for 30 days.", "cites": []}


@pytest.mark.parametrize("policy", ["evidence", "plan", "tool_calling"])
@pytest.mark.parametrize("shaky", [HEDGED, BARE])
def test_the_gap_is_open_again_once_and_the_run_ends(
    policy: str,
    shaky: dict[str, Any],
    library: ragnb.Library,
    sound: Callable[[list[ChatMessage]], Any],
) -> None:
    def reply(messages: list[ChatMessage]) -> Any:
        written = (messages[0].text or "").startswith("You write")
        return {"claims": [shaky]} if written else sound(messages)

    run = ragnb.Agent(library, policy=policy, llm=ragnb.ScriptedGenerator(reply)).ask(GOAL)
    written = [n for n, entry in enumerate(run.entries) if entry.action.kind == "synthesize"]
    assert len(written) == 2
    again = run.states[written[0] + 1]
    assert again.stop is None
    gaps = [gap for gap in again.open_gaps if gap.reason != "single_source"]
    assert [gap.reason for gap in gaps] == ["evidence_too_weak"]
    assert run.state.reopened == (gaps[0].question_id,)
    tried = any(e.action.kind in {"retrieve", "read", "choose"} for e in run.entries[written[0] :])
    assert tried == (policy != "evidence" or follow_up(again) is not None)
    assert run.answer is not None
    assert run.answer.stop is not None
    quotes = [g.quote for claim in run.answer.conclusions for g in claim.groundings]
    assert "Exports are kept for 30 days." in quotes
