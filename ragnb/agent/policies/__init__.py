"""Policies: who looks at the state and names the next action."""

from ragnb.agent.policies.base import Policy, Scripted
from ragnb.agent.policies.evidence import EvidencePolicy
from ragnb.agent.policies.one_shot import OneShot
from ragnb.agent.policies.plan import PlanPolicy
from ragnb.agent.policies.routed import ROUTES, RoutedPolicy
from ragnb.agent.policies.tool_calling import ToolCalling
from ragnb.errors import InputError

__all__ = [
    "ROUTES",
    "EvidencePolicy",
    "OneShot",
    "PlanPolicy",
    "Policy",
    "RoutedPolicy",
    "Scripted",
    "ToolCalling",
    "policy_named",
    "policy_names",
]


def _known() -> dict[str, Policy]:
    policies: tuple[Policy, ...] = (
        EvidencePolicy(),
        OneShot(),
        PlanPolicy(),
        RoutedPolicy(),
        ToolCalling(),
    )
    return {policy.name: policy for policy in policies}


def policy_names() -> tuple[str, ...]:
    """Return the short names of all policies.

    >>> "evidence" in policy_names()
    True
    """
    return tuple(sorted(_known()))


def policy_named(policy: str | Policy) -> Policy:
    """Return the policy of a short name; a policy itself is given back.

    Raises:
        InputError: No policy has that name, or the object is no policy.
    """
    if not isinstance(policy, str):
        if not callable(getattr(policy, "decide", None)) or not hasattr(policy, "name"):
            raise InputError(
                f"The policy is {policy!r}; expected a name, or an object with `name` and "
                "`decide(state)`."
            )
        return policy
    known = _known()
    if policy not in known:
        raise InputError(f"There is no policy {policy!r}; there are {sorted(known)}.")
    return known[policy]
