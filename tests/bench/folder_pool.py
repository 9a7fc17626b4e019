"""The folders of folder_training.json: what weights are fitted on beside encyclopaedias."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ragnb.library.library import Library

__all__ = ["Folder", "folders"]


class Folder:
    """One folder: its library, its texts, and its questions that ask for one thing."""

    def __init__(self, path: Path, items: list[dict[str, Any]]) -> None:
        self.library = Library.from_folder(path)
        self.texts = {i.id: self.library.source(i.id).text for i in self.library.sources}
        self.rows = [_row(item) for item in items if len(item["needed"]) < 2]


def folders(data: Path) -> Iterator[Folder]:
    """Give the folders that questions were written on."""
    file = Path(__file__).with_name("folder_training.json")
    items = json.loads(file.read_text("utf-8"))
    for name in sorted({item["folder"] for item in items}):
        place = data / "folders" / name / "files"
        yield Folder(place, [item for item in items if item["folder"] == name])


def _row(item: dict[str, Any]) -> dict[str, Any]:
    """Return a question in the words of the other sets."""
    ways = [way for need in item["needed"] for way in (need, *need.get("instead", ()))]
    return {
        "question": item["question"],
        "gold_docs": [way["source"] for way in ways],
        "answers": [way["quote"] for way in ways] or ["no"],
    }
