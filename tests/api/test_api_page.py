"""The examples in docs/api.md, run one after the other as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulerun

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_examples_run_and_print_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    exec("".join(blocks), names)
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "this choice was asked for after 0 choices, and 1 have been made"
    assert printed[1] in text
    assert "--carry-over or Game.carry_over plays what still fits" in printed[2]
    assert re.fullmatch(r"\d of 1 .*", printed[3])


def test_the_page_names_everything_public() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in rulerun.__all__:
        assert name in text, name
