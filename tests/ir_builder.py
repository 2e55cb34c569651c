"""Programs built by hand, for the tests of the executor. Imports ir only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulerun.facts.annotate import annotate
from rulerun.ir import nodes as ir
from rulerun.ir.program import (
    HEADER_WORDS,
    CardColumn,
    ConstantTable,
    Criterion,
    Function,
    Origin,
    Procedure,
    Program,
    SeenBy,
    Variable,
    Zone,
    ZoneFamily,
    ZoneKind,
    layout_of,
    words_of,
)
from rulerun.ir.traverse import walk
from rulerun.ir.types import BOOL, CARD, INT, PLAYER, ArrayType, EnumType, OptionalType, Type

PILE, ROW, HAND = ZoneKind.PILE, ZoneKind.ROW, ZoneKind.HAND
SUIT = EnumType("Suit", ("clubs", "diamonds", "hearts"), False)
EVERYONE, OWNER, NOBODY = SeenBy.EVERYONE, SeenBy.OWNER, SeenBy.NOBODY


def num(value: int, type_: Type = INT) -> ir.Const:
    return ir.Const(value, type_)


def add(left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary("+", left, right, INT, 0)


def eq(left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary("==", left, right, BOOL, 0)


def less(left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary("<", left, right, BOOL, 0)


def locals_of(blocks: Sequence[ir.Block], params: int = 0) -> tuple[Type, ...]:
    """The locals of a code unit, as many as it names. (Nobody asks for their types.)"""
    bound = [params - 1]
    for node in walk(tuple(blocks)):
        bound += [node.index] if isinstance(node, ir.Local) else [getattr(node, "local", -1)]
    return (INT,) * (max(bound) + 1)


class Builder:
    """Collects the parts of a program; offsets are given at once, so variables and zones come before blocks."""

    def __init__(self, players: int = 2, kinds: Sequence[int] = tuple(range(6))) -> None:
        self.players = players
        self.kinds = tuple(kinds)
        self.cards = len(self.kinds)
        self.fields: list[CardColumn] = []
        self.families: list[ZoneFamily] = []
        self.zones: list[Zone] = []
        self.variables: list[Variable] = []
        self.tables: list[ConstantTable] = []
        self.functions: list[Function] = []
        self.procedures: list[Procedure] = []
        self.blocks: list[ir.Block | None] = [ir.Block((), ir.Finish(), 0, 0)]
        self.variable_words = 0
        self.frame_words = 0
        self.start: tuple[int, ...] = (0,) * self.cards
        self.criteria: tuple[Criterion, ...] = ()
        self.decision_limit = 1000
        self.limit_is_draw = False
        self.uses_knowledge = False
        self.function((PLAYER,), num(0))  # the score, unless another is named

    # ------------------------------------------------------------- declarations

    def field(self, name: str, values: Sequence[int], type_: Type = INT, back: bool = False, width: int = 1) -> int:
        self.fields.append(CardColumn(name, type_, back, width, tuple(values)))
        return len(self.fields) - 1

    def zone(
        self, name: str, kind: ZoneKind, seen_by: SeenBy = EVERYONE, per_player: bool = False, shuffled: bool = False
    ) -> int:
        first = len(self.zones)
        size = self.players if per_player else 1
        everyone = (1 << self.players) - 1
        for i in range(size):
            owner = i if per_player else -1
            seen = {SeenBy.EVERYONE: everyone, SeenBy.NOBODY: 0, SeenBy.OWNER: 1 << i}[seen_by]
            label = f"{name} of P{i + 1}" if per_player else name
            self.zones.append(Zone(len(self.families), (i,) if per_player else (), label, owner, seen))
        keys = (PLAYER,) if per_player else ()
        self.families.append(ZoneFamily(name, kind, seen_by, keys, first, size, shuffled, None, None))
        return len(self.families) - 1

    def variable(self, name: str, type_: Type = INT, start: Sequence[int] = ()) -> ir.Place:
        words = words_of(type_, self.players, self.cards)
        offset = HEADER_WORDS + self.variable_words
        self.variables.append(Variable(name, type_, offset, words, -1, tuple(start)))
        self.variable_words += words
        return ir.Place(offset, (), type_, 0)

    def frame(self, words: int) -> int:
        """First word of a new frame; all variables must have been declared."""
        offset = HEADER_WORDS + self.variable_words + self.frame_words
        self.frame_words += words
        return offset

    def procedure(
        self,
        entry: int,
        params: Sequence[Type] = (),
        result: Type | None = None,
        local_words: int = 0,
        name: str = "rule",
    ) -> int:
        sizes = [words_of(type_, self.players, self.cards) for type_ in params]
        result_words = words_of(result, self.players, self.cards) if result is not None else 0
        frame = self.frame(1 + result_words + sum(sizes) + local_words)
        offsets = [frame + 1 + result_words + sum(sizes[:i]) for i in range(len(sizes))]
        words = 1 + result_words + sum(sizes) + local_words
        self.procedures.append(
            Procedure(
                name,
                "rule",
                entry,
                frame,
                words,
                tuple(offsets),
                frame,
                frame + 1 if result is not None else -1,
                result_words,
                (),
                0,
            )
        )
        return len(self.procedures) - 1

    def function(
        self, params: Sequence[Type], value: ir.Expr | None, result: Type = INT, blocks: Sequence[ir.Block] = ()
    ) -> int:
        body = tuple(blocks) or (ir.Block((), ir.Return(None, value), -1, 0),)
        self.functions.append(Function(f"f{len(self.functions)}", tuple(params), result, (), body, 0))
        return len(self.functions) - 1

    def reserve(self) -> int:
        """The number of a block that is filled in later."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def block(self, ops: Sequence[ir.Op], end: ir.Terminator, number: int | None = None, unit: int = 0) -> int:
        if number is None:
            number = self.reserve()
        self.blocks[number] = ir.Block(tuple(ops), end, unit, 0)
        return number

    def program(self, entry: int, score: int = 0) -> Program:
        """The program as executors want it."""
        return annotate(self.bare_program(entry, score))

    def bare_program(self, entry: int, score: int = 0) -> Program:
        """The program without fuel, which may be one that is not well formed."""
        if not self.procedures and locals_of([block for block in self.blocks if block is not None]):
            self.procedure(entry)
        layout = layout_of(self.cards, self.players, len(self.zones), self.variable_words, self.frame_words)
        names = tuple(f"kind {i}" for i in range(max(self.kinds, default=-1) + 1))
        blocks = tuple(block if block is not None else ir.Block((), ir.Finish(), 0, 0) for block in self.blocks)
        return Program(
            game="by hand", language=1, players=self.players, options=(), variants=(), card_count=self.cards,
            kinds=self.kinds, kind_names=names, back_names=("a card",) * len(names), fields=tuple(self.fields),
            families=tuple(self.families), zones=tuple(self.zones), start=self.start,
            variables=tuple(self.variables), tables=tuple(self.tables),
            functions=tuple(replace(f, locals=locals_of(f.blocks, len(f.params))) for f in self.functions),
            procedures=tuple(
                replace(p, locals=locals_of([block for block in blocks if block.unit == i]))
                for i, p in enumerate(self.procedures)
            ), blocks=blocks, entry=entry, score=score,
            criteria=self.criteria or (Criterion(True, "score", score),), decision_limit=self.decision_limit,
            limit_is_draw=self.limit_is_draw, uses_knowledge=self.uses_knowledge,
            origins=(Origin("hand.yaml", 7, 3, "the rule text"), Origin("hand.yaml", 9, 1, "another line")),
            layout=layout,
        )  # fmt: skip


def zone_at(family: int, index: ir.Expr | None = None, players: int = 2, checked: bool = False) -> ir.ZoneRef:
    axes = () if index is None else (ir.Axis(index, 0, players, 1, checked),)
    return ir.ZoneRef(family, axes, 0)


def choose(
    chooser: ir.Expr, lines: Sequence[ir.Line], passing: int | None = None, optional: bool = False, site: int = 0,
    secret: bool = False, sealed: bool = False,
) -> ir.Choose:  # fmt: skip
    return ir.Choose(site, chooser, tuple(lines), passing, optional, secret, sealed, False, 0)


def line(
    target: int, binders: Sequence[ir.Binder] = (), guard: ir.Expr | None = None, where: ir.Expr | None = None,
    label: ir.Label | None = None,
) -> ir.Line:  # fmt: skip
    return ir.Line(guard, tuple(binders), where, label, target, 0)


def seat(value: int) -> ir.Const:
    return ir.Const(value, PLAYER)


def at(place: ir.Place, index: ir.Expr, size: int, low: int = 0, checked: bool = False) -> ir.Place:
    value = place.type.value if isinstance(place.type, ArrayType) else place.type
    return replace(place, axes=(ir.Axis(index, low, size, 1, checked),), type=value)


CARD_OR_NONE = OptionalType(CARD)
