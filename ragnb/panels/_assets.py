"""The browser half: in a wheel beside this module, in a checkout in ``widgets/``."""

from pathlib import Path

__all__ = ["asset"]

_PLACES = (Path(__file__).parent / "static", Path(__file__).parents[2] / "widgets")


def asset(name: str) -> Path:
    """Return where a file of the browser half is.

    Raises:
        FileNotFoundError: It is in neither place, so the installation is broken.
    """
    for place in _PLACES:
        if (place / name).is_file():
            return place / name
    looked = " or ".join(str(place) for place in _PLACES)
    raise FileNotFoundError(f"{name} is not in {looked}; install ragnb again.")
