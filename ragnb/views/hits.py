"""The hits of a search: their place in each channel, fused, reranked, and what was read of them."""

from collections.abc import Sequence
from typing import Final

from ragnb.agent.state import Search, State
from ragnb.records import Hit
from ragnb.views.look import frame, muted, paragraph, title
from ragnb.views.markup import Html, drawing, joined, shape, tag
from ragnb.views.words import count, short

__all__ = ["hits_parts", "search_html", "search_text"]

SHOWN: Final = 10
"""Hits that are shown; the rest is counted."""
_ROW: Final = 24
_LINE: Final = 60
"""Pixels in which a line goes from a fused place to the place after reranking."""
_SHORT: Final = {"reference": "ref"}
_CELL: Final = (
    f"height:{_ROW}px;line-height:{_ROW}px;padding:0 8px 0 0;border:0;font-size:12px;"
    "text-align:left;vertical-align:top;white-space:nowrap;box-sizing:border-box;"
)
_INTENTS: Final = {
    "broad_recall": "a wide look",
    "targeted_followup": "a targeted follow-up",
    "conflict_check": "a check of a conflict",
    "reference_hop": "a hop along a reference",
}


def search_html(search: Search) -> str:
    """Return a search with its hits as HTML."""
    return frame(hits_parts(search))


def search_text(search: Search) -> str:
    """Return a search with its hits as plain text."""
    lines = [f"“{short(search.query.text)}” {_status(search)}"]
    for hit in _order(search)[:SHOWN]:
        kept = f"{hit.rank:>3}" if _kept(search, hit) else "  –"
        places = " ".join(f"{short(name, 20)} {place}" for name, place, _ in hit.ranks)
        lines.append(f"{kept}  was {_fused(hit):>2}  {_name(hit)}  ({places})")
    return "\n".join(lines)


def hits_parts(search: Search, state: State | None = None) -> dict[str, Html]:
    """Return the query and a table of its hits, in the newest order.

    Args:
        search: What was asked and found.
        state: Tells which hits were read and quoted.
    """
    query = search.query
    words = short(query.text, 400)
    head = joined(
        [
            title(f"“{words}”", above=f"Search, {_INTENTS[query.intent]}"),
            paragraph(
                muted(_status(search), f" Why: {short(query.reason)}" if query.reason else None)
            ),
        ]
    )
    if not search.hits:
        return {"query": head}
    return {"query": head, "hits": _table(search, state)}


def _status(search: Search) -> str:
    if search.status != "asked":
        return f"{search.status}."
    kept = "" if search.ranked is None else f", {len(search.ranked)} kept"
    more = f", the first {SHOWN} shown" if len(search.hits) > SHOWN else ""
    return f"{count(len(search.hits), 'passage')}{more}{kept}."


def _order(search: Search) -> list[Hit]:
    """Return reranked hits first, then what was cut, in the fused order."""
    ranked = list(search.ranked or ())
    kept = {hit.chunk_id for hit in ranked}
    return ranked + [hit for hit in search.hits if hit.chunk_id not in kept]


def _kept(search: Search, hit: Hit) -> bool:
    return search.ranked is None or any(hit.chunk_id == each.chunk_id for each in search.ranked)


def _fused(hit: Hit) -> int:
    return hit.fused_rank or hit.rank


def _name(hit: Hit) -> str:
    section = hit.section.rsplit(" › ", 1)[-1]
    parts = (hit.title or hit.source_id, section if section != hit.title else "")
    return short(" › ".join(part for part in parts if part), 90)


def _table(search: Search, state: State | None) -> Html:
    hits = _order(search)[:SHOWN]
    channels = list(dict.fromkeys(name for hit in hits for name, _, _ in hit.ranks))[:4]
    uses = {hit.chunk_id: _use(hit, state) for hit in hits}
    left = sorted(hits, key=_fused)
    rows = []
    for row, hit in enumerate(hits):
        cut = row > 0 and _kept(search, hits[row - 1]) and not _kept(search, hit)
        edge = "border-top:1px dashed rgba(128,128,128,0.9);" if cut else ""
        fade = "" if _kept(search, hit) else "opacity:0.78;"
        begin = left[row]
        places = {name: place for name, place, _ in begin.ranks}
        cells = [tag("td", str(places.get(name, "–")), style=_CELL) for name in channels]
        cells.append(tag("td", tag("b", str(_fused(begin))), style=_CELL))
        if row == 0:
            lines = _lines(search, left, hits, uses)
            style = f"{_CELL}height:{_ROW * len(hits)}px"
            cells.append(tag("td", lines, rowspan=len(hits), style=style))
        cells.append(tag("td", _now(search, hit, row), style=f"{_CELL}{edge}{fade}"))
        inside = f"height:{_ROW - 1}px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis"
        name = tag("div", _name(hit), style=inside)
        cells.append(tag("td", name, style=f"{_CELL}{edge}{fade}overflow:hidden"))
        cells.append(tag("td", uses[hit.chunk_id], style=f"{_CELL}{edge}"))
        rows.append(tag("tr", *cells, style=f"background:transparent;height:{_ROW}px"))
    names = [(_SHORT.get(name, name), 12 + 7 * len(short(name, 20))) for name in channels]
    names = [(name, min(max(34, wide), 52)) for name, wide in names]
    names += [("fused", 42), ("", _LINE + 8), ("now", 58), ("passage", 0), ("", 50)]
    th = f"{_CELL}font-weight:normal;opacity:0.78;overflow:hidden;"
    wide = [f"{th}width:{width}px" if width else th for _, width in names]
    cells = [tag("th", short(name, 20), style=s) for (name, _), s in zip(names, wide, strict=True)]
    head = tag("tr", *cells, style="background:transparent")
    return tag(
        "table",
        tag("thead", head),
        tag("tbody", *rows),
        style="margin:0;border:0;border-collapse:separate;border-spacing:0;table-layout:fixed;"
        "width:100%;max-width:860px",
    )


def _now(search: Search, hit: Hit, row: int) -> Html | str:
    """Return the place after reranking, and by how much it moved."""
    if search.ranked is None:
        return tag("b", str(hit.rank))
    if not _kept(search, hit):
        return "– cut"
    moved = _fused(hit) - hit.rank
    arrow = f"▲{moved}" if moved > 0 else f"▼{-moved}" if moved < 0 else "="
    return joined([tag("b", str(row + 1)), f" {arrow}"])


def _use(hit: Hit, state: State | None) -> str:
    if state is None:
        return ""
    if any(item.chunk_id == hit.chunk_id for item in state.evidence):
        return "quoted"
    read = any(
        item.source_id == hit.source_id and item.start <= hit.start and hit.end <= item.end
        for item in state.contexts
    )
    return "read" if read else ""


def _lines(search: Search, left: Sequence[Hit], hits: Sequence[Hit], uses: dict[str, str]) -> Html:
    places = {hit.chunk_id: row for row, hit in enumerate(left)}
    shapes = []
    for row, hit in enumerate(hits):
        start = (places[hit.chunk_id] + 0.5) * _ROW
        end = (row + 0.5) * _ROW
        used = uses[hit.chunk_id]
        dashed = {} if _kept(search, hit) else {"stroke_dasharray": "3 3"}
        shapes.append(
            shape(
                "path",
                d=f"M0 {start:g}C{_LINE / 2:g} {start:g} {_LINE / 2:g} {end:g} {_LINE} {end:g}",
                fill="none",
                stroke="#1fa06d" if used else "#888888",
                stroke_width=2.5 if used else 1.2,
                **dashed,
            )
        )
    height = _ROW * len(hits)
    alt = "; ".join(f"{_fused(hit)} to {row}" for row, hit in enumerate(hits, start=1))
    style = "vertical-align:top;margin:0"
    return drawing(
        shapes, alt=f"places: {alt}", view=(_LINE, height), width=_LINE, height=height, style=style
    )
