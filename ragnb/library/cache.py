"""Where indexes of folders are kept for a user: the cache folder of the platform."""

from pathlib import Path

from ragnb.records import content_id

__all__ = ["cached_index", "index_root"]


def index_root() -> Path:
    """Return the folder of all indexes of this user; it may not exist yet.

    >>> index_root().name
    'indexes'
    """
    from platformdirs import user_cache_path

    return user_cache_path("ragnb") / "indexes"


def cached_index(folder: str | Path) -> Path:
    """Return where the index of a folder is kept: never in the folder itself.

    >>> cached_index("/a/handbook").name.startswith("handbook-")
    True
    """
    place = Path(folder).resolve()
    return index_root() / f"{place.name}-{content_id(place)}"
