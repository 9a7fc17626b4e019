"""Where a run lost what a right answer needs: for each source or span, the stage, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragnb.agent.run import Run
from ragnb.display import bundle
from ragnb.errors import InputError
from ragnb.evaluate.following import KEPT, STAGES, Followed, Stage, stage_of
from ragnb.evaluate.needs import Need
from ragnb.records import Claim
from ragnb.text import hedge

if TYPE_CHECKING:
    from ragnb.library import Library

__all__ = ["Attribution", "Fate", "attribution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of something needed."""

    need: Need
    stage: Stage
    """Where it was lost, or kept."""
    detail: str
    """Why, in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """What became of all that a question needs, in one run."""

    goal: str
    fates: tuple[Fate, ...]
    overstated: tuple[str, ...] = ()
    """Conclusions that say more than the documents do."""
    answered: bool
    """Whether the run drew a conclusion."""
    satisfied: bool
    """Whether its last assessment called the evidence enough."""
    stop: str
    """The code of its stop reason; empty while it goes on."""

    @property
    def lost(self) -> tuple[Fate, ...]:
        """What is needed and not in the answer."""
        return tuple(fate for fate in self.fates if fate.stage != KEPT)

    @property
    def stage(self) -> Stage:
        """The earliest stage that lost something: the first thing to look at; or kept."""
        stages: set[str] = {fate.stage for fate in self.fates}
        stages |= {"overstated"} if self.overstated else set()
        return next((stage for stage in STAGES if stage in stages), KEPT)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(self, "attribution")


def attribution(
    run: Run,
    needs: Sequence[Need],
    *,
    doubtful: bool = False,
    library: "Library | None" = None,
) -> Attribution:
    """Tell for each thing that a right answer needs at which stage a run lost it.

    The stages, in order; of several ways to a need the one that got furthest counts:

    * never queried: no query that was sent shares a word with the span or its source's name;
    * not retrieved: queried, but among no search's hits;
    * lost in rerank: a hit that no reranking kept;
    * not read: kept, but the run ended by itself without reading it;
    * not extracted: looked through, but no evidence holds it;
    * stopped too early: a limit, a failure or a person ended the run while it was still to be
      read or looked through, or while a query waited or a gap was open;
    * left out: evidence, but not quoted in a conclusion;
    * overstated: concluded, although the documents leave it open; or else kept.

    Range: one of these for each need; the earliest is the run's own. Source: the path that each
    piece takes through a run, as `ragnb.agent.state` keeps it.

    Args:
        run: A run, ended or not.
        needs: What a right answer needs; none for a question that the documents can't answer.
        doubtful: The documents only guess, or contradict each other: what is needed must be told
            as uncertain.
        library: What the run searched. With it hits are judged by the passage that holds the
            span, without it by their source.

    Raises:
        InputError: What is given is no run, or the library lacks a needed source or span.

    >>> from ragnb.evaluate.example import example
    >>> kept = Need(source="exports", quote="30 days")
    >>> missed = Need(source="exports", quote="meets in May")
    >>> [fate.stage for fate in attribution(example(), [kept, missed]).fates]
    ['kept', 'left out']
    """
    if not isinstance(run, Run):
        raise InputError(f"attribution() got a {type(run).__name__}; expected a Run.")
    followed = Followed.of(run.state, library)
    fates = []
    for need in needs:
        reached = [stage_of(followed, way) for way in need.ways]
        stage, detail = max(reached, key=lambda each: (*STAGES, KEPT).index(each[0]))
        if doubtful:
            stage, detail = _of_doubtful(followed, need, stage, detail)
        fates.append(Fate(need=need, stage=stage, detail=detail))
    claims = run.answer.conclusions if run.answer else ()
    over = [claim.statement for claim in claims if not needs or _too_firm(followed, claim)]
    verdicts = [item.verdict for item in run.state.assessments[-1:]]
    return Attribution(
        goal=run.goal,
        fates=tuple(fates),
        overstated=tuple(over),
        answered=bool(claims),
        satisfied=verdicts == ["satisfied"],
        stop=run.state.stop.code if run.state.stop else "",
    )


def _too_firm(followed: Followed, claim: Claim) -> bool:
    """Tell whether a claim rests on hedged words alone and doesn't hedge itself."""
    return followed.hedged(claim) and not hedge(claim.statement)


def _of_doubtful(followed: Followed, need: Need, stage: Stage, detail: str) -> tuple[Stage, str]:
    """Return stage and detail where what is needed must be told as uncertain."""
    if any(followed.doubts(way) for way in need.ways):
        return KEPT, "Told as uncertain, as it is."
    if stage == KEPT:
        return "overstated", "Told as if it were certain; the documents leave it open."
    return stage, detail
