"""Quotes are found although they are typed otherwise; false ones are told apart."""

import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragnb.text.locate import locate

TEXT = (
    "The care agent may grant a credit of up to €150 alone. Anything above needs a “team lead”.\n\n"
    "Raw temperature readings are kept for 90 days – not longer – in the hot store; after that, "
    "they are aggre-\ngated and moved to the archive. It isn't possible to restore them.\n\n"
    "## Rotation\n\n* **On-call** weeks start on Monday at 09:00.\n* A swap is agreed 10-20 days "
    "before; see [the rota](https://example.org/rota) for the naïve ﬁrst draft.\n\n"
    "冷库温度读数保留90天。超过之后，数据会被汇总。"
)
QUOTES = [
    TEXT[start:end]
    for start, end in [
        (0, TEXT.index("Anything") - 1),
        (TEXT.index("Anything"), TEXT.index("\n\nRaw")),
        (TEXT.index("Raw"), TEXT.index(" It isn't")),
        (TEXT.index("It isn't"), TEXT.index("\n\n## ")),
        (TEXT.index("**On-call"), TEXT.index("\n* A swap")),
        (TEXT.index("A swap"), TEXT.index("\n\n冷")),
        (TEXT.index("冷"), TEXT.index("超过")),
    ]
]


def _changed(quote: str, rng: random.Random) -> str:
    """Change only how a quote is typed."""
    changes = [
        lambda t: t.replace("“", '"').replace("”", '"'),
        lambda t: t.replace("'", "’"),
        lambda t: t.replace("–", "-").replace("-\n", ""),
        lambda t: re.sub(r" – ", "—", t),
        lambda t: re.sub(r"\s+", " ", t),
        lambda t: re.sub(r" ", "\u00a0", t, count=2),
        lambda t: t.replace(" ", "\n", 1),
        lambda t: re.sub(r"-\n", "", t),
        lambda t: re.sub(r"(?<=[a-z]{4})(?=[a-z]{3})", "-\n", t, count=1),
        lambda t: unicodedata.normalize("NFD", t),
        lambda t: unicodedata.normalize("NFKC", t),
        lambda t: f"…{t}",
        lambda t: f"{t.rstrip('.')}...",
        lambda t: f'"{t}"',
        lambda t: t.replace("*", ""),
        lambda t: re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", t),
        lambda t: t.rstrip("."),
        lambda t: t[0].swapcase() + t[1:],
    ]
    for change in rng.sample(changes, rng.randint(1, 4)):
        quote = change(quote)
    return quote


def test_of_true_quotes_in_other_typing_at_least_99_percent_are_kept() -> None:
    rng = random.Random(7)  # noqa: S311 - a reproducible choice, no secret
    kept = 0
    for _ in range(2000):
        quote = rng.choice(QUOTES)
        found = locate(_changed(quote, rng), TEXT)
        if found.true:
            start, end = found.spans[0]
            kept += TEXT[start:end].strip("*.。 \n“”") == quote.strip("*.。 \n“”")
    assert kept / 2000 >= 0.99


def test_an_ellipsis_near_by_is_one_span_and_far_away_two() -> None:
    near = locate("Raw temperature readings ... moved to the archive", TEXT)
    assert near.kind == "tolerant"
    assert len(near.spans) == 1
    far = locate(f"The first {'…'} the last", "The first word. " + "So it goes. " * 60 + "the last")
    assert (far.kind, len(far.spans)) == ("parts", 2)


@pytest.mark.parametrize(
    ("quote", "kind"),
    [
        ("A care agent may grant a credit of up to €500 alone.", "not_found"),
        ("grant a credit of up to €1500 alone", "not_found"),
        ("A swap is agreed 1020 days before", "not_found"),
        ("he care agent may grant", "not_found"),
        ("the care agent may grant a credit of up to €150 alone. It isn't possible", "stitched"),
        ("It isn't possible to restore them ... Raw temperature readings", "stitched"),
        ("The generator is tested each Friday.", "elsewhere"),
        ("", "not_found"),
        ("…", "not_found"),
        ("!?", "not_found"),
    ],
)
def test_false_quotes_are_told_apart(quote: str, kind: str) -> None:
    found = locate(quote, TEXT, {"power": "The generator is tested each Friday."})
    assert found.kind == kind
    assert not found.true
    assert (found.source == "power") == (kind == "elsewhere")


@given(st.text(max_size=60), st.text(max_size=200))
def test_whatever_is_given_spans_stand_in_the_text(quote: str, text: str) -> None:
    for start, end in locate(quote, text).spans:
        assert 0 <= start < end <= len(text)
