"""Records of question sets: passages, questions over a pool of them, disputes, statements."""

from dataclasses import dataclass, field

__all__ = ["Disputed", "Passage", "Pool", "Question", "Statement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A document of a pool."""

    id: str
    title: str = ""
    text: str
    sentences: tuple[str, ...] = ()
    """Its sentences where the set gives them."""
    kind: str = ""
    """What the set says of it: in RAMDocs correct, misinfo or noise."""
    answer: str = ""
    """The answer that it gives, where the set says so; empty for noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with what is known of its answer."""

    id: str
    text: str
    answers: tuple[str, ...] = ()
    """Right answers; the first is the main one; none for questions that can't be answered."""
    kind: str = ""
    gold: tuple[str, ...] = ()
    """Ids of the passages that a full answer needs."""
    supporting: tuple[tuple[str, int], ...] = ()
    """Needed sentences: passage id and index from 0."""
    relevance: dict[str, int] = field(default_factory=dict, hash=False)
    """Graded relevance by passage id, above 0, where the set grades."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Passages, and the questions asked over all of them."""

    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """A question with documents that may contradict each other, as in RAMDocs."""

    question: str
    entities: tuple[str, ...]
    """Those that share the name in the question."""
    passages: tuple[Passage, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim with the text it is checked against, as in WiCE."""

    claim: str
    label: str
    """supported, partially_supported or not_supported."""
    sentences: tuple[str, ...]
    supporting: tuple[tuple[int, ...], ...]
    """Sets of sentence indices, each of which supports what is supported."""
