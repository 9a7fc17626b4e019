"""Follow something needed through a run's state: queries, hits, texts, evidence, answer."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from ragnb.agent.state import Search, State
from ragnb.errors import InputError
from ragnb.evaluate.needs import Need, holds
from ragnb.records import Claim, Context, Evidence, Grounding, Hit
from ragnb.text import terms

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["KEPT", "STAGES", "Followed", "Stage", "stage_of"]

Stage: TypeAlias = Literal[
    "never queried",
    "not retrieved",
    "lost in rerank",
    "not read",
    "not extracted",
    "stopped too early",
    "left out",
    "overstated",
    "kept",
]
KEPT: Final = "kept"
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)[:-1]
"""Where something can be lost, in the order in which a run gets there."""

_Quoted: TypeAlias = tuple[tuple[str, ...], str]
"""A quote and the sources that hold it."""
_CUT: Final = ("budget", "user", "failed")
"""How the codes of runs begin that something ended from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What of a state is looked at, and the library that the run searched."""

    state: State
    library: "Library | None"
    concluded: tuple[_Quoted, ...]
    doubted: tuple[_Quoted, ...]
    looked: frozenset[str]
    """Ids of contexts, and of chunks, that were looked through."""

    @classmethod
    def of(cls, state: State, library: "Library | None") -> "Followed":
        """Look at a state."""
        answer, by_id = state.answer, {item.id: item for item in state.evidence}
        claims = answer.conclusions if answer else ()
        doubts = answer.uncertainties if answer else ()
        return cls(
            state=state,
            library=library,
            concluded=tuple(_quotes((g for c in claims for g in c.groundings), by_id)),
            doubted=tuple(_quotes((g for d in doubts for g in d.groundings), by_id)),
            looked=frozenset(context for _, context in state.extracted),
        )

    @property
    def cut(self) -> str:
        """What ended the run from outside, in words; empty if it ended by itself."""
        stop = self.state.stop
        if stop is None:
            return "the run goes on"
        return stop.text or stop.code if stop.code.startswith(_CUT) else ""

    def doubts(self, way: Need) -> bool:
        """Tell whether the answer tells it as uncertain."""
        return any(_is(way, *quoted) for quoted in self.doubted)

    def hedged(self, claim: Claim) -> bool:
        """Tell whether all that a claim rests on is hedged."""
        ids = {grounding.evidence_id for grounding in claim.groundings}
        mine = [item for item in self.state.evidence if item.id in ids]
        return bool(mine) and all(item.hedged for item in mine)

    def name(self, way: Need) -> str:
        """Return the words that the source is called by."""
        return (
            f"{way.source} {self.library.source(way.source).title}" if self.library else way.source
        )

    def finds(self, way: Need, hits: Iterable[Hit]) -> list[Hit]:
        """Return the hits that bring it: those of its passage, or of its source.

        Its passage is known with a library, and where the source holds the span word for word.
        """
        mine = [hit for hit in hits if hit.source_id == way.source]
        if self.library is None or not way.quote or not mine:
            return mine
        places = list(_places(self.library.source(way.source).text, way.quote))
        passage = [hit for hit in mine if any(hit.start < e and s < hit.end for s, e in places)]
        return passage if places else mine


def stage_of(followed: Followed, way: Need) -> tuple[Stage, str]:
    """Return at which stage a way was lost, or that it was kept, and why."""
    _check(followed, way)
    state = followed.state
    if any(_is(way, *quoted) for quoted in followed.concluded):
        return KEPT, "Quoted in a conclusion."
    known = [item for item in state.evidence if item.verified and _is(way, *_of(item))]
    if known or followed.doubts(way):
        how = "told only as uncertain" if followed.doubts(way) else "in no conclusion"
        support = f" with {known[0].support} support" if known else ""
        return "left out", f"It was found as evidence{support}, but {how}."
    read = [each for each in state.contexts if _reads(way, each)]
    if read:
        if any(_looked(followed, each) for each in read):
            return "not extracted", "Its text was looked through, but no evidence holds it."
        return _due(followed, "not extracted", "its text was read, but not looked through")
    return _before_reading(followed, way)


def _before_reading(followed: Followed, way: Need) -> tuple[Stage, str]:
    searches = followed.state.searches
    found = [(each, hits) for each in searches if (hits := followed.finds(way, each.hits))]
    best = min((hit.fused_rank or hit.rank for _, hits in found for hit in hits), default=0)
    if any(_kept(followed, way, search) for search, _ in found):
        why = f"it was among the hits, at best at place {best}, but not read"
        return _due(followed, "not read", why)
    if found:
        kept = max(len(search.ranked or ()) for search, _ in found)
        why = f"it was at place {best} before reranking, and not among the {kept} kept"
        return _open(followed, "lost in rerank", why)
    words = set(terms(f"{followed.name(way)} {way.quote}"))
    if any(words.intersection(terms(query.text)) for query in followed.state.asked):
        whole = sum(len(search.hits) for search in searches)
        same = any(hit.source_id == way.source for each in searches for hit in each.hits)
        other = "; another passage of its source was" if same else ""
        return _open(followed, "not retrieved", f"it was not among the {whole} hits{other}")
    return _open(followed, "never queried", "no query that was sent shares a word with it")


def _open(followed: Followed, stage: Stage, what: str) -> tuple[Stage, str]:
    """Return the stage, or that the run was stopped while it still had something to search for."""
    state = followed.state
    if state.pending or any(gap.blocks for gap in state.open_gaps):
        return _due(followed, stage, what)
    return stage, f"{what[0].upper()}{what[1:]}."


def _due(followed: Followed, stage: Stage, what: str) -> tuple[Stage, str]:
    """Return the stage, or that the run was stopped before it could get on."""
    if cut := followed.cut:
        return "stopped too early", f"When the run ended ({cut.rstrip('.')}), {what}."
    return stage, f"{what[0].upper()}{what[1:]}."


def _kept(followed: Followed, way: Need, search: Search) -> bool:
    """Tell whether a search's order for reading holds it; without reranking that is its hits."""
    return bool(followed.finds(way, search.hits if search.ranked is None else search.ranked))


def _of(item: Evidence) -> _Quoted:
    return (item.source_id, *item.also_in), item.quote


def _quotes(groundings: Iterable[Grounding], by_id: dict[str, Evidence]) -> Iterator[_Quoted]:
    for each in groundings:
        item = by_id.get(each.evidence_id)
        yield (each.source_id, *(item.also_in if item else ())), each.quote


def _is(way: Need, sources: tuple[str, ...], quote: str) -> bool:
    return way.source in sources and (not way.quote or holds(quote, way.quote))


def _reads(way: Need, context: Context) -> bool:
    return context.source_id == way.source and (not way.quote or holds(context.text, way.quote))


def _looked(followed: Followed, context: Context) -> bool:
    by_chunk = context.scope == "chunk" and context.chunk_id in followed.looked
    return context.id in followed.looked or by_chunk


def _places(text: str, quote: str) -> Iterator[tuple[int, int]]:
    at = text.find(quote)
    while at >= 0:
        yield at, at + len(quote)
        at = text.find(quote, at + 1)


def _check(followed: Followed, way: Need) -> None:
    """Raise an InputError where the library lacks what is said to be needed."""
    if followed.library is None:
        return
    text = followed.library.source(way.source).text
    if way.quote and not holds(text, way.quote):
        raise InputError(
            f"{way.source!r} doesn't hold {way.quote!r}; library.source(…).text shows how it is "
            "read."
        )
