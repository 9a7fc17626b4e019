"""What a component takes and gives, by its sockets."""

from typing import Any

from ragnb.errors import InputError

__all__ = ["listed", "sockets", "taken_by"]


def listed(given: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with lists in the place of tuples: stages take lists."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in given.items()}


def sockets(result: object, *names: str) -> dict[str, Any]:
    """Return what a component gave, if it gave all that is asked for.

    Raises:
        InputError: An output socket is missing or empty.
    """
    if not isinstance(result, dict) or any(result.get(name) is None for name in names):
        got = sorted(result) if isinstance(result, dict) else type(result).__name__
        raise InputError(f"The stage gave {got}, expected the sockets {sorted(names)}.")
    return result


def taken_by(component: Any, wanted: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the arguments that a component can take, and a note on those that it can't."""
    sockets = getattr(component, "__haystack_input__", None)
    if sockets is None:
        return wanted, ()
    can = set(sockets._sockets_dict)  # noqa: SLF001 - Haystack has no public list of them
    lost = sorted(set(wanted) - can)
    note = f"{type(component).__name__} can't take {', '.join(lost)}."
    taken = {name: value for name, value in wanted.items() if name in can}
    return taken, (note,) if lost else ()
