"""The words and signs of the rules language, and what each token is called when a message speaks of it.

Data only: the lexer, the error messages and the printer read these tables. It imports nothing.
"""

from __future__ import annotations

from typing import Final

HARD: Final[dict[str, str]] = {
    word: word.upper()
    for word in (
        "and", "else", "elif", "false", "for", "if", "in", "is", "let", "may", "none", "not", "or", "otherwise",
        "players", "true", "where",
    )
}  # fmt: skip
"""Words that are never names, with their tokens."""

VERBS: Final[dict[str, str]] = {
    word: word.upper()
    for word in (
        "collect", "deal", "flip", "move", "note", "raise", "repeat", "return", "reveal", "show", "shuffle", "stop",
        "swap", "tell",
    )
}  # fmt: skip
"""Words that begin a statement; anywhere else they are names."""

OPENINGS: Final[dict[tuple[str, ...], str]] = {
    ("as", "usual"): "AS_USUAL",
    ("skip", "to", "next"): "SKIP",
    ("end", "game"): "END_GAME",
    ("reverse", "play"): "REVERSE_PLAY",
    ("all", "players", "return"): "ALL_RETURN",
    ("any", "player"): "ANY_PLAYER",
    ("each", "player"): "EACH_PLAYER",
    ("collect", "all", "cards"): "COLLECT_ALL",
    ("shuffle", "all", "cards"): "SHUFFLE_ALL",
    ("turn", "over"): "TURN_OVER",
}
"""Several words that begin a statement together."""

LINKS: Final[dict[str, str]] = {
    "after": "SEATING",
    "as": "AS",
    "at": "AT",
    "before": "SEATING",
    "by": "BY",
    "chooses": "CHOOSES",
    "common": "SETWISE",
    "from": "FROM",
    "into": "INTO",
    "leaves": "LEAVES",
    "of": "OF",
    "per": "PER",
    "returns": "RETURNS",
    "secretly": "SECRETLY",
    "times": "TIMES",
    "to": "TO",
    "union": "SETWISE",
    "whether": "WHETHER",
    "with": "WITH",
    "without": "SETWISE",
}
"""Words that follow an operand; where an operand is wanted they are names."""

LONG_LINKS: Final[dict[tuple[str, ...], str]] = {
    ("or", "else"): "OR_ELSE",
    ("not", "in"): "NOT_IN",
    ("starting", "with"): "SEATING",
    ("at", "once"): "AT_ONCE",
    ("at", "random"): "AT_RANDOM",
    ("face", "up"): "FACE",
    ("face", "down"): "FACE",
}
"""Several words that follow an operand together."""

PREDICATES: Final[dict[tuple[str, ...], str]] = {
    ("a", "player"): "PREDICATE",
    ("a", "card"): "PREDICATE",
    ("empty",): "PREDICATE",
    ("out",): "PREDICATE",
    ("some",): "PREDICATE",
    ("none",): "PREDICATE",
    ("face", "up"): "FACE",
    ("face", "down"): "FACE",
}
"""What may stand after `is` and `is not`."""

OF: Final[dict[str, str]] = {word: f"{word.upper()}_OF" for word in ("all", "random", "set", "groups", "runs", "cover")}
"""Words that mean something before `of`, where an operand is wanted."""

SIGNS: Final[dict[str, str]] = {
    "..": "DOTS",
    "//": "QUOTIENT",
    "**": "POWER",
    "+=": "AUGMENT",
    "-=": "AUGMENT",
    "*=": "AUGMENT",
    "==": "COMPARE",
    "!=": "COMPARE",
    "<=": "COMPARE",
    ">=": "COMPARE",
    "<": "COMPARE",
    ">": "COMPARE",
    "=": "EQUAL",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "%": "PERCENT",
    ":": "COLON",
    ",": "COMMA",
    ".": "DOT",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQB",
    "]": "RSQB",
    "{": "LBRACE",
    "}": "RBRACE",
}

ARITHMETIC: Final[tuple[str, ...]] = ("+", "-", "*", "//", "%", "**")
"""Signs between two numbers."""

CLOSING: Final[dict[str, str]] = {"(": ")", "[": "]", "{": "}"}

FOLDS: Final[frozenset[str]] = frozenset(("sum", "count", "min", "max", "some", "every", "same", "distinct"))
"""Names that gather over `for` clauses."""

OPERAND_ENDS: Final[frozenset[str]] = frozenset(
    ("NAME", "INT", "STRING", "RPAR", "RSQB", "RBRACE", "TRUE", "FALSE", "NONE", "PLAYERS", "PREDICATE", "AT_RANDOM",
     "AT_ONCE", "FACE", "SKIP", "STOP", "END_GAME", "AS_USUAL", "REVERSE_PLAY", "COLLECT_ALL", "SHUFFLE_ALL", "LEAVES",
     "RETURNS", "ALL_RETURN", "TIMES", "IF_POSSIBLE")
)  # fmt: skip
"""Tokens after which an operator or a clause word comes, not an operand."""

CALLED: Final[dict[str, str]] = {
    "AUGMENT": "'+='",
    "COMPARE": "a comparison",
    "SETWISE": "'union', 'common' or 'without'",
    "SEATING": "'after' or 'starting with'",
    "PREDICATE": "'none', 'empty', 'a player', 'a card' or 'face up'",
    "FACE": "'face up' or 'face down'",
    "END_OF": "'top of'",
    "END_N": "'top'",
    "EXTREME": "'highest' or 'lowest'",
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in double quotes",
    "NL": "the end of the line",
    "INDENT": "indented lines",
    "DEDENT": "the end of the indented lines",
    "$END": "the end of the text",
    "OR_ELSE": "'or else'",
    "IF_POSSIBLE": "'if possible'",
    "NOT_IN": "'not in'",
    **{token: f"'{word} of'" for word, token in OF.items()},
    "COVER_OF": "'best cover of'",
    "COLLECT_ALL": "'collect all cards'",
    "SHUFFLE_ALL": "'shuffle all cards'",
    "TURN_OVER": "'turn over'",
    "AS_USUAL": "'as usual'",
    "SKIP": "'skip to next'",
    "END_GAME": "'end game'",
    "REVERSE_PLAY": "'reverse play'",
    "ALL_RETURN": "'all players return'",
    "ANY_PLAYER": "'any player'",
    "EACH_PLAYER": "'each player'",
    "AT_ONCE": "'at once'",
    "AT_RANDOM": "'at random'",
    "EQUAL": "'='",
    **{token: f"'{sign}'" for sign, token in SIGNS.items() if token not in ("AUGMENT", "COMPARE", "EQUAL")},
}
"""How a message names a token; a word that is not here is named by itself in quotes."""


def called(token: str) -> str:
    """A token type as people read it: ``TO`` is ``'to'``."""
    return CALLED.get(token, f"'{token.lower()}'")

FORMS: Final[dict[str, str]] = {
    "ANY_PLAYER": "any player p in players may choose card from hand[p]:",
    "COLLECT": "collect CARDS to ZONE",
    "COLLECT_ALL": "collect all cards to ZONE",
    "DEAL": "deal NUMBER from ZONE to ZONE",
    "EACH_PLAYER": "each player p at once chooses card from hand[p]",
    "ELIF": "elif CONDITION:",
    "FLIP": "flip CARD face up",
    "FOR": "for NAME in players:",
    "IF": "if CONDITION:",
    "LET": "let NAME = VALUE",
    "MOVE": "move CARDS to ZONE",
    "NOTE": 'note "text with {values}"',
    "RAISE": "raise EVENT(VALUES)",
    "REPEAT": "repeat: or repeat NUMBER times:",
    "REVEAL": "reveal CARDS",
    "SHOW": "show CARDS to PLAYER",
    "SHUFFLE": "shuffle ZONE or shuffle CARDS into ZONE",
    "SHUFFLE_ALL": "shuffle all cards into ZONE",
    "SKIP": "skip to next if CONDITION",
    "STOP": "stop if CONDITION",
    "SWAP": "swap CARD with CARD",
    "TURN_OVER": "turn over ZONE",
    "TELL": "tell PLAYER whether CONDITION",
}
"""How each statement is written, by the token that begins it."""

FOREIGN_WORDS: Final[dict[str, str]] = {
    "break": "to leave a loop write 'stop'",
    "case": "write 'if' and 'elif'",
    "const": "a new name is given with 'let'",
    "continue": "to go on with the next turn of a loop write 'skip to next'",
    "def": "functions and rules have a name of their own under 'functions:' and 'rules:'",
    "draw": "cards are drawn with 'deal 1 from ZONE to ZONE' or 'move top of ZONE to ZONE'",
    "elseif": "write 'elif CONDITION:'",
    "elsif": "write 'elif CONDITION:'",
    "exit": "to end the game write 'end game'",
    "foreach": "write 'for NAME in players:'",
    "function": "functions have a name of their own under 'functions:'",
    "give": "write 'move CARDS to ZONE'",
    "log": "to tell everyone something write 'note \"...\"'",
    "loop": "write 'repeat:'",
    "new": "a new name is given with 'let'",
    "pass": "a block that does nothing is left out; in a menu, tell what was chosen: 'note \"{me} passes\"'",
    "print": "to tell everyone something write 'note \"...\"'",
    "put": "write 'move CARDS to ZONE'",
    "say": "to tell everyone something write 'note \"...\"'",
    "set": "a variable is set with 'name = value'",
    "switch": "write 'if' and 'elif'",
    "take": "write 'move CARDS to ZONE'",
    "until": "write 'repeat:' and in its lines 'stop if CONDITION'",
    "var": "a new name is given with 'let'",
    "while": "write 'repeat:' and as its first line 'stop if not CONDITION'",
}
"""Words that people bring along from elsewhere, and what is written here instead."""
