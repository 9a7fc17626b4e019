"""What tokens cost: by the user's table, else by a kept library of prices, else unknown."""

from collections.abc import Mapping
from functools import lru_cache

from ragnb.errors import InputError

__all__ = ["Prices", "cost", "price_table"]

Prices = Mapping[str, tuple[float, float]]
"""Model names, each with the price of a million tokens read and of a million tokens written."""


def price_table(prices: Prices | None) -> dict[str, tuple[float, float]]:
    """Return the user's prices, checked.

    Raises:
        InputError: A price is not two numbers of 0 or more.

    >>> price_table({"small": (0.15, 0.6)})
    {'small': (0.15, 0.6)}
    """
    table: dict[str, tuple[float, float]] = {}
    for name, pair in (prices or {}).items():
        try:
            read, written = (float(value) for value in pair)
        except (TypeError, ValueError):
            read = written = -1.0
        if not (read >= 0 and written >= 0):
            raise InputError(
                f"prices[{name!r}] is {pair!r}; expected two numbers: what a million tokens read "
                "and a million tokens written cost."
            )
        table[name] = (read, written)
    return table


def cost(model: str, tokens_in: int, tokens_out: int, table: Prices) -> float | None:
    """Return what a call costs, or None where nobody knows; dollars where the library knows.

    >>> cost("small", 1_000_000, 500_000, {"small": (1.0, 2.0)})
    2.0
    >>> cost("nobody-knows-it", 10, 10, {}) is None
    True
    """
    pair = table.get(model) or _known(model)
    if pair is None:
        return None
    return round((tokens_in * pair[0] + tokens_out * pair[1]) / 1e6, 9)


@lru_cache(maxsize=256)
def _known(model: str) -> tuple[float, float] | None:
    """Look a model up in the price library, if that is installed; a million tokens each way."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    try:
        read = calc_price(Usage(input_tokens=1000, output_tokens=0), model_ref=model)
        written = calc_price(Usage(input_tokens=0, output_tokens=1000), model_ref=model)
    except LookupError:
        return None
    return float(read.total_price) * 1000, float(written.total_price) * 1000
