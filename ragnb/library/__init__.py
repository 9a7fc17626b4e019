"""Documents in, chunks out, anything readable again by its id."""

from ragnb.library.chunking import Chunking
from ragnb.library.embedders import HaystackEmbedder
from ragnb.library.explain import Explanation
from ragnb.library.files import Report, Row
from ragnb.library.library import Library
from ragnb.library.source import Source, SourceInfo

__all__ = [
    "Chunking",
    "Explanation",
    "HaystackEmbedder",
    "Library",
    "Report",
    "Row",
    "Source",
    "SourceInfo",
]
