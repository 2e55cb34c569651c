"""Names that people bring along from elsewhere, and what is written here instead: the way out where a name is unknown.

Data and lookups; it knows no unit and finds nothing itself.
"""

from __future__ import annotations

import re
from typing import Final

from rulerun.check.declarations.symbols import Symbols, VariableSymbol, ZoneSymbol
from rulerun.ir.types import ArrayType

_VALUES: Final[dict[str, str]] = {
    "empty": "whether something lies there is asked with `is empty`",
    "false": "write `false`",
    "me": "whose turn it is must be said: give the rule a parameter, as in `turn(Player me)`",
    "nil": "nothing at all is `none`",
    "null": "nothing at all is `none`",
    "none": "write `none`",
    "player": "say which one: a parameter of the rule (`Player me`), or `for p in players:`",
    "true": "write `true`",
    "undefined": "nothing at all is `none`",
}
_CALLS: Final[dict[str, str]] = {
    "all": "whether it holds for all is `every(C for x in D)`",
    "any": "whether it holds for one at least is `some(C for x in D)`",
    "filter": "some of them are `(x for x in D where C)`",
    "length": "how many there are is `count(z)`",
    "len": "how many there are is `count(z)`",
    "number": "how many there are is `count(z)`",
    "rand": "chance is `random of 1..6`, alone behind `let` or `=`",
    "randint": "chance is `random of 1..6`, alone behind `let` or `=`",
    "random": "chance is `random of 1..6`, alone behind `let` or `=`",
    "range": "a range is written `1..n`; `repeat n times:` counts, too",
    "size": "how many there are is `count(z)`",
    "sort": "cards cannot be sorted; `best c in z by …` finds the highest",
    "sorted": "cards cannot be sorted; `best c in z by …` finds the highest",
}
_SEAT: Final = re.compile(r"(?i)(?:p|player_?|seat_?)\d+")


def value_hint(word: str) -> str | None:
    """What to write in the place of an unknown name of a value."""
    if _SEAT.fullmatch(word):
        return "rules name no seat: `first p in players` is the first one, and `next(p)` the one after p"
    return _VALUES.get(word.casefold())


def call_hint(word: str) -> str | None:
    """What to write in the place of a call of something unknown."""
    return _CALLS.get(word.casefold())


def field_hint(symbols: Symbols, of: str, word: str, *, many: bool) -> str | None:
    """What to write in the place of ``of.word``, where ``of`` is no card; ``many``: it is a set of cards."""
    if many and word.casefold() in ("count", "length", "number", "size"):
        return f"how many there are is `count({of})`"
    symbol = symbols.names.get(word)
    if isinstance(symbol, ZoneSymbol) or (isinstance(symbol, VariableSymbol) and isinstance(symbol.type, ArrayType)):
        return f"an index stands in square brackets: `{word}[{of}]`"
    return None
