import asyncio
import threading
from typing import Any

import pytest

from ragnb.agent.actions import Approve
from ragnb.agent.policies import Scripted
from ragnb.agent.state import ToolCall
from ragnb.errors import InputError
from ragnb.records import content_id

GOAL = "export limit and incident review"


async def rest(loop: Any) -> None:
    while loop.player.on:  # noqa: ASYNC110 - what a person does, too: look again
        await asyncio.sleep(0.01)


def test_playing_goes_to_the_end_on_another_thread(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3)
    threads: set[int] = set()
    loop.subscribe(lambda _: threads.add(threading.get_ident()))

    async def main() -> None:
        loop.play()
        assert loop.player.on
        await rest(loop)

    asyncio.run(main())
    assert loop.state.stop is not None
    assert threading.get_ident() not in threads
    other = loop_of(GOAL, seed=3).run()
    actions = [entry.action for entry in loop.trace.branch(loop.head)]
    assert actions == [entry.action for entry in other.entries]


def test_a_pause_takes_effect_within_a_step_and_playing_goes_on_from_there(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3)

    async def main() -> None:
        loop.subscribe(lambda step: step.after.entries == 3 and loop.pause())
        loop.play()
        await rest(loop)
        assert loop.state.entries == 3
        loop.play()
        await rest(loop)

    asyncio.run(main())
    assert loop.state.stop is not None


def test_stepping_while_it_plays_says_what_to_do(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    loop.player.pace = 5

    async def main() -> None:
        loop.play()
        for step in (loop.step, loop.run, lambda: loop.rewind(0), lambda: loop.edit(goal="x")):
            with pytest.raises(InputError, match="pause it first"):
                step()
        loop.pause()
        loop.step()

    asyncio.run(main())


def test_a_stop_and_an_answer_now_act_between_steps(loop_of: Any) -> None:
    for wish in ("stop", "answer_now"):
        loop = loop_of(GOAL, seed=3)

        async def main(loop: Any = loop, wish: str = wish) -> None:
            loop.subscribe(lambda step: step.after.entries == 2 and getattr(loop, wish)())
            loop.player.pace = 0.05
            loop.play()
            await asyncio.sleep(0.12)
            getattr(loop, wish)()
            await rest(loop)

        asyncio.run(main())
        assert loop.state.stop.code == "user"
        assert loop.state.answer is not None


def test_finishing_does_what_playing_would_have_done(loop_of: Any) -> None:
    loop = loop_of(GOAL, seed=3)
    assert loop.finish().answer is not None  # it never played: as run() does
    loop = loop_of(GOAL, seed=3)

    async def main() -> None:
        loop.player.pace = 5
        loop.play()
        await asyncio.sleep(0.05)
        loop.stop()
        loop.finish()

    asyncio.run(main())
    assert loop.state.stop.code == "user"


def test_a_script_is_told_to_run_instead(loop_of: Any) -> None:
    with pytest.raises(InputError, match="run"):
        loop_of(GOAL).play()


def test_playing_waits_at_a_call_that_needs_a_yes(loop_of: Any) -> None:
    call = ToolCall(id=content_id("mail"), name="mail", arguments={"to": "a@b.example"})
    loop = loop_of(GOAL, policy=Scripted(actions=(Approve(call=call),)))

    async def main() -> None:
        loop.play()
        await rest(loop)

    asyncio.run(main())
    assert loop.state.entries == 0
    assert isinstance(loop.next, Approve)


def test_what_a_watcher_raises_is_told_by_finish(loop_of: Any) -> None:
    loop = loop_of(GOAL)

    def broken(_: object) -> None:
        raise RuntimeError("broken")

    loop.subscribe(broken)

    async def main() -> None:
        loop.play()
        await rest(loop)
        assert str(loop.player.error) == "broken"
        with pytest.raises(RuntimeError, match="broken"):
            loop.finish()

    asyncio.run(main())


def test_watchers_hear_of_steps_and_of_rewinds_until_they_let_go(loop_of: Any) -> None:
    loop = loop_of(GOAL)
    heard: list[int] = []
    unwatch = loop.player.watch(lambda: heard.append(loop.state.entries))
    loop.step()
    loop.rewind(0)
    unwatch()
    unwatch()
    loop.step()
    assert heard == [1, 0]
