"""The parse tables of the rules language, made by lark from `grammar/rules.lark`. Only this module makes them.

The text is split into tokens by `rulerun.syntax.lexer`; lark's part is the LALR(1) automaton and its calls of the
builder. Making the tables takes an eighth to a quarter of a second, too much for every start of a command line tool,
and reading them back a tenth of that: so they are kept in the user's own cache folder, under a name made from
everything that they depend on. A cache that cannot be read or written is as good as none.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulerun.source import cache
from rulerun.syntax.build import Builder
from rulerun.syntax.lexer import Lexeme

STARTS: Final = ("body", "expr", "kind", "signature", "pattern", "criterion", "reach", "over")
"""The start symbols: statements, an expression, a type, a signature, an event pattern, a criterion, a range, a `for`
without its first word."""


class Fed(Lexer):
    """Stands where lark wants a lexer; the parser is fed token by token instead."""

    def __init__(self, conf: object) -> None:
        del conf

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        del lexer_state, parser_state
        return iter(())


class Reading:
    """A parse under way, fed token by token."""

    __slots__ = ("_parser",)

    def __init__(self, parser: InteractiveParser) -> None:
        self._parser = parser

    @staticmethod
    def begin(start: str) -> Reading:
        """Begin at a start symbol."""
        return Reading(tables().parse_interactive(start=start))

    def feed(self, lexemes: Iterable[Lexeme]) -> tuple[Any, int]:
        """Feed tokens. Answers what the last one gave (the whole tree after ``$END``) and how many were taken: fewer
        than given where one could not follow. `RefusedError` of the builder passes through."""
        feed: Any = self._parser.feed_token
        taken = 0
        result: Any = None
        try:
            for lexeme in lexemes:
                result = feed(lexeme)
                taken += 1
        except UnexpectedToken:
            pass
        return result, taken

    def accepts(self) -> set[str]:
        """The token types that could follow."""
        return set(self._parser.accepts())  # type: ignore[no-untyped-call]

    def copy(self) -> Reading:
        """A second parse at the same point."""
        return Reading(self._parser.copy(deepcopy_values=False))  # type: ignore[no-untyped-call]


def grammar_text() -> str:
    """The grammar as shipped."""
    return files("rulerun.grammar").joinpath("rules.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def tables() -> lark.Lark:
    """The parser with its builder, made or read at the first call."""
    grammar = grammar_text()
    name = cache_name(grammar)
    return _read(name) or _make(grammar, name)


def cache_name(grammar: str) -> str:
    """What the tables of a grammar are kept under: one file for each grammar, lark and Python."""
    return cache.name_of("tables", grammar, *STARTS, lark.__version__, sys.version, Builder.__module__)


def _read(name: str) -> lark.Lark | None:
    content = cache.read(name)
    if content is None:
        return None
    try:
        return lark.Lark.load(io.BytesIO(content))
    except Exception:  # what another version of lark wrote may fail in any way at all
        return None


def _make(grammar: str, name: str) -> lark.Lark:
    made = lark.Lark(
        grammar,
        parser="lalr",
        start=list(STARTS),
        lexer=Fed,
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=Builder(),
    )
    content = io.BytesIO()
    made.save(content)
    cache.write(name, content.getvalue())
    return made
