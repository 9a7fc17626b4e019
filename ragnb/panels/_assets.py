"""The browser half: in a wheel beside this module, in a checkout in ``widgets/``."""

import re
from pathlib import Path
from typing import Final

__all__ = ["asset", "joined"]

_PLACES = (Path(__file__).parent / "static", Path(__file__).parents[2] / "widgets")
_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?!default)", re.MULTILINE)


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


def joined(name: str) -> str:
    """Return a module with all that it imports before it, as one that imports nothing.

    A widget's module is loaded from a text without an address, from where a browser refuses
    relative imports. So the names at the top of these modules must differ from each other.
    """
    texts: dict[Path, str] = {}

    def add(path: Path) -> None:
        text = path.read_text("utf-8")
        for needed in _IMPORT.findall(text):
            if (other := (path.parent / needed).resolve()) not in texts:
                add(other)
        texts[path] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(asset(name).resolve())
    return "\n".join(texts.values())
