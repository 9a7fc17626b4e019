"""Measures of a run: a line for each, which says what it is where the pointer rests on it."""

from ragnb.evaluate.measures import Measures, definitions
from ragnb.views.look import frame, heading, muted, table
from ragnb.views.markup import Child, tag
from ragnb.views.words import short

__all__ = ["measures_html", "measures_text"]


def measures_html(found: Measures) -> str:
    """Return the measures of a run as HTML."""
    known = definitions()
    rows = [
        (tag("span", short(name), title=known.get(name, "")), _value(v))
        for name, v in found.items()
    ]
    return frame({"measures": heading("Measures"), "table": table(("measure", "value"), rows)})


def measures_text(found: Measures) -> str:
    """Return the measures of a run as plain text: what `print` shows of them."""
    return repr(dict(found))


def _value(value: float | str) -> Child:
    if isinstance(value, str):
        return muted("– ", short(value))
    return f"{value:g}" if not isinstance(value, bool) else "yes" if value else "no"
