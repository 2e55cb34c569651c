"""The words of a test file and what they mean in a program: zones, variables, players, values, cards; and the way
back, for messages.

A value is kept in one *plain* form: a number for what takes one word (a set is a number too, bit i for element i), a
tuple over the keys for ``T per K``, None in it where the test says nothing. Cards are named by kind: equal cards
cannot be told apart here either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rulerun.document.model import Entries, Items, Scalar, Value
from rulerun.ir.nodes import key_size
from rulerun.ir.program import CardColumn, Program, Variable, seats_by_word, words_of
from rulerun.ir.types import (
    NONE,
    WORD_BITS,
    ArrayType,
    BoolType,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RangeKey,
    SetType,
    Type,
)
from rulerun.play.scenario_form import SEAT
from rulerun.source.spell import nearest
from rulerun.source.text import Span
from rulerun.view.names import Namer

Plain = int | None | tuple["Plain", ...]
ANY = "?"
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
"""How a truth is written: as in rules, or as the screen tells it."""
_LYING = re.compile(r"(.*\S)\s+face\s+(up|down)")
_REFERENCE = re.compile(r"\s*([^\W\d]\w*)\s*(?:\[([^\[\]]*)\])?\s*\Z")
_CALL = re.compile(r"\s*([^\W\d]\w*)\s*(?:\(([^()]*)\))?\s*\Z")


class ScenarioError(Exception):
    """Something in a test that cannot be, or an expectation that does not hold: what, where in the test file, and
    more lines.
    """

    def __init__(self, message: str, span: Span, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.details = tuple(details)


@dataclass(frozen=True, slots=True)
class Reference:
    """``hand[P1]``: a name and its keys as written."""

    name: str
    keys: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(self.keys)}]" if self.keys else self.name


@dataclass(frozen=True, slots=True)
class Cards:
    """A card as a test names it: the kinds that fit, and the words for messages."""

    kinds: frozenset[int]
    text: str
    span: Span
    up: bool | None = None
    """Whether it lies face up, where the test says how it lies."""


def reference(text: str, span: Span) -> Reference:
    """Read ``name`` or ``name[key, key]``."""
    found = _REFERENCE.match(text)
    if found is None:
        raise ScenarioError(f"'{text}' is no name of a zone or of a state variable", span)
    keys = tuple(k.strip() for k in found[2].split(",")) if found[2] is not None else ()
    return Reference(found[1], keys, span)


def call(text: str, span: Span) -> tuple[str, tuple[str, ...]]:
    """Read ``name`` or ``name(argument, argument)``."""
    found = _CALL.match(text)
    if found is None:
        raise ScenarioError(f"'{text}' is no call of a rule, as in turn(P1)", span)
    inside = (found[2] or "").strip()
    return found[1], tuple(a.strip() for a in inside.split(",")) if inside else ()


def seat(text: str, players: int, span: Span) -> int:
    """Seat of ``P1``, from 0."""
    found = SEAT.match(text.strip())
    if found is None or int(found[1]) > players:
        names = ", ".join(f"P{p + 1}" for p in range(players))
        raise ScenarioError(f"'{text}' is no player: there are {names}", span)
    return int(found[1]) - 1


class Words:
    """The names of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._namer = Namer(program)
        self.families = {f.name: f for f in program.families}
        self.variables = {v.name: v for v in program.variables if v.unit < 0}
        self._seats = seats_by_word(program)

    # -------------------------------------------------------------- references

    def zone(self, ref: Reference) -> int:
        """The zone instance that a reference names."""
        family = self.families[ref.name]
        position = self._position(ref, family.keys, f"the zone '{ref.name}'")
        return family.first + position

    def variable(self, ref: Reference) -> tuple[int, Type]:
        """Offset and type of a state variable, or of the part of it that the keys name."""
        variable = self.variables[ref.name]
        offset, type_ = variable.offset, variable.type
        for text in ref.keys:
            if not isinstance(type_, ArrayType):
                raise ScenarioError(f"'{variable.name}' is {variable.type}: it has no [{text}]", ref.span)
            at = self._key(text, type_.key, ref.span)
            type_ = type_.value
            offset += at * words_of(type_, self.program.players, self.program.card_count)
        return offset, type_

    def sees(self, who: int, offset: int, type_: Type) -> bool:
        """Whether a seat sees a value of the state, or anything of several."""
        words = words_of(type_, self.program.players, self.program.card_count)
        return any(self._seats.get(word, -1) >> who & 1 for word in range(offset, offset + words))

    def unknown(self, name: str, span: Span, others: Iterable[str], what: str) -> ScenarioError:
        """The error for a name that nothing has."""
        near = nearest(name, list(others))
        return ScenarioError(f"there is no {what} '{name}'", span, [f"did you mean '{near}'?"] if near else [])

    def _position(self, ref: Reference, keys: tuple[Type | RangeKey, ...], what: str) -> int:
        if len(ref.keys) != len(keys):
            if keys:
                shown = ", ".join(str(k) for k in keys)
                raise ScenarioError(f"{what} is one per {shown}: write {ref.name}[{self._example(keys)}]", ref.span)
            raise ScenarioError(f"{what} is only one: write {ref.name} without [{', '.join(ref.keys)}]", ref.span)
        position = 0
        for text, key in zip(ref.keys, keys, strict=True):
            size = key_size(key, self.program.players, self.program.card_count)
            position = position * size + self._key(text, key, ref.span)
        return position

    @staticmethod
    def _example(keys: tuple[Type | RangeKey, ...]) -> str:
        words = []
        for key in keys:
            match key:
                case RangeKey(low):
                    words.append(str(low))
                case EnumType(_, values):
                    words.append(values[0])
                case _:
                    words.append("P1")
        return ", ".join(words)

    def _key(self, text: str, key: Type | RangeKey, span: Span) -> int:
        """Index of a key, from 0."""
        match key:
            case RangeKey(low, high):
                try:
                    number = int(text)
                except ValueError:
                    raise ScenarioError(f"'{text}' is no number of {low}..{high}", span) from None
                if not low <= number <= high:
                    raise ScenarioError(f"{number} is outside {low}..{high}", span)
                return number - low
            case PlayerType():
                return seat(text, self.program.players, span)
            case EnumType():
                return self._enum_value(text, key, span)
            case _:
                raise ScenarioError(f"a key of type {key} cannot be written in a test", span)

    def _enum_value(self, text: str, enum: EnumType, span: Span) -> int:
        words = [self._namer.word(value, enum) for value in range(len(enum.values))]
        for names in (words, enum.values):
            if text in names:
                return names.index(text)
        near = nearest(text, words)
        raise ScenarioError(
            f"'{text}' is no {enum.name}",
            span,
            [f"did you mean '{near}'?" if near else f"there are: {', '.join(words)}"],
        )

    # ------------------------------------------------------------------- cards

    def cards(self, value: Value) -> Cards:
        """A card by its name (``queen of hearts``; what follows in brackets, where kinds share a name, may be left
        out), by some of its fields (``{buds: 3}``), or ``?`` for any card."""
        match value:
            case Scalar():
                return self._named(value.piece.text.strip(), value.span)
            case Entries():
                return self._patterned(value)
            case Items():
                raise ScenarioError("here stands a list where one card should", value.span)

    def lying(self, value: Value) -> Cards:
        """A card as it lies: as `cards` tells it, with ``face up`` or ``face down`` behind its name if that matters."""
        found = _LYING.fullmatch(value.piece.text.strip()) if isinstance(value, Scalar) else None
        if found is None:
            return self.cards(value)
        if self.program.face_up < 0:
            raise ScenarioError("in this game no rule turns cards over or asks how they lie", value.span)
        return replace(self._named(found[1], value.span), up=found[2] == "up")

    def _named(self, text: str, span: Span) -> Cards:
        names = self.program.kind_names
        if text == ANY:
            return Cards(frozenset(range(len(names))), ANY, span)
        wanted = " ".join(text.split()).casefold()
        folded = [" ".join(name.split()).casefold() for name in names]
        kinds = frozenset(k for k, name in enumerate(folded) if name == wanted or name.startswith(f"{wanted} ("))
        if not kinds:
            near = nearest(text, sorted(set(names)))
            raise ScenarioError(f"there is no card '{text}'", span, [f"did you mean '{near}'?"] if near else [])
        return Cards(kinds, text, span)

    def _patterned(self, value: Entries) -> Cards:
        columns = {f.name: f for f in self.program.fields}
        kinds = frozenset(range(len(self.program.kind_names)))
        for word, wanted in value.entries:
            column = columns.get(word.text)
            if column is None:
                raise self.unknown(word.text, word.span, columns, "field of the cards")
            plain = self.plain(wanted, column.type)
            kinds = frozenset(k for k in kinds if agrees(plain, self._printed(column, k)))
        text = "{" + ", ".join(f"{w.text}: {shown(v)}" for w, v in value.entries) + "}"
        if not kinds:
            raise ScenarioError(f"there is no card {text}", value.span)
        return Cards(kinds, text, value.span)

    def _printed(self, column: CardColumn, kind: int) -> Plain:
        card = self.program.kinds.index(kind)
        words = column.values[card * column.width : (card + 1) * column.width]
        return self._read(words, 0, column.type)[0]

    # ------------------------------------------------------------------ values

    def plain(self, value: Value, type_: Type) -> Plain:
        """What a value written in a test is, for a type."""
        match type_:
            case ArrayType(inner, key):
                return self._array(value, inner, key, type_)
            case SetType(of):
                items = value.items if isinstance(value, Items) else (value,)
                if (isinstance(value, Entries) and isinstance(of, CardType)) or isinstance(value, Scalar):
                    items = (value,)
                result = 0
                if not (isinstance(value, Scalar) and value.value in (None, "nothing", "nobody", "empty")):
                    for item in items:
                        element = self.plain(item, of)
                        assert isinstance(element, int)
                        result |= 1 << element
                return result
            case CardType():
                return self.program.kinds.index(min(self.cards(value).kinds))
            case OptionalType(inner):
                if isinstance(value, Scalar) and (value.value is None or value.piece.text.strip() == "none"):
                    return NONE
                return self.plain(value, inner)
            case _:
                if not isinstance(value, Scalar):
                    raise ScenarioError(f"here must stand {_a(type_)}", value.span)
                return self.plain_text(value.piece.text.strip(), type_, value.span)

    def plain_text(self, text: str, type_: Type, span: Span) -> int:
        """A value of one word, from its text."""
        match type_:
            case IntType():
                if re.fullmatch(r"[-+]?\d{1,10}", text) is None:
                    raise ScenarioError(f"'{text}' is no whole number", span)
                return int(text)
            case BoolType():
                if text.casefold() not in TRUTHS:
                    raise ScenarioError(f"'{text}' is neither true nor false (nor yes or no)", span)
                return int(TRUTHS[text.casefold()])
            case PlayerType():
                return seat(text, self.program.players, span)
            case EnumType():
                return self._enum_value(text, type_, span)
            case OptionalType(inner):
                return NONE if text == "none" else self.plain_text(text, inner, span)
            case CardType():
                return self.program.kinds.index(min(self._named(text, span).kinds))
            case _:
                raise ScenarioError(f"a value of type {type_} cannot be written here", span)

    def _array(self, value: Value, inner: Type, key: Type | RangeKey, type_: ArrayType) -> Plain:
        size = key_size(key, self.program.players, self.program.card_count)
        match value:
            case Entries(entries):
                parts: list[Plain] = [None] * size
                for word, item in entries:
                    parts[self._key(word.text, key, word.span)] = self.plain(item, inner)
                return tuple(parts)
            case Items(items) if len(items) == size:
                return tuple(self.plain(item, inner) for item in items)
            case _:
                raise ScenarioError(f"here must stand a mapping or a list of {size}: {type_}", value.span)

    # ----------------------------------------------------------- vector words

    def read(self, vector: Sequence[int], offset: int, type_: Type) -> Plain:
        """The plain value at a place of a vector."""
        return self._read(vector, offset, type_)[0]

    def _read(self, words: Sequence[int], offset: int, type_: Type) -> tuple[Plain, int]:
        """The value and the offset behind it."""
        match type_:
            case ArrayType(inner, key):
                parts: list[Plain] = []
                for _ in range(key_size(key, self.program.players, self.program.card_count)):
                    part, offset = self._read(words, offset, inner)
                    parts.append(part)
                return tuple(parts), offset
            case SetType(of) if isinstance(of, CardType):
                width = words_of(type_, self.program.players, self.program.card_count)
                return sum(words[offset + i] << (WORD_BITS * i) for i in range(width)), offset + width
            case _:
                return words[offset], offset + 1

    def fits(self, value: Value, type_: Type, found: Plain) -> bool:
        """Whether a value that was found is as a test says; of a card, whether it is one of those that its words
        fit.
        """
        inner = type_.inner if isinstance(type_, OptionalType) else type_
        if isinstance(inner, CardType) and isinstance(found, int) and found != NONE:
            if isinstance(value, Scalar) and (value.value is None or value.piece.text.strip() == "none"):
                return False
            return self.program.kinds[found] in self.cards(value).kinds
        return agrees(self.plain(value, type_), found)

    def write(self, vector: list[int], offset: int, type_: Type, value: Plain) -> int:
        """Put a plain value at a place of a vector (parts that are None stay); gives the offset behind it."""
        match type_:
            case ArrayType(inner, key):
                assert value is None or isinstance(value, tuple)
                for i in range(key_size(key, self.program.players, self.program.card_count)):
                    offset = self.write(vector, offset, inner, None if value is None else value[i])
                return offset
            case _:
                width = words_of(type_, self.program.players, self.program.card_count)
                if value is not None:
                    assert isinstance(value, int)
                    if width == 1:
                        vector[offset] = value
                    else:
                        for i in range(width):
                            vector[offset + i] = value >> (WORD_BITS * i) & (2**WORD_BITS - 1)
                return offset + width

    # ---------------------------------------------------------------- for people

    def tell(self, value: Plain, type_: Type) -> str:
        """A plain value in the words of a test."""
        if value is None:
            return ANY
        match type_:
            case ArrayType(inner, key):
                assert isinstance(value, tuple)
                pairs = (
                    f"{self._key_name(i, key)}: {self.tell(v, inner)}" for i, v in enumerate(value) if v is not None
                )
                return "{" + ", ".join(pairs) + "}"
            case SetType(of):
                assert isinstance(value, int)
                return "[" + ", ".join(self.tell(i, of) for i in range(value.bit_length()) if value >> i & 1) + "]"
            case _:
                assert isinstance(value, int)
                return self._tell_word(value, type_)

    def _tell_word(self, value: int, type_: Type) -> str:
        match type_:
            case OptionalType(inner):
                return "none" if value == NONE else self._tell_word(value, inner)
            case BoolType():
                return "true" if value else "false"
            case PlayerType():
                return f"P{value + 1}"
            case EnumType(_, values):
                return self._namer.word(value, type_) if 0 <= value < len(values) else str(value)
            case CardType():
                return self.kind_name(self.program.kinds[value])
            case _:
                return str(value)

    def _key_name(self, index: int, key: Type | RangeKey) -> str:
        return str(key.low + index) if isinstance(key, RangeKey) else self._tell_word(index, key)

    def kind_name(self, kind: int) -> str:
        """The name of a kind; no two kinds share one."""
        return self.program.kind_names[kind]

    def parameters(self, procedure: int) -> tuple[Variable, ...]:
        """The parameters of a rule, in order."""
        by_offset = {v.offset: v for v in self.program.variables if v.unit == procedure}
        return tuple(by_offset[offset] for offset in self.program.procedures[procedure].params)


def agrees(wanted: Plain, found: Plain) -> bool:
    """Whether a value is as wanted, where anything is wanted."""
    if wanted is None:
        return True
    if isinstance(wanted, tuple):
        return isinstance(found, tuple) and all(agrees(w, f) for w, f in zip(wanted, found, strict=True))
    return wanted == found


def shown(value: Value) -> str:
    """A value of the test file in one line."""
    match value:
        case Scalar():
            return value.piece.text.strip() or "null"
        case Items(items):
            return "[" + ", ".join(shown(i) for i in items) + "]"
        case Entries(entries):
            return "{" + ", ".join(f"{w.text}: {shown(v)}" for w, v in entries) + "}"


def _a(type_: Type) -> str:
    match type_:
        case IntType():
            return "a whole number"
        case BoolType():
            return "true or false"
        case PlayerType():
            return "a player (P1, P2, …)"
        case _:
            return f"a value of {type_}"
