"""What all tests share: which of them take long, and the flag that rewrites golden texts."""

from __future__ import annotations

import os
import tempfile
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


# What is compiled in tests is compiled there: nothing comes out of the user's cache or goes into it, nor to a test from
# another one, which may have had its own idea of the compiler.
os.environ["RULERUN_CACHE"] = "off"

SHARED = "RULERUN_TEST_CACHE"
"""Names the folder of `shared_cache` to workers and tests."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder of `shared_cache`, empty at first, and lets Python keep its bytecode where it is told not to:
    command lines that tests start would spend most of their time on compiling it."""
    if hasattr(config, "workerinput"):  # a worker gets the environment of the process that started it
        return
    folder = tempfile.TemporaryDirectory(prefix="rulerun-tests-")
    config.add_cleanup(folder.cleanup)
    os.environ[SHARED] = folder.name
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and config.cache is not None:
        os.environ["PYTHONPYCACHEPREFIX"] = str(config.cache.mkdir("bytecode"))


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
def shared_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that start command lines: a cache for the whole test run, so that each finds the grammar's tables made
    and a ruleset compiled."""
    monkeypatch.setenv("RULERUN_CACHE", os.environ[SHARED])


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be rewritten."""
    return bool(request.config.getoption("--regenerate"))
