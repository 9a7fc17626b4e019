"""Whether pieces of evidence are enough together, and which piece more makes them so."""

from collections.abc import Sequence
from typing import Final

from ragnb.records import SubQuestion
from ragnb.stages.coverage import asked
from ragnb.stages.features import VALUED, names_nothing
from ragnb.stages.fitted import chance
from ragnb.stages.links import aliases, flat, named
from ragnb.stages.pairs import gives_value
from ragnb.stages.picking import MOST, Picked
from ragnb.text.tokens import terms
from ragnb.text.values import names

__all__ = ["completed", "enough_features"]

FAINT: Final = 0.02
COMPLETES: Final = 0.1
"""A piece of a chance from `FAINT` on joins the others if it makes it so much likelier that they
are enough: it may name what else none of them names."""


def completed(
    question: SubQuestion, ranked: Sequence[Picked], chosen: Sequence[Picked]
) -> tuple[Picked, ...]:
    """Return chosen pieces with those of all that make it much likelier that they are enough."""
    kept = tuple(chosen)
    if names_nothing(question.text) or not kept:
        return kept
    beside = [each for each in ranked if each.chance >= FAINT]
    now = chance("enough", enough_features(question, kept))
    while len(kept) < MOST:
        found = [
            (chance("enough", enough_features(question, (*kept, each))), each.chance, each)
            for each in beside
            if each not in kept
        ]
        if not found:
            break
        likely, _, best = max(found, key=lambda each: (each[0], each[1], each[2].item.id))
        if likely < now + COMPLETES:
            break
        kept, now = (*kept, best), likely
    return kept


def enough_features(question: SubQuestion, chosen: Sequence[Picked]) -> dict[str, float]:
    """Return what tells whether pieces are enough.

    Returns:
        ``led``: whether a source that the question names leads to another one. ``cover``: the
        share of the question that they cover together. ``best``: that the best one covers alone.
        ``titles``: the share of the question's names that are titles of their sources. ``held``:
        of those whose words they hold. ``nameless``: whether the question has no name. ``told``:
        the share of its other words that they hold. ``head``: whether they hold the noun after
        "which" or "what", if there is one. ``typed``: whether the most telling one gives the value
        that is asked for; ``other``: whether none is. ``tells``: the chance that it holds the
        words that are asked for; ``chance`` and ``second``: the two best chances to belong.
        ``support``: the best grade, 1 for strong and 0.5 for partial.
    """
    union: dict[str, float] = {}
    for item, *_ in chosen:
        for term, value in item.covers:
            union[term] = max(union.get(term, 0.0), value)
    called = {flat(value.text) for value in names(question.text)}
    titles = [aliases(item.title, item.source_id) for item, *_ in chosen]
    words = {term for item, *_ in chosen for term in terms(f"{item.title} {item.quote}")}
    equal = sum(any(name in known for known in titles) for name in called)
    held = sum(set(terms(name)) <= words for name in called)
    about = asked(question.text)
    plain = set(about.weights) - about.named - about.led
    telling = max(chosen, key=lambda each: (each.tells, each.item.id))
    valued = question.kind in VALUED
    alone = max(sum(value for _, value in item.covers) for item, *_ in chosen)
    called_for = [named(known, question.text) for known in titles]
    led = any(
        name
        and any(named(titles[other], item.quote) for other in range(len(chosen)) if other != at)
        for at, ((item, *_), name) in enumerate(zip(chosen, called_for, strict=True))
    )
    return {
        "led": float(led),
        "cover": round(sum(union.values()), 6),
        "best": round(alone, 6),
        "titles": round(equal / len(called), 6) if called else 0.0,
        "held": round(held / len(called), 6) if called else 0.0,
        "nameless": float(not called),
        "support": 1 - min(item.grade for item, *_ in chosen) / 2,
        "told": round(len(plain & union.keys()) / len(plain), 6) if plain else 1.0,
        "head": float(not about.head or about.head in union),
        "typed": float(valued and gives_value(question, telling.item)),
        "other": float(not valued),
        "tells": telling.tells,
        "chance": chosen[0].chance,
        "second": chosen[1].chance if len(chosen) > 1 else 0.0,
    }
