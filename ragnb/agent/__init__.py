"""The agent: a policy names the next action, a stage performs it, advance folds the outcome in."""

__all__: list[str] = []
