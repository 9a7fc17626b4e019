"""A table for answers that compare: one row a thing, with its short answer."""

import re
from collections.abc import Mapping, Sequence

from ragnb.records import Claim, SubQuestion
from ragnb.text.cues import is_chinese, question_kind

__all__ = ["compared", "sides"]


def sides(questions: Sequence[SubQuestion]) -> list[str]:
    """Return what each of several alike questions is about: the words that the others lack.

    >>> asked = [SubQuestion.of("What is the price of Basic?"),
    ...          SubQuestion.of("What is the price of Assured?")]
    >>> sides(asked)
    ['Basic', 'Assured']
    """
    cut = [_words(question.text) for question in questions]
    head = tail = 0
    shortest = min(len(words) for words in cut)
    while head < shortest and len({words[head] for words in cut}) == 1:
        head += 1
    while tail < shortest - head and len({words[-1 - tail] for words in cut}) == 1:
        tail += 1
    joint = "" if is_chinese(questions[0].text) else " "
    return [joint.join(words[head : len(words) - tail]) for words in cut]


def _words(text: str) -> list[str]:
    bare = text.strip().rstrip("?？。. ")
    return list(bare) if is_chinese(bare) else re.sub(r":\s", " ", bare).split()


def compared(
    goal: str,
    questions: Sequence[SubQuestion],
    claims: Sequence[Claim],
    short: Mapping[str, str],
) -> tuple[tuple[str, str], ...]:
    """Return a table of a comparison: each thing with what is said of it.

    Args:
        goal: What the user asked; only goals that compare have a table.
        questions: The sub-questions.
        claims: The conclusions.
        short: The short answer of each claim, by its id.

    Returns:
        Rows of a thing and its answer; empty where nothing is compared, or one side is missing.
    """
    if question_kind(goal) != "comparison":
        return ()
    said = {claim.question_id: claim for claim in claims}
    both = [question for question in questions if question.id in said and question.required]
    if len(both) < 2 or len(both) != sum(question.required for question in questions):
        return ()
    names = sides(both)
    if not all(names):
        return ()
    return tuple(
        (name, short.get(said[question.id].id) or said[question.id].statement)
        for name, question in zip(names, both, strict=True)
    )
