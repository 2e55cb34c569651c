"""What all tests share: the flag that rewrites golden texts."""

from __future__ import annotations

import os

import hypothesis
import pytest

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


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be rewritten."""
    return bool(request.config.getoption("--regenerate"))
