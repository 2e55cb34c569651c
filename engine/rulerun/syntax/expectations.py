"""What could come next, in words: the parser knows token types, an author wants "a zone" or "'to'"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulerun.syntax.lexer import Lexeme
from rulerun.syntax.words import ARITHMETIC, OF, OPERAND_ENDS, SIGNS, called

MOST_TERMS: Final = 5

_SOURCES = frozenset(OF.values()) - {"SET_OF"}
_OPERANDS = frozenset((*_SOURCES, "NAME", "INT", "LPAR", "LBRACE", "TRUE", "FALSE", "NONE", "PLAYERS", "MINUS", "NOT",
                       "END_OF", "END_N", "BEST", "FIRST", "AS_USUAL"))  # fmt: skip
_OPERATORS = frozenset((*(SIGNS[sign] for sign in ARITHMETIC), "COMPARE", "AND", "OR", "IN", "NOT_IN", "IS", "SETWISE",
                        "SEATING", "DOTS", "DOT", "LSQB", "IF", "LPAR", "OR_ELSE"))  # fmt: skip
_LAST = ("NL", "$END", "COLON")
_WANTED: Final[dict[str, str]] = {
    **dict.fromkeys(sorted(_SOURCES), "a zone or a set"),
    "LET": "a name",
    "BEST": "a name",
    "FIRST": "a name",
    "ANY_PLAYER": "a name for the player",
    "EACH_PLAYER": "a name for the player",
    "FOR": "a name",
    "DOT": "the name of a field",
    "RAISE": "the name of an event with its values in brackets",
    "FROM": "a zone",
    "TO": "a zone",
    "INTO": "a zone",
    "OF": "a zone",
    "END_OF": "a zone",
    "ALL_OF": "a zone",
    "SHUFFLE": "a zone",
    "TURN_OVER": "a zone",
    "IN": "a zone, a set, a range or 'players'",
    "IF": "a condition",
    "ELIF": "a condition",
    "WHERE": "a condition",
    "NOT": "a condition",
    "AND": "a condition",
    "OR": "a condition",
    "WHETHER": "a condition",
    "MOVE": "what is moved",
    "DEAL": "a number",
    "AS": "a text in double quotes",
    "NOTE": "a text in double quotes",
    "SWAP": "a card or a zone",
    "WITH": "a card or a zone",
    "SEATING": "a player",
    "SHOW": "what is shown",
    "REVEAL": "what is shown",
    "TELL": "a player",
    "COLLECT": "what is collected",
    "FLIP": "a card",
}


def shown(lexeme: Lexeme | None) -> str:
    """A token as the author wrote it."""
    if lexeme is None:
        return "the start"
    if lexeme.text and lexeme.type not in ("NL", "$END", "INDENT", "DEDENT"):
        text = lexeme.text if len(lexeme.text) <= 30 else lexeme.text[:27] + "..."
        return text if text.startswith('"') else f"'{text}'"
    return called(lexeme.type)


def missing(row: Sequence[Lexeme], at: int) -> str:
    """What ought to stand at a place, told by the word before it."""
    if not at:
        return "a statement"
    before = row[at - 1].type
    if before == "TO" and row[0].type in ("SHOW",):
        return "a player"
    if before == "FROM" and row[0].type != "DEAL":
        return "a zone, a set or a range"
    return _WANTED.get(before, "a value")


def wanted(accepts: set[str], before: Sequence[Lexeme] = ()) -> tuple[str, ...]:
    """A few terms for what could come, the most telling first."""
    terms: list[str] = []
    after_operand = bool(before) and before[-1].type in OPERAND_ENDS
    operand = "NAME" in accepts and not after_operand
    rest = accepts - {"IF_POSSIBLE"}
    if operand:
        terms.append(missing(before, len(before)) if before else "a value" if "STOP" not in accepts else "a statement")
        rest -= _OPERANDS
        if "STOP" in accepts:
            return tuple(terms)
    if after_operand and rest - {"DOT", "LSQB", "LPAR"}:
        rest -= {"DOT", "LSQB", "LPAR"}
    operators = rest & _OPERATORS
    if len(operators) > 3:
        rest -= _OPERATORS
        rest |= {"IF"} & operators if len(operators) < 6 else set()
    last = [token for token in _LAST if token in rest]
    terms += sorted(called(token) for token in rest - set(_LAST) - {"INDENT", "DEDENT"})
    if len(operators) > 3:
        terms.append("an operator")
    terms += [called(token) for token in last]
    return tuple(dict.fromkeys(terms))[:MOST_TERMS]
