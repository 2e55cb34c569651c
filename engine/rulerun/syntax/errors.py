"""What the parser could not read, told in plain words: the typical mistakes first, each with its own message.

A `Stuck` is the place where reading stopped. Each function below knows one sort of mistake and answers a `Finding` or
None; the first that knows wins, and at the end stands what could have come next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rulerun.source.diagnostic import Diagnostics
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.syntax.expectations import missing, shown, wanted
from rulerun.syntax.lexer import Lexeme
from rulerun.syntax.words import FOREIGN_WORDS, FORMS, HARD, LINKS, LONG_LINKS, OPENINGS, OPERAND_ENDS, VERBS

_HEADS: Final = frozenset(("IF", "ELIF", "ELSE", "FOR", "REPEAT", "OTHERWISE", "ANY_PLAYER", "EACH_PLAYER"))
_COMPOUND: Final = frozenset(("IF", "FOR", "REPEAT", "MAY", "COLON", "ANY_PLAYER", "EACH_PLAYER", "INDENT"))
_SHORT: Final = frozenset(("IF", "FOR", "REPEAT"))
_NAMING: Final = frozenset(("LET", "FOR", "BEST", "FIRST", "ANY_PLAYER", "EACH_PLAYER", "DOT"))
_ENDS: Final = frozenset(("NL", "$END"))


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where reading stopped: the row, the place of the token in it, what could have come there and at the row's start.

    ``start`` is the start symbol, ``what`` the sort of text for people; ``above``: the row before, if there is one.
    """

    row: list[Lexeme]
    at: int
    accepts: set[str]
    begins: set[str]
    start: str
    what: str
    above: list[Lexeme]

    @property
    def token(self) -> Lexeme:
        return self.row[self.at]

    @property
    def before(self) -> Lexeme | None:
        return self.row[self.at - 1] if self.at else None

    @property
    def first(self) -> Lexeme:
        return self.row[0]

    def previous(self, back: int = 1) -> str:
        """The type of a token before this one; empty past the start."""
        return self.row[self.at - back].type if self.at >= back else ""

    def earlier(self, *types: str) -> bool:
        """Whether one of these stands before this token."""
        return any(lexeme.type in types for lexeme in self.row[: self.at])


@dataclass(frozen=True, slots=True)
class Finding:
    """A message about a place, with its way out."""

    code: str
    message: str
    span: Span
    advice: str | None = None
    expected: tuple[str, ...] = ()


def explain(
    found: Diagnostics,
    row: list[Lexeme],
    at: int,
    accepts: set[str],
    start: str,
    what: str,
    begins: set[str] | None = None,
    above: list[Lexeme] | None = None,
) -> None:
    """Add the finding for the token at ``at`` of a row, where only ``accepts`` could have gone on.

    ``begins``: what could have stood at the start of the row; ``start``: the start symbol; ``what``: its name;
    ``above``: the row before.
    """
    stuck = Stuck(row, at, accepts, begins or set(), start, what, above or [])
    finding = next((f for f in (know(stuck) for know in _KNOWN) if f is not None), None) or _plainly(stuck)
    found.error(finding.code, finding.message, finding.span, help=finding.advice, expected=finding.expected)


# ------------------------------------------------------------- the small texts


def _small_text(s: Stuck) -> Finding | None:
    if s.start in ("signature", "pattern", "kind") and s.token.type in HARD.values() and "NAME" in s.accepts:
        return _reserved(s)
    if s.start == "signature" and s.previous() == "NAME" and s.token.type in ("COMMA", "RPAR") and "NAME" in s.accepts:
        name = s.row[s.at - 1]
        if name.text[0].isupper():
            return Finding("RR0220", f"after the type '{name.text}' the name of the parameter is missing", name.span,
                           f"write '{name.text} {name.text[0].lower()}'")  # fmt: skip
        return Finding("RR0220", f"the type of the parameter '{name.text}' is missing", name.span,
                       f"write 'Player {name.text}', 'Card {name.text}' or 'int {name.text}'")  # fmt: skip
    forms = {
        "signature": "the form is: name(Player me, Card card)",
        "pattern": "the form is: event(name, name), the names without types",
        "criterion": "the form is: highest score, or: lowest score",
        "kind": "types are: int, bool, Player, Card, Cards, a type of your own, 'set of T', 'T per K', 'T or none'",
        "reach": "the form is: 1..10",
        "over": "the form is: card in hand[who], or: card in hand[who] where card.number > 3",
    }
    if s.start not in forms or (s.start == "over" and s.at > 2):
        return None
    if s.start == "reach" and "DOTS" in s.accepts:
        message = f"a range has two ends with '..' between them, not {shown(s.before)} followed by {shown(s.token)}"
    elif s.token.type in _ENDS:
        message = f"{s.what} is not complete: something is missing after {shown(s.before)}"
    else:
        message = f"{shown(s.token)} cannot stand in {s.what} here"
    return Finding("RR0220", message, s.token.span if s.token.text else s.row[s.at - 1].span, forms[s.start])


# -------------------------------------------------------- words in the wrong place


def _brought_along(s: Stuck) -> Finding | None:
    """Words of other languages."""
    if s.first.type == "NAME" and s.first.text.casefold() in FOREIGN_WORDS and 1 <= s.at <= 3 and s.begins:
        word = s.first.text.casefold()
        return Finding("RR0205", f"'{s.first.text}' is not a word of the rules language", s.first.span,
                       FOREIGN_WORDS[word])  # fmt: skip
    if s.token.type == "IF" and s.previous() == "ELSE":
        return Finding("RR0205", "'else if' is written as one word", s.row[s.at - 1].span.to(s.token.span),
                       "write 'elif CONDITION:'")  # fmt: skip
    if s.token.text.casefold() in ("when", "unless") and "IF" in s.accepts:
        return Finding("RR0205", f"'{s.token.text}' is not a word of the rules language", s.token.span,
                       "write 'if CONDITION'")  # fmt: skip
    if s.token.text.casefold() in ("then", "do", "begin") and "COLON" in s.accepts:
        return Finding("RR0205", f"'{s.token.text}' is not a word of the rules language", s.token.span,
                       "end the line with ':' and indent what follows")  # fmt: skip
    return None


def _equals(s: Stuck) -> Finding | None:
    if s.token.type == "EQUAL" or (s.token.type == "AUGMENT" and s.first.type != "LET"):
        asking = s.earlier("WHERE", "IF", "LPAR", "AND", "OR", "NOT", "COMPARE")
        if s.first.type in ("IF", "ELIF", "STOP", "SKIP") or s.start == "expr" or asking:
            return Finding("RR0204", "'=' sets a variable; it cannot compare", s.token.span, "to compare write '=='")
        if s.previous() in ("EQUAL", "AUGMENT"):
            return Finding("RR0204", "two '=' apart from each other", s.token.span, "to compare write '=='")
        if s.earlier("EQUAL", "AUGMENT"):
            return Finding("RR0204", "a line sets one variable only", s.token.span, "to compare write '=='")
        return Finding("RR0204", "only a variable can be set, alone or with an index", s.row[0].span.to(s.token.span),
                       "write 'name = value' or 'name[player] = value'; to compare write '=='")  # fmt: skip
    if s.token.text == "==" and s.first.type == "LET" and "EQUAL" in s.accepts:
        return Finding("RR0204", "'let' gives a name to a value with one '='", s.token.span, "write '='")
    if s.token.type == "COMPARE" and s.earlier("COMPARE") and s.previous() in OPERAND_ENDS:
        return Finding("RR0224", "comparisons cannot be put in a chain", s.token.span, "write 'a < b and b < c'")
    if s.previous() == "IS" or (s.previous() == "NOT" and s.previous(2) == "IS"):
        sign = "!=" if s.previous() == "NOT" else "=="
        could = ("'none'", "'empty'", "'a player'", "'a card'", "'out'", "'face up'", "'face down'")
        lies = s.token.text in ("up", "down")
        return Finding("RR0204", f"'is' asks only for a few things, not for {shown(s.token)}", s.token.span,
                       f"how a card lies: 'is face {s.token.text}'" if lies else f"to compare write '{sign}'",
                       could)  # fmt: skip
    if s.token.type == "NOT" and s.previous() in OPERAND_ENDS:
        return Finding("RR0204", "'not' cannot follow a value", s.token.span,
                       "write 'x is not empty', 'x not in y' or 'not x'")  # fmt: skip
    return None


def _reserved_name(s: Stuck) -> Finding | None:
    looping = s.previous() in _NAMING - {"LET", "DOT"}
    if s.token.type == "IN" and looping and s.row[s.at + 1].type != "IN":
        return Finding("RR0201", f"a name is missing after {shown(s.before)}", s.token.span,
                       f"the form is: {FORMS[s.first.type]}" if s.first.type in FORMS else None)  # fmt: skip
    naming = s.previous() in _NAMING or (s.previous() == "COMMA" and s.earlier("LET"))
    if naming and "NAME" in s.accepts and s.token.type in HARD.values():
        return _reserved(s)
    if s.first.type in VERBS.values() and len(s.row) > 1 and s.row[1].type == "LPAR" and s.at > 1:
        form = FORMS.get(s.first.type, s.first.text)
        return Finding("RR0211", f"'{s.first.text}' begins a statement here and cannot be the name of a rule",
                       s.first.span, f"give the rule another name; the statement's form is: {form}")  # fmt: skip
    return None


def _reserved(s: Stuck) -> Finding:
    return Finding("RR0211", f"'{s.token.text}' is a word of the rules language and cannot be a name", s.token.span,
                   f"take another name, such as 'my_{s.token.text}'")  # fmt: skip


def _misspelt(s: Stuck) -> Finding | None:
    """A word that is nearly one which could stand here, or a nearly right word at the row's start."""
    if s.at and s.token.type == "NAME" and s.previous() in OPERAND_ENDS and len(s.token.text) > 2:
        could = [word for word, token in (*LINKS.items(), *HARD.items()) if token in s.accepts]
        could += [words[0] for words, token in LONG_LINKS.items() if token in s.accepts]
        could += ["choose"] if "CHOOSE" in s.accepts else []
        near = nearest(s.token.text, could)
        if near and (len(near) > 3 or sorted(near) == sorted(s.token.text)):
            return Finding("RR0212", f"'{s.token.text}' cannot stand here", s.token.span, f"did you mean '{near}'?")
    if s.previous() == "MAY" and s.token.type == "NAME" and nearest(s.token.text, ("choose", "secretly")):
        return Finding("RR0212", f"'{s.token.text}' cannot stand after 'may'", s.token.span, "did you mean 'choose'?")
    if s.first.type == "NAME" and 1 <= s.at <= 2 and s.begins and "STOP" in s.begins:
        group = [words for words in OPENINGS if words[0] == s.first.text and s.at == 1]
        if group:
            full = " ".join(group[0])
            return Finding("RR0212", f"'{s.first.text}' is not followed by what belongs to it", s.first.span,
                           f"did you mean '{full}'?")  # fmt: skip
        near = nearest(s.first.text, (*VERBS, "let", "if", "for", "else", "elif", "otherwise"))
        if near and s.at == 1 and len(s.first.text) > 2 and s.token.type not in ("EQUAL", "COMMA"):
            return Finding("RR0212", f"'{s.first.text}' begins no statement", s.first.span, f"did you mean '{near}'?")
    return None


# ------------------------------------------------------- phrases of everyday speech


def _spoken(s: Stuck) -> Finding | None:
    """What is said so in English, or written so in other languages, and has its own form here."""
    token, before = s.token, s.before
    if before is None:
        return _remark(s)
    said = before.text.casefold() if before.type == "NAME" else ""
    if before.type == "DOT" and token.type == "INT" and s.previous(2) == "INT":
        return Finding("RR0201", "numbers are whole: there is nothing behind a point", before.span.to(token.span),
                       "count in tenths or halves instead; '7 // 2' divides and drops what is left over")  # fmt: skip
    if said == "the" and token.type == "NAME":
        return Finding("RR0201", f"'{before.text}' is no word of the rules language", before.span, "leave it out")
    if token.text in ("card", "cards") and "FROM" in s.accepts and s.first.type == "DEAL":
        return Finding("RR0201", f"'{token.text}' is not said behind a number", token.span,
                       f"leave it out: {FORMS['DEAL']}")  # fmt: skip
    if token.type == "OF" and said and s.row[s.at + 1].type == "NAME":
        owner = s.row[s.at + 1]
        return Finding("RR0201", f"whose is said in square brackets, not with 'of' after '{before.text}'",
                       before.span.to(owner.span), f"write '{before.text}[{owner.text}]'")  # fmt: skip
    if said in ("random", "next", "previous") and token.type in ("NAME", "PLAYERS"):
        whom = "me" if token.text == "player" else token.text
        way = "random of players" if said == "random" else f"{before.text}({whom})"
        return Finding("RR0201", f"'{before.text} {token.text}' is not said so", before.span.to(token.span),
                       f"write '{way}'")  # fmt: skip
    if said in ("max", "min", "highest", "lowest", "most", "least") and s.row[s.at + 1].type == "IN":
        value = "-VALUE" if said in ("min", "lowest", "least") else "VALUE"
        return Finding("RR0201", f"which one is found with 'best', not with '{before.text}'", before.span,
                       f"write 'best {token.text} in D by {value}'")  # fmt: skip
    if token.type == "AT_RANDOM" and s.first.type == "ANY_PLAYER" and s.at > 2:
        whom = _written([s.row[2], before])
        return Finding("RR0201", f"'at random' stands behind 'in', not behind '{whom}'", token.span,
                       f"write 'any player {s.row[1].text} in players {whom} at random'")  # fmt: skip
    if s.first.type == "FOR" and s.at == 2 and token.text in ("from", "=", "of"):
        return Finding("RR0201", f"behind '{before.text}' comes 'in', not '{token.text}'", token.span,
                       f"write 'for {before.text} in 1..n:' or 'for {before.text} in players:'")  # fmt: skip
    if s.first.type == "FOR" and token.type == "COMMA" and "FOR" in s.accepts:
        return Finding("RR0201", "what is gone through next has a 'for' of its own, and no ','", token.span,
                       "write 'for p in players for n in 1..3:'")  # fmt: skip
    if token.type == "WHERE" and "NL" in s.accepts and s.previous() in OPERAND_ENDS:
        return Finding("RR0201", f"'where' cannot follow {shown(before)} here", token.span,
                       "some of several are written '(x for x in players where CONDITION)'")  # fmt: skip
    return _remark(s)


def _remark(s: Stuck) -> Finding | None:
    """A remark as other languages have it: the words of a sentence behind ``//`` or ``--``."""
    advice = "a remark begins with '#'"
    if s.at == 0 and s.token.type == "QUOTIENT":
        return Finding("RR0205", "'//' does not begin a remark", s.token.span, advice)
    if s.token.type not in ("NAME", *HARD.values(), *LINKS.values()):
        return None
    for at in range(max(1, s.at - 3), s.at):
        sign = s.row[at]
        if sign.type == "QUOTIENT" or (sign.type == "MINUS" and s.row[at - 1].type == "MINUS"):
            written = sign.text if sign.type == "QUOTIENT" else "--"
            return Finding("RR0205", f"'{written}' does not begin a remark", sign.span, advice)
    return None


# ----------------------------------------------------------------------- ladders


def _ladder(s: Stuck) -> Finding | None:
    """``if possible`` where it cannot be, and what follows a condition that has none."""
    token = s.token
    if token.type == "IF_POSSIBLE":
        return _misplaced(s)
    if token.type in ("AND", "OR") and s.previous() == "IF_POSSIBLE":
        return Finding("RR0225", f"a condition ends with 'if possible', and '{token.text}' cannot go on with it",
                       s.row[s.at - 1].span.to(token.span), "what must hold in any case narrows what is chosen from: "
                       "'c from (c for c in ZONE where B) where A if possible'")  # fmt: skip
    ladder = s.earlier("IF_POSSIBLE") or any(lexeme.type == "IF_POSSIBLE" for lexeme in s.row[s.at :])
    another = token.type == "ELSE" or (token.type == "COMMA" and s.row[s.at + 1].type == "ELSE")
    if not (ladder and another and s.earlier("WHERE") and "AS" in s.accepts):
        return None
    start = max(n for n in range(s.at) if s.row[n].type in ("WHERE", "ELSE")) + 1
    held = _written(s.row[start : s.at])
    return Finding("RR0225", "a condition without 'if possible' must hold, so nothing can come after it",
                   s.row[start].span.to(s.row[s.at - 1].span), f"write '{held} if possible, else ...'")  # fmt: skip


def _misplaced(s: Stuck) -> Finding:
    """Where ``if possible`` stands wrongly, and what is written there instead."""
    span, before = s.token.span, s.row[: s.at]
    opened = [lexeme.type for lexeme in before if lexeme.type in ("LPAR", "LSQB", "LBRACE")]
    closed = [lexeme.type for lexeme in before if lexeme.type in ("RPAR", "RSQB", "RBRACE")]
    outer = [n for n in range(s.at) if before[n].type == "WHERE"]
    of_pick = outer and any(lexeme.type == "FROM" for lexeme in before[: outer[0]])
    if of_pick and len(opened) > len(closed) and not s.earlier("FOR"):
        return Finding("RR0225", "'if possible' is said of the whole condition, and not inside brackets", span,
                       "write it behind the brackets: 'where (CONDITION) if possible'")  # fmt: skip
    if of_pick and len(opened) == len(closed) and s.previous() == "IF_POSSIBLE":
        return Finding("RR0225", "'if possible' is said once for each condition", span, "leave it out")
    if of_pick and len(opened) == len(closed):
        return Finding("RR0225", "a value with 'if' and 'else' needs brackets before 'if possible'", span,
                       "write 'where (a if CONDITION else b) if possible'")  # fmt: skip
    return Finding("RR0225", "'if possible' cannot stand here: it belongs to the 'where' of a choice", span,
                   "choices say 'card from ZONE where CONDITION if possible'; elsewhere ask first whether something "
                   "fits: 'some(CONDITION for x in D)'")  # fmt: skip


# ----------------------------------------------------------------------- choices


def _choices(s: Stuck) -> Finding | None:
    token = s.token
    if token.type == "NAME" and token.text in ("choose", "chose", "choses") and s.previous() in OPERAND_ENDS:
        return Finding("RR0213", f"after the player comes 'chooses', not '{token.text}'", token.span,
                       "write 'chooses', or 'may choose' where passing is allowed")  # fmt: skip
    if token.type == "CHOOSES" and s.previous() == "MAY":
        return Finding("RR0213", "after 'may' comes 'choose', not 'chooses'", token.span, "write 'may choose'")
    if s.previous() == "MAY":
        return Finding("RR0213", f"after 'may' comes 'choose' or a text in double quotes, not {shown(token)}",
                       token.span, 'write \'may choose card from ZONE:\' or \'may "do this":\'')  # fmt: skip
    if token.type == "STRING" and s.previous() in ("CHOOSES", "CHOOSE"):
        return Finding("RR0213", "a text stands after 'may', or below 'chooses:' on a line of its own", token.span,
                       'write \'may "do this":\', or a menu: \'chooses:\' and below it \'"do this":\'')  # fmt: skip
    if s.earlier("CHOOSES", "CHOOSE") or (s.begins and "STRING" in s.begins):
        if token.type == "WHERE" and s.earlier("AS"):
            return Finding("RR0213", "'where' stands before 'as'", token.span,
                           'write \'chooses card from ZONE where CONDITION as "play {card}"\'')  # fmt: skip
        if token.type == "IF" and "COLON" in s.accepts:
            return Finding("RR0213", "a condition on what is picked is written with 'where'", token.span,
                           "write 'card from ZONE where CONDITION'; 'if' follows only a text in quotes")  # fmt: skip
        named = s.previous() == "NAME" and s.previous(2) == "NAME" and s.row[s.at - 2].text != "from"
        if "FROM" in s.accepts and named:
            return Finding("RR0213", f"'from' is missing before '{s.row[s.at - 1].text}'", s.row[s.at - 1].span,
                           "write 'card from ZONE'")  # fmt: skip
        if "FROM" in s.accepts and token.type in ("IN", "OF", "TO", "AT"):
            return Finding("RR0213", f"what is chosen comes 'from' somewhere, not '{token.text}'", token.span,
                           "write 'card from ZONE'")  # fmt: skip
        early = [lexeme for lexeme in s.row[max(0, s.at - 2) : s.at] if (lexeme.type, lexeme.text) == ("NAME", "from")]
        if token.type == "FROM" or early:
            place = token if token.type == "FROM" else early[0]
            if token.type == "FROM" and s.previous() == "RSQB":
                return Finding("RR0213", "what is chosen has a name of its own, and is not stored at once",
                               s.row[s.at - 1].span,
                               "write 'n from DOMAIN', and then where it belongs, as in 'bid[p] = n'")  # fmt: skip
            return Finding("RR0213", "a name for what is chosen is missing before 'from'", place.span,
                           "write 'card from ZONE' or '2 cards from ZONE'")  # fmt: skip
    if token.type in _ENDS and s.earlier("MAY") and "COLON" in s.accepts:
        return Finding("RR0213", "a choice with 'may' has a block: what happens if it is taken", s.row[s.at - 1].span,
                       "end the line with ':' and indent what happens then")  # fmt: skip
    return None


def _menu_line(s: Stuck) -> Finding | None:
    if s.begins and "STRING" in s.begins and s.at <= 1 and s.token.type != "COLON" and s.first.type != "STRING":
        return Finding("RR0213", "each line of a menu is a text in quotes or a pick", s.first.span,
                       'write \'"do this":\' or \'card from ZONE as "play {card}":\'')  # fmt: skip
    if s.begins and "STRING" in s.begins and s.token.type in _ENDS and "COLON" in s.accepts:
        return Finding("RR0203", f"a ':' is missing at the end of this line, after '{s.row[s.at - 1].text}'",
                       s.row[s.at - 1].span, "end the line with ':' and say below what happens with what is picked; "
                       "only a text in quotes may stand alone")  # fmt: skip
    return None


# ------------------------------------------------------------------ blocks and lines


def _orphan(s: Stuck) -> Finding | None:
    if s.at or s.token.type not in ("ELSE", "ELIF", "OTHERWISE"):
        return None
    if s.token.type == "OTHERWISE":
        return Finding("RR0214", "no choice stands before this 'otherwise' at the same indentation", s.token.span,
                       "put it below the choice it belongs to, indented as that is")  # fmt: skip
    inner = next((n for n in range(1, len(s.above)) if s.above[n].type in _SHORT and _behind_colon(s.above, n)), 0)
    if inner:
        outer, held = _written(s.above[:inner]), _written(s.above[inner:-1])
        return Finding(
            "RR0214", f"no '{s.token.text}' can follow a line that holds two blocks: whose would it be?", s.token.span,
            f"write '{outer}' on a line of its own, and '{held}' below it, indented",
        )  # fmt: skip
    return Finding("RR0214", f"no 'if' stands before this '{s.token.text}' at the same indentation", s.token.span,
                   f"put '{s.token.text}' below its 'if', indented as that is")  # fmt: skip


def _behind_colon(row: list[Lexeme], at: int) -> bool:
    """Whether a token of a row begins what stands behind a colon."""
    return row[at - 1].type == "COLON" and row[0].type != "LET"


def _written(part: list[Lexeme]) -> str:
    """A part of a row as the author wrote it, on one line."""
    span = part[0].span.to(part[-1].span)
    return " ".join(span.source.text[span.start : span.end].split())


def _colon(s: Stuck) -> Finding | None:
    token = s.token
    colons = [lexeme for lexeme in s.row[: s.at] if lexeme.type == "COLON"]
    if len(colons) > 1 and token.type == "NL" and s.previous() == "COLON":
        return Finding("RR0215", "after this colon a plain statement is missing: a block of lines has its head on a "
                       "line of its own", colons[-1].span,
                       "put what stands behind the first ':' on the next line, indented")  # fmt: skip
    if colons and s.first.type != "LET" and (token.type in _COMPOUND or token.type == "STRING"):
        message = "after the second ':' on a line only a plain statement may follow"
        if len(colons) == 1:
            message = "after ':' on the same line only a plain statement, 'if', 'for' or 'repeat 3 times' may follow"
        return Finding("RR0215", message, token.span, "put it on the next line, indented")
    if s.previous() == "COLON" and s.previous(2) in ("CHOOSES", "CHOOSE"):
        return Finding("RR0215", "the lines of a menu stand below it, indented", token.span,
                       'write \'"do this":\' or \'card from ZONE as "play {card}":\' on the next line')  # fmt: skip
    if token.type == "COLON":
        if s.first.type == "LET" or "COLON" in s.accepts:
            return None
        if s.previous() in OPERAND_ENDS and not _HEADS & {s.first.type} and not s.earlier("MAY", "CHOOSES", "FROM"):
            return Finding("RR0203", "nothing on this line opens a block", token.span, "take the ':' away")
        return None
    if "COLON" in s.accepts and s.previous() != "LET" and (s.first.type in _HEADS or s.earlier("CHOOSES", "MAY")
                                                          or s.first.type == "STRING"):  # fmt: skip
        last = s.row[s.at - 1]
        if token.type in _ENDS:
            return Finding("RR0203", f"a ':' is missing at the end of this line, after '{last.text}'", last.span,
                           "end the line with ':' and indent what belongs to it")  # fmt: skip
        if token.type in ("NAME", *VERBS.values()) and s.previous() in OPERAND_ENDS | {"ELSE", "REPEAT", "OTHERWISE"}:
            return Finding("RR0203", f"a ':' is missing after '{last.text}'", token.span,
                           "what belongs to this line stands behind ':' or below, indented")  # fmt: skip
    return None


def _conditional(s: Stuck) -> Finding | None:
    if s.token.type in (*_ENDS, "RPAR", "COMMA", "TO", "COLON") and "ELSE" in s.accepts and s.earlier("IF"):
        which = next(lexeme for lexeme in reversed(s.row[: s.at]) if lexeme.type == "IF")
        return Finding("RR0202", "a value with 'if' needs an 'else' as well", which.span,
                       "write 'a if CONDITION else b'; to do something only if, write 'if CONDITION:' and "
                       "the statement below it, indented")  # fmt: skip
    statement = s.first.type in VERBS.values() or s.first.type in OPENINGS.values()
    if s.token.type == "IF" and statement and "ELSE" not in s.accepts:
        return Finding("RR0202", "'if' cannot follow this statement", s.token.span,
                       "write 'if CONDITION:' first and the statement below it, indented")  # fmt: skip
    return None


def _alone(s: Stuck) -> Finding | None:
    """Operands that must stand alone, and texts."""
    if s.token.type == "RANDOM_OF":
        return Finding("RR0223", "'random of' stands alone: the whole of what is set, moved or shown", s.token.span,
                       "write 'let x = random of ...' first and use x")  # fmt: skip
    if s.token.type in ("BEST", "FIRST"):
        return Finding("RR0223", f"'{s.token.text} ... in ...' inside another expression needs brackets around it",
                       s.token.span, f"write '({s.token.text} ... in ...)'")  # fmt: skip
    if s.previous() == "NAME" and s.row[s.at - 1].text in ("top", "bottom", "all") and s.token.type in ("NAME", "INT"):
        word, number = s.row[s.at - 1].text, f" {s.token.text}" if s.token.type == "INT" else ""
        return Finding("RR0201", f"'of' is missing after '{word}{number}'", s.token.span,
                       f"write '{word}{number} of ZONE'")  # fmt: skip
    if s.token.type == "STRING" and s.previous() in ("COMPARE", "IN", "EQUAL") and s.token.text[1:-1].isidentifier():
        return Finding("RR0201", "a text in quotes is no value", s.token.span,
                       f"names stand without quotes: write '{s.token.text[1:-1]}'")  # fmt: skip
    if s.token.type == "STRING" and s.start != "kind":
        return Finding("RR0201", "a text in quotes cannot stand here", s.token.span,
                       "texts follow 'as', 'note' and 'may', or begin a line of a menu")  # fmt: skip
    return None


# ---------------------------------------------------------------------- the rest


def _plainly(s: Stuck) -> Finding:
    """What could have come, what came instead."""
    expected = wanted(s.accepts, s.row[: s.at])
    form = FORMS.get(s.first.type)
    advice = f"the form is: {form}" if form and s.at else None
    gap = s.before
    if gap is not None and gap.type == "NAME" and gap.text in LINKS and s.previous(2) not in OPERAND_ENDS:
        what = missing(s.row, s.at - 1)
        return Finding("RR0201", f"{what} is missing before '{gap.text}'", gap.span, advice)
    if s.token.type in _ENDS:
        if s.before is None:
            return Finding("RR0221", "nothing stands here", s.token.span)
        return Finding("RR0202", f"{'the line' if s.token.type == 'NL' else 'the text'} ends after {shown(s.before)}; "
                       f"{_either(expected)} is missing", s.before.span, advice, expected)  # fmt: skip
    after = f" after {shown(s.before)}" if s.before is not None else ""
    if s.before is not None and s.previous() not in OPERAND_ENDS and "NAME" in s.accepts:
        message = f"{missing(s.row, s.at)} is wanted{after}, not {shown(s.token)}"
        return Finding("RR0201", message, s.token.span, advice, expected)
    if "NL" in s.accepts and s.previous() in OPERAND_ENDS:
        message = f"the statement is complete{after}; {shown(s.token)} cannot follow"
        return Finding("RR0201", message, s.token.span, advice, expected)
    salient = [term for term in expected if term not in ("an operator", "the end of the line", "the end of the text")]
    if salient and len(salient) < 4:
        message = f"{_either(tuple(salient))} is wanted{after}, not {shown(s.token)}"
    elif s.start == "expr":
        message = f"the expression is complete{after}; {shown(s.token)} cannot follow"
    else:
        message = f"{shown(s.token)} cannot stand here{after}"
    return Finding("RR0201", message, s.token.span, advice, expected)


def _either(terms: tuple[str, ...]) -> str:
    """``a, b or c``"""
    if not terms:
        return "something"
    return terms[0] if len(terms) == 1 else f"{', '.join(terms[:-1])} or {terms[-1]}"


_KNOWN: Final[tuple[Callable[[Stuck], Finding | None], ...]] = (
    _small_text,
    _orphan,
    _brought_along,
    _ladder,
    _choices,
    _spoken,
    _misspelt,
    _equals,
    _reserved_name,
    _menu_line,
    _alone,
    _conditional,
    _colon,
)
