"""Outputs without a clock, for notebooks that are committed and compared."""

__all__ = ["is_stable", "stable"]

_STABLE = {"on": False}


def stable(on: bool = True) -> None:  # noqa: FBT001, FBT002 - read aloud: stable(), stable(False)
    """Leave out of every text, drawing and table what differs from one run to the next.

    Seconds are not shown, and time is drawn as steps; everything else is the same anyway. Put it
    into the first cell of a notebook whose outputs are kept. Nothing that is recorded changes.

    Args:
        on: False shows the seconds again.

    >>> stable(); is_stable()
    True
    >>> stable(False); is_stable()
    False
    """
    _STABLE["on"] = on


def is_stable() -> bool:
    """Return whether figures of the clock are left out."""
    return _STABLE["on"]
