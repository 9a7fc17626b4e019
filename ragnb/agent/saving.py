"""Save a trace with all texts that were read, or with the quotes alone."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from ragnb.agent.actions import Action, Rerank
from ragnb.agent.outcomes import Found, Hits, Outcome, TextRead, ToolDone, Value
from ragnb.agent.state import State
from ragnb.agent.trace import Trace
from ragnb.errors import InputError
from ragnb.records import Context

__all__ = ["Saved", "Texts", "save_trace"]

Texts: TypeAlias = Literal["all", "quotes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a saved file holds of other people's texts."""

    path: Path
    texts: Texts
    sources: tuple[str, ...]
    """Ids of the sources of which the file holds text."""

    def __str__(self) -> str:
        """Say in plain words what the file holds."""
        what = "passages that were read" if self.texts == "all" else "quotes"
        names = ", ".join(self.sources) or "no source"
        return f"{self.path} holds {what} of {len(self.sources)} sources: {names}"


def save_trace(trace: Trace, path: str | Path, texts: Texts = "all", *, last: str = "") -> Saved:
    """Write a whole trace into a new file.

    Args:
        trace: What is saved, with all its branches.
        path: A file that doesn't exist yet.
        texts: ``"all"`` keeps the passages that were read; ``"quotes"`` the quotes alone, so the
            file can be looked at but their surroundings can't be read again; what models were
            sent and replied is left out too.
        last: The branch on which the file is opened again.

    Raises:
        TraceError: The file exists already, or can't be written.
        InputError: ``texts`` is neither.
    """
    if texts not in {"all", "quotes"}:
        raise InputError(f"texts is {texts!r}; expected 'all' or 'quotes'.")
    copy = Trace(trace.start, path, config=trace.config)
    sources: dict[str, None] = {}
    for entry in trace.entries.values():
        outcome = entry.outcome if texts == "all" else _without_texts(entry.outcome)
        sources |= dict.fromkeys(_sources(outcome))
        sources |= dict.fromkeys(_ranked(trace.state(entry.parent), entry.action, outcome))
        copy.add(replace(entry, outcome=outcome))
    for name, head in sorted(trace.heads.items(), key=lambda item: item[0] == last):
        copy.heads.pop(name, None)
        copy.set_head(name, head)
    for text in trace.notes:
        copy.note(text)
    copy.close()
    return Saved(path=Path(path), texts=texts, sources=tuple(sorted(sources)))


def _without_texts(outcome: Outcome) -> Outcome:
    """Return an outcome with the quotes alone; of what models were asked, without the texts."""
    exchanges = tuple(replace(each, messages=(), reply="") for each in outcome.exchanges)
    return replace(outcome, value=_quotes_alone(outcome.value), exchanges=exchanges)


def _bare(context: Context) -> Context:
    return replace(context, text="", outline=())


def _quotes_alone(value: Value) -> Value:
    match value:
        case TextRead():
            return replace(value, context=_bare(value.context))
        case Found() if value.context is not None:
            return replace(value, context=_bare(value.context))
        case Hits():
            hits = tuple(
                replace(hit, via=tuple(replace(step, sentence="") for step in hit.via))
                for hit in value.hits
            )
            return replace(value, hits=hits, foreign=tuple(_bare(c) for c in value.foreign))
        case ToolDone():
            return replace(value, result="", contexts=tuple(_bare(c) for c in value.contexts))
        case _:
            return value


def _sources(outcome: Outcome) -> list[str]:
    match value := outcome.value:
        case TextRead():
            return [value.context.source_id] if value.context.text else []
        case Found():
            return [item.source_id for item in value.evidence]
        case Hits():
            return [context.source_id for context in value.foreign if context.text]
        case _:
            return []


def _ranked(state: State, action: Action, outcome: Outcome) -> list[str]:
    """Return the sources of the passages that a model was given to rank."""
    search = state.search(action.query_id) if isinstance(action, Rerank) else None
    sent = any(each.messages for each in outcome.exchanges)
    return [hit.source_id for hit in search.hits] if search is not None and sent else []
