"""The grammar is LALR(1) without conflicts, and the lexer, the builder and the cache agree with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Lark
from lark.lexer import PatternRE, PatternStr
from syntax_reading import expression

from rulerun.source import cache
from rulerun.source.syntax_codes import SYNTAX
from rulerun.syntax import grammar, words
from rulerun.syntax.build import Builder
from rulerun.syntax.grammar import STARTS, cache_name, grammar_text, tables


@pytest.fixture(scope="module")
def strict() -> Lark:
    return Lark(grammar_text(), parser="lalr", strict=True, start=list(STARTS))


def test_lark_finds_no_conflict_with_strict(strict: Lark) -> None:
    assert {rule.origin.name for rule in strict.rules} >= set(STARTS)


def test_the_builder_has_a_method_for_every_rule_and_no_other(strict: Lark) -> None:
    called = set()
    for rule in strict.rules:
        name = rule.alias or rule.options.template_source or rule.origin.name
        inlined = rule.alias is None and rule.options.expand1 and len(rule.expansion) == 1
        if not name.startswith("_") and not inlined:
            called.add(name)
    offered = {name for name in vars(Builder) if not name.startswith("_")}
    assert called == offered


def test_every_word_of_the_lexer_is_written_as_the_grammar_says(strict: Lark) -> None:
    patterns = {terminal.name: terminal.pattern for terminal in strict.terminals}
    spelt: list[tuple[str, str]] = [
        *words.HARD.items(),
        *words.VERBS.items(),
        *words.LINKS.items(),
        *words.SIGNS.items(),
    ]
    groups = {**words.OPENINGS, **words.LONG_LINKS, **words.PREDICATES}
    spelt += [(" ".join(group), token) for group, token in groups.items()]
    for text, token in spelt:
        pattern = patterns[token]
        if isinstance(pattern, PatternStr):
            assert pattern.value == text
        else:
            assert isinstance(pattern, PatternRE)
            assert re.fullmatch(pattern.to_regexp(), text), (text, token)


def test_the_lexer_can_give_every_terminal(strict: Lark) -> None:
    given = set().union(*(table.values() for table in (words.HARD, words.VERBS, words.LINKS, words.SIGNS)))
    given |= set().union(*(table.values() for table in (words.OPENINGS, words.LONG_LINKS, words.PREDICATES, words.OF)))
    given |= {
        "NAME",
        "INT",
        "STRING",
        "NL",
        "END_OF",
        "END_N",
        "BEST",
        "FIRST",
        "SOME",
    }
    given |= {"ANY", "CHOOSE", "CHOOSES", "SECRETLY", "EXTREME", "IF_POSSIBLE"}
    wanted = {terminal.name for terminal in strict.terminals if not terminal.name.startswith("__IGNORE")}
    assert wanted <= given


def test_tables_are_kept_and_read_back(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RULERUN_CACHE", str(tmp_path / "rulerun"))
    tables.cache_clear()
    expression("1 + 2")
    assert [file.name for file in (tmp_path / "rulerun").iterdir()] == [cache_name(grammar_text())]
    monkeypatch.setattr(grammar, "_make", lambda *_: pytest.fail("made anew"))
    tables.cache_clear()
    assert expression("1 + 2").op == "+"


@pytest.mark.parametrize("content", [b"", b"not a pickle", b"\x80\x04K\x01."])
def test_a_spoilt_cache_is_made_anew(content, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RULERUN_CACHE", str(tmp_path))
    name = cache_name(grammar_text())
    cache.write(name, content)
    tables.cache_clear()
    assert expression("1 + 2").op == "+"
    assert len(cache.read(name)) > 10_000


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path, monkeypatch) -> None:
    (tmp_path / "rulerun").write_text("a file where a folder is wanted")
    monkeypatch.setenv("RULERUN_CACHE", str(tmp_path / "rulerun"))
    tables.cache_clear()
    assert expression("1 + 2").op == "+"


def test_another_grammar_has_another_cache() -> None:
    assert cache_name("a") != cache_name("b")


def test_every_code_of_this_floor_has_a_golden_case() -> None:
    cases = Path(__file__).parent.parent / "cases" / "diagnostics"
    covered = {folder.name.split("-")[0] for folder in cases.iterdir()}
    assert set(SYNTAX) - covered == set()
