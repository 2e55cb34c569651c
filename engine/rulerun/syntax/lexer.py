"""Rule text to lines of tokens: what is a word of the language here, what is a name, and which lines belong together.

Lark's own lexers decide by spelling alone, or by what the parser could accept; neither lets an author call a player
`to` or a card value `top`. This one follows whether an operand or an operator may come next. It also joins lines:
inside brackets, and where a line begins with an operator or a clause word. It imports nothing of lark: the parser is
fed with `Lexeme`s, which know their place in the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Piece, Span
from rulerun.syntax.nodes import Template
from rulerun.syntax.scan import MOST_FINDINGS, Raw, Written, scan
from rulerun.syntax.words import (
    ARITHMETIC,
    CLOSING,
    HARD,
    LINKS,
    LONG_LINKS,
    OF,
    OPENINGS,
    OPERAND_ENDS,
    PREDICATES,
    SIGNS,
    VERBS,
)

MOST_BRACKETS: Final = 40
"""How deep brackets may lie in each other."""
MOST_CHARACTERS: Final = 100_000
"""How long one piece of rule text may be."""

_CARRY_ON_SIGNS = frozenset((*ARITHMETIC, "==", "!=", "<", "<=", ">", ">=", "..", ".", ","))
_CARRY_ON_WORDS = frozenset(("and", "or", "where", "in", "is", "union", "common", "without"))
_CARRY_ON_DEEPER = frozenset(
    ("if", "for", "as", "by", "from", "to", "into", "with", "at", "after", "before", "starting", "whether", "not",
     "times")
)  # fmt: skip
_OPEN_ENDED = frozenset(
    (*(SIGNS[sign] for sign in ARITHMETIC), "COMPARE", "AND", "OR", "NOT", "EQUAL", "AUGMENT", "COMMA", "SETWISE",
     "DOTS", "OR_ELSE", "IF", "IN", "IS")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token: its type, its text as written, its place in the piece and in the file."""

    type: str
    text: str
    start: int
    end: int
    span: Span
    template: Template | None = None
    """What a text in quotes says, read beforehand."""


@dataclass(slots=True)
class Line:
    """A line as the author means it, with the lines that carry it on. ``damaged``: a finding has been told already."""

    indent: int
    lexemes: list[Lexeme] = field(default_factory=list)
    damaged: bool = False

    @property
    def opens(self) -> bool:
        """Whether it ends in a colon, so that indented lines must follow."""
        return bool(self.lexemes) and self.lexemes[-1].type == "COLON"


class TooNestedError(Exception):
    """The text cannot be read any further; the finding has been told."""


def read_lines(piece: Piece, found: Diagnostics, *, lines: bool = True, links: bool = True) -> list[Line]:
    """The lines of a piece. Without ``lines`` the whole text is one line and no word begins a statement; without
    ``links`` only the words of types count as words."""
    if len(piece.text) > MOST_CHARACTERS:
        found.error(
            "RR0217",
            f"this text has {len(piece.text):,} characters; at most {MOST_CHARACTERS:,} are read",
            piece.span(0, 1),
            help="split it into several rules",
        )
        return []
    written = scan(piece, found)
    joiner = _Joiner(piece, found, written, lines, links)
    try:
        return joiner.join()
    except TooNestedError:
        return [Line(0, [], damaged=True)]


# ----------------------------------------------------------------------- lines


class _Joiner:
    """Joins written lines to meant ones and settles what each word is."""

    def __init__(
        self, piece: Piece, found: Diagnostics, written: list[Written], lines: bool, links: bool
    ) -> None:
        self.piece = piece
        self.found = found
        self.written = written
        self.lines = lines
        self.links = links
        self.open: list[Lexeme] = []
        """Brackets that wait for their partner."""

    def join(self) -> list[Line]:
        result: list[Line] = []
        line = Line(0)
        number = 0
        while number < len(self.written):
            written = self.written[number]
            if self.open and self.lines and self._looks_like_statement(written):
                self._unclosed(line)
            if not result or not self._carries_on(line, written):
                if self.open:
                    self._unclosed(line)
                line = Line(written.indent)
                result.append(line)
            line.damaged = line.damaged or written.damaged
            self._read(line, written)
            number += 1
            if number == len(self.written) and self.open:
                opening = self.open[0]
                self._unclosed(line)
                number = self._after(opening) if self.lines else number
                line.lexemes = [lexeme for lexeme in line.lexemes if lexeme.start <= opening.start]
                if len(self.found.found) > MOST_FINDINGS:
                    break
        return [line for line in result if line.lexemes or line.damaged]

    def _after(self, opening: Lexeme) -> int:
        """The number of the written line after the one that holds a bracket."""
        return next(
            (n for n, written in enumerate(self.written) if written.items and written.items[0].start > opening.start),
            len(self.written),
        )

    def _unclosed(self, line: Line) -> None:
        opening = self.open[0]
        self.open.clear()
        if not line.damaged:
            self.found.error(
                "RR0206",
                f"this '{opening.text}' is not closed",
                opening.span,
                help=f"a '{CLOSING[opening.text]}' is missing behind it",
            )
        line.damaged = True

    def _looks_like_statement(self, written: Written) -> bool:
        """Whether a line inside open brackets is rather a new statement."""
        if not written.items:
            return False
        first = written.items[0].text
        texts = {item.text for item in written.items if item.kind == "sign"}
        if texts & {"=", "+=", "-=", "*="} or written.items[-1].text == ":":
            return True
        return first == "let" or (first in VERBS and self._is_verb(written.items, 0))

    def _carries_on(self, line: Line, written: Written) -> bool:
        """Whether a written line belongs to the line before it."""
        if self.open or not self.lines:
            return True
        if not written.items or not line.lexemes or line.opens:
            return False
        first = written.items[0]
        second = written.items[1].text if len(written.items) > 1 else ""
        deeper = written.indent > line.indent
        if line.lexemes[-1].type in _OPEN_ENDED and deeper:
            return True
        if first.kind == "sign":
            # `-5` in the column of the line before is rather a value of its own; `- 5` goes on.
            alone = first.text == "-" and len(written.items) > 1 and written.items[1].start == first.end
            return first.text in _CARRY_ON_SIGNS and (deeper or not alone)
        if first.text in _CARRY_ON_WORDS:
            return second not in ("=", "+=", "-=", "*=", ".", "[") or first.text in HARD
        if (first.text, second) == ("if", "possible") and _in_where_of_pick(line):
            return deeper
        if first.text == "else":
            opened = any(lexeme.type in ("IF", "IF_POSSIBLE") for lexeme in line.lexemes[1:])
            if second != ":" and line.lexemes[-1].type == "IF_POSSIBLE":
                return True
            return ":" not in (written.items[-1].text, second) and (deeper or opened)
        if first.text == "as" and written.items[1:] and written.items[1].kind == "string":
            return True
        if first.text in ("if", "for") and any(item.text == ":" for item in written.items):
            return False
        if first.text in _CARRY_ON_DEEPER and deeper:
            return second not in ("=", "+=", "-=", "*=", ".", "usual")
        return False

    # ------------------------------------------------------------------- words

    def _read(self, line: Line, written: Written) -> None:
        items = written.items
        at = 0
        while at < len(items):
            kind, size = self._classify(line, items, at)
            first, last = items[at], items[at + size - 1]
            lexeme = Lexeme(
                kind,
                self.piece.text[first.start : last.end] if size > 1 else first.text,
                first.start,
                last.end,
                self.piece.span(first.start, last.end),
            )
            self._brackets(line, lexeme)
            line.lexemes.append(lexeme)
            at += size

    def _brackets(self, line: Line, lexeme: Lexeme) -> None:
        if lexeme.text in CLOSING and lexeme.type != "STRING":
            self.open.append(lexeme)
            if len(self.open) > MOST_BRACKETS:
                self.found.error(
                    "RR0217",
                    f"more than {MOST_BRACKETS} brackets lie in each other here",
                    lexeme.span,
                    help="give a part a name of its own with 'let', or make it a function",
                )
                raise TooNestedError
        elif lexeme.type in ("RPAR", "RSQB", "RBRACE"):
            if self.open and CLOSING[self.open[-1].text] == lexeme.text:
                self.open.pop()
                return
            if not line.damaged:
                notes = (Note("this one is still open", self.open[-1].span),) if self.open else ()
                message = (
                    f"'{lexeme.text}' does not close '{self.open[-1].text}'"
                    if self.open
                    else f"no bracket is open that this '{lexeme.text}' could close"
                )
                self.found.error("RR0206", message, lexeme.span, notes=notes)
            line.damaged = True
            if self.open:
                self.open.pop()
        elif lexeme.type == "COLON" and self.open and self.lines:
            self._unclosed(line)

    def _classify(self, line: Line, items: list[Raw], at: int) -> tuple[str, int]:
        """The token type of the item at ``at``, and how many items it takes."""
        item = items[at]
        if item.kind == "sign":
            return SIGNS[item.text], 1
        if item.kind != "word":
            return item.kind.upper(), 1
        before = line.lexemes[-1].type if line.lexemes else ""
        if not self.links:
            return self._plain_word(items, at, before)
        starts = self.lines and (not before or (before == "COLON" and not self._in_let(line)))
        if starts:
            opening = _match(OPENINGS, items, at)
            if opening and not (opening[0] == "ANY_PLAYER" and _text(items, at + 2) == "from"):
                return opening
            if item.text in VERBS and self._is_verb(items, at):
                return VERBS[item.text], 1
        if before in ("MAY", "SECRETLY"):
            if item.text in ("choose", "chooses", "secretly"):
                return item.text.upper(), 1
        elif before == "IS" or (before == "NOT" and len(line.lexemes) > 1 and line.lexemes[-2].type == "IS"):
            predicate = _match(PREDICATES, items, at)
            if predicate:
                return predicate
        if before in OPERAND_ENDS:
            if item.text == "if" and _text(items, at + 1) == "possible" and self._softens(line, items, at + 2, before):
                return "IF_POSSIBLE", 2
            link = _match(LONG_LINKS, items, at)
            if link:
                return link
            if item.text in ("leaves", "returns") and _text(items, at + 1) == "from":  # `2 returns from hand[p]`
                return "NAME", 1
            if item.text in LINKS:
                return LINKS[item.text], 1
        elif before != "LET":
            operand = self._operand(items, at, before)
            if operand:
                return operand
        if item.text in HARD:
            return HARD[item.text], 1
        return "NAME", 1

    @staticmethod
    def _softens(line: Line, items: list[Raw], behind: int, before: str) -> bool:
        """Whether `if possible` is the word of a ladder, and not `if` and a name: in the `where` of what is picked it
        is; elsewhere where no name could stand, so that it can be told."""
        if _in_where_of_pick(line):
            return True
        following = items[behind].text if behind < len(items) else ""
        return before not in ("STOP", "SKIP", "STRING") and following in ("", ",", ")", "]", "as", "by", ":", "for")

    @staticmethod
    def _in_let(line: Line) -> bool:
        return bool(line.lexemes) and line.lexemes[0].type == "LET" and len(line.lexemes) <= 3

    @staticmethod
    def _is_verb(items: list[Raw], at: int) -> bool:
        """Whether a verb at the start of a statement is one, and not a name: `stop = 3`, `deal.x`, `show[p] = 1`."""
        following = _text(items, at + 1)
        return following not in ("=", "+=", "-=", "*=", ".", "[", "from", "chooses", "may", "leaves")

    @staticmethod
    def _operand(items: list[Raw], at: int, before: str) -> tuple[str, int] | None:
        """Words that mean something only where an operand is wanted, told by what follows them."""
        text, second, third = items[at].text, _text(items, at + 1), _text(items, at + 2)
        if text in ("top", "bottom"):
            if second == "of":
                return "END_OF", 2
            if third == "of" and items[at + 1].kind in ("word", "int"):
                return "END_N", 1
        elif text in OF and second == "of":
            return OF[text], 2
        elif (text, second, third) == ("best", "cover", "of"):
            return "COVER_OF", 3
        elif (text, second) == ("as", "usual"):
            return "AS_USUAL", 2
        elif third == ("in" if text in ("best", "first") else "from"):
            quantity = text in ("some", "any") and before in ("", "CHOOSE", "CHOOSES")
            if quantity or text in ("best", "first"):
                return text.upper(), 1
        return None

    @staticmethod
    def _plain_word(items: list[Raw], at: int, before: str) -> tuple[str, int]:
        """Words in signatures and patterns."""
        text = items[at].text
        if text == "set" and _text(items, at + 1) == "of":
            return "SET_OF", 2
        if before in ("NAME", "NONE", "RPAR") and text in ("per", "or"):
            return text.upper(), 1
        return HARD.get(text, "NAME"), 1


def _in_where_of_pick(line: Line) -> bool:
    """Whether a line goes on in the `where` of what is picked, outside of its brackets: `card from hand where …`."""
    depth, where = 0, -1
    for at, lexeme in enumerate(line.lexemes):
        if lexeme.type in ("LPAR", "LSQB", "LBRACE"):
            depth += 1
        elif lexeme.type in ("RPAR", "RSQB", "RBRACE"):
            depth -= 1
        elif lexeme.type == "WHERE" and depth == 0:
            where = at
        elif lexeme.type in ("AS", "COLON"):
            where = -1
    return depth == 0 and any(lexeme.type == "FROM" for lexeme in line.lexemes[: max(where, 0)])


def _text(items: list[Raw], at: int) -> str:
    return items[at].text if at < len(items) else ""


def _match(table: dict[tuple[str, ...], str], items: list[Raw], at: int) -> tuple[str, int] | None:
    """The longest entry of a table of word groups that stands at ``at``."""
    first = items[at].text
    for words, token in table.items():
        if words[0] == first and all(_text(items, at + n) == word for n, word in enumerate(words)):
            return token, len(words)
    return None
