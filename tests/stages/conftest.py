from collections.abc import Iterator

import pytest

from ragnb import demo
from ragnb.library import Library


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    with demo.library() as made:
        yield made
