"""Every code of declarations is used, explained and shown by a golden case."""

from __future__ import annotations

from pathlib import Path

from rulerun.source.codes import CODES

ROOT = Path(__file__).parents[2]


def test_every_declaration_code_has_a_golden_case() -> None:
    cases = {p.name.split("-")[0] for p in (ROOT / "tests" / "cases" / "diagnostics").glob("RR03*")}
    assert cases == {code for code in CODES if code.startswith("RR03")}


def test_every_declaration_code_is_told_somewhere() -> None:
    engine = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "engine" / "rulerun" / "check").rglob("*.py"))
    assert [code for code in CODES if code.startswith("RR03") and f'"{code}"' not in engine] == []


def test_every_declaration_code_is_explained() -> None:
    thin = [
        code for code, c in CODES.items() if code.startswith("RR03") and (len(c.why) < 40 or not c.title or not c.bad)
    ]
    assert thin == []
