"""The one space of names: what may be a name, and that no two things have the same one."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulerun.check.declarations.symbols import Symbol, Symbols
from rulerun.check.declarations.words import NAME_RESERVED, VALUE_RESERVED, why_reserved
from rulerun.document.model import Word
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Span


@dataclass
class Namespace:
    """Every name declared so far: what it is ("a zone"), and where (None: built in)."""

    symbols: Symbols
    found: Diagnostics
    taken: dict[str, tuple[str, Span | None]] = field(default_factory=dict)

    def claim(self, name: str, span: Span | None, what: str) -> bool:
        """Takes a name, or tells why it cannot be had: RR0301 if it is taken, RR0302 if it is no name."""
        if span is not None and not sound_name(name, span, what, self.found):
            return False
        if name in self.taken:
            other, where = self.taken[name]
            message = f"`{name}` is {other} already, it cannot be {what} too"
            if other == what:
                message = f"there is {what} `{name}` already"
            self.found.error(
                "RR0301",
                message,
                span,
                notes=(Note(f"`{name}` is declared here", where),) if where else (),
                help="give one of them another name"
                if where
                else "it comes with the standard deck: choose another name",
            )
            return False
        self.taken[name] = (what, span)
        return True

    def declare(self, word: Word, what: str, symbol: Symbol) -> bool:
        """Claims the name of a symbol and enters it."""
        if not self.claim(word.text, word.span, what):
            return False
        self.symbols.names[word.text] = symbol
        return True


def sound_name(name: str, span: Span, what: str, found: Diagnostics, *, value: bool = False) -> bool:
    """Whether a word (of letters and digits, which the shape of the file has seen to) can be a name in rule text.
    RR0302 if not."""
    if name in (VALUE_RESERVED if value else NAME_RESERVED):
        found.error(
            "RR0302",
            f"`{name}` cannot be the name of {what}: it is {why_reserved(name)}",
            span,
            help="choose another name",
        )
        return False
    return True
