"""Measures of how a plan was carried out; they say so where a policy lays out no steps."""

from ragnb.agent.actions import Plan
from ragnb.agent.run import Run
from ragnb.evaluate.searching import share

__all__ = ["planned_per_step", "replan_ratio", "step_completeness"]

_NO_PLAN = "no steps were laid out"


def step_completeness(run: Run) -> float | str:
    """Steps of the plan that are done ÷ steps of the plan; 0 to 1.

    A plan that was made anew counts as it stands in the end.

    >>> from ragnb.evaluate.example import example
    >>> step_completeness(example())
    'no steps were laid out'
    """
    steps = run.state.plan_steps
    if not steps:
        return _NO_PLAN
    return share(sum(step.status == "done" for step in steps), len(steps))


def planned_per_step(run: Run) -> float | str:
    """Steps of the plan ÷ steps that the run took, refusals included; 0 to 1, mostly.

    >>> from ragnb.evaluate.example import example
    >>> planned_per_step(example())
    'no steps were laid out'
    """
    state = run.state
    if not state.plan_steps:
        return _NO_PLAN
    return share(len(state.plan_steps), max(1, state.steps))


def replan_ratio(run: Run) -> float | str:
    """Plans that were made anew ÷ plans; 0 to below 1.

    >>> from ragnb.evaluate.example import example
    >>> replan_ratio(example())
    'no steps were laid out'
    """
    plans = [entry.action for entry in run.entries if isinstance(entry.action, Plan)]
    if not run.state.plan_steps or not plans:
        return _NO_PLAN
    return share(sum(plan.again for plan in plans), len(plans))
