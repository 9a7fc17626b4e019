from dataclasses import replace

from ragnb.agent.folding import folded
from ragnb.records import Evidence


def piece(source: str, quote: str) -> Evidence:
    return Evidence(
        id=f"{source} {quote}",
        question_id="q",
        quote=quote,
        verified=True,
        source_id=source,
        chunk_id="c",
        context_id="x",
        start=0,
        end=len(quote),
    )


FIRST = piece("a.md", "A customer must report a breach within 14 days.")


def test_a_copy_in_another_source_is_named_by_the_piece_that_was_there() -> None:
    copy = piece("b.md", "A customer must report a breach within 14 days!")
    (kept,) = folded([FIRST], [copy])
    assert (kept.id, kept.also_in) == (FIRST.id, ("b.md",))
    assert folded([kept], [copy]) == (kept,)


def test_other_words_other_facts_and_another_standing_stay_apart() -> None:
    others = [
        piece("b.md", "A breach has to be told to us in two weeks."),
        piece("c.md", "A customer must report a breach within 30 days."),
        replace(piece("d.md", FIRST.quote), status="superseded"),
    ]
    assert folded([FIRST], others) == (FIRST, *others)
