"""A library: what it holds, how it is searched, and what became of each file."""

from collections import Counter
from typing import Final

from ragnb.library.files import Report
from ragnb.library.library import Library
from ragnb.library.source import SourceInfo
from ragnb.views.look import details, frame, heading, muted, paragraph, table, title, unbroken
from ragnb.views.markup import Child, Html, joined, tag, web
from ragnb.views.words import count, day, short, trust

__all__ = ["library_html", "library_text", "report_html", "report_parts", "report_text"]

SHOWN: Final = 12
"""Sources and files that are listed; the rest is counted."""


def library_html(library: Library) -> str:
    """Return a library as HTML."""
    info = library.info
    sources = library.sources
    head = f"{count(info['sources'], 'document')}, {count(info['chunks'], 'passage')}"
    channels = ", ".join(short(name, 40) for name in info["channels"])
    kept = short(str(info["index"]), 200)
    where = "temporary, not kept on disk" if kept == "temporary" else kept
    parts = {
        "library": title(head, above="Library"),
        "info": paragraph("Searched by ", tag("b", channels), muted(f" · index: {where}")),
        "sources": joined([heading("Documents"), _sources(sources)]),
    }
    fields = {name: some for name, some in library.fields.items() if name != "meta.source_id"}
    if fields:
        rows = [
            (short(name, 80), short(", ".join(str(value) for value in some), 200))
            for name, some in list(fields.items())[:SHOWN]
        ]
        folded = details("Fields that filters can use", table(("field", "some values"), rows))
        parts["fields"] = folded
    parts |= report_parts(library.report)
    return frame(parts)


def library_text(library: Library) -> str:
    """Return a library as plain text."""
    return repr(library)


def report_html(report: Report) -> str:
    """Return what became of each file, as HTML."""
    return frame(report_parts(report))


def report_text(report: Report) -> str:
    """Return what became of each file, as plain text."""
    return "\n".join(short(row, 400) for row in str(report).splitlines())


def report_parts(report: Report) -> dict[str, Html]:
    """Return the counts, and every file that was left out with its reason."""
    counts = Counter(row.status for row in report.rows)
    words = [f"{number:,} {status}" for status, number in sorted(counts.items())]
    words += [f"{report.ignored:,} hidden or ignored"] if report.ignored else []
    told = [row for row in report.rows if row.why]
    parts = {"report": paragraph(muted("Report: ", ", ".join(words) or "nothing was read"))}
    if told:
        rows = [(row.status, short(row.path), short(row.why, 300)) for row in told[:SHOWN]]
        more = muted(f"and {len(told) - SHOWN} more") if len(told) > SHOWN else None
        found = table(("status", "file", "why"), rows)
        parts["told"] = details(f"{count(len(told), 'file')} with a note", found, more)
    return parts


def _sources(sources: tuple[SourceInfo, ...]) -> Html:
    rows = [_row(info) for info in sources[:SHOWN]]
    found = table(("document", "file", "date", "status", "trust"), rows)
    rest = len(sources) - SHOWN
    return joined([found, muted(f"and {rest:,} more in library.sources") if rest > 0 else None])


def _row(info: SourceInfo) -> tuple[Child, ...]:
    name = short(info.title or info.id)
    address = web(str(info.meta.get("url", "")))
    value = info.meta.get("trust", 0.5)
    sure = trust(float(value)) if isinstance(value, int | float) else short(str(value), 40)
    return (
        tag("a", name, href=address) if address else name,
        muted(short(info.id, 100)),
        unbroken(day(str(info.meta.get("updated", ""))) or "–"),
        unbroken(short(str(info.meta.get("status", "")), 20) or "–"),
        unbroken(sure),
    )
