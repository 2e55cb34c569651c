"""Our games beside OpenSpiel's. Where its wheel cannot be installed, only the figures of CardStock are compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("pyspiel") else ["test_lockstep*.py", "test_trees.py"]

PARTS = 4
"""So many tests share the games of one comparison: none of them takes longer than all that run beside it."""


@pytest.fixture(params=range(PARTS), ids=lambda part: f"part {part + 1}")
def run(request: pytest.FixtureRequest) -> Callable[..., float]:
    """Plays a part of the games of an adapter; decisions a game."""
    from lockstep import play_games

    return partial(play_games, request.param, PARTS)
