"""What all tests share: which of them take long, and the flag that rewrites golden texts."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

from long_tests import LONG, TESTS

LONG_PLACES = frozenset(TESTS / name for name in LONG)

# The same examples on every machine and in every run, and nothing written into the tree; RULERUN_DEEP looks elsewhere.
hypothesis.settings.register_profile(
    "house", derandomize=os.environ.get("RULERUN_DEEP", "1") == "1", database=None, deadline=None
)
hypothesis.settings.load_profile("house")


# What is compiled in tests is compiled there: nothing comes out of the user's cache or goes into it.
os.environ["RULERUN_CACHE"] = "off"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        default=False,
        help="write what is found now as the expected text of golden cases, instead of comparing",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where no long test is asked for, files of long tests are not even read."""
    return True if config.option.markexpr == "not long" and collection_path in LONG_PLACES else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not LONG_PLACES.isdisjoint((item.path, *item.path.parents)):
            item.add_marker("long")


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be rewritten."""
    return bool(request.config.getoption("--regenerate"))
