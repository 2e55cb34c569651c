"""Tests of cards said by sets of cards: ``c.suit == led`` over a whole hand is one intersection with a table's entry.

What is printed on the cards is known when a ruleset is compiled. So a test that compares it with what does not change
from card to card is a set of cards, looked up by that value, and a fold whose tests are such is a few operations on
sets instead of a loop. `by_sets` writes that beside what it says again: `Fold.sets`, `FilteredDomain.sets`,
`Line.sifted`. It never replaces: who wants to look at the cards one by one (to see that a choice reads no hidden face)
finds all as it was.

Only what can never fault and burns no fuel is taken out of its loop, for out of the loop it is evaluated once, also for
no card at all. What might fault stays behind the tests that stood before it.

`card_test` is the heart: which cards pass a test. `known` says what can be found out beforehand.

Imports the IR, `known` and `ranges`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from rulerun.facts.calls import callees_first
from rulerun.facts.known import FRESH, Known, chain, flattened, reads, renamed
from rulerun.facts.ranges import element_range
from rulerun.ir import nodes as ir
from rulerun.ir.arithmetic import COMPARE
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import Function, Program
from rulerun.ir.traverse import is_node, walk
from rulerun.ir.types import BOOL, CARDS, INT, INT_MAX, INT_MIN, NONE, OptionalType, Type
from rulerun.ir.typing import element_type, is_card, is_card_set, is_optional, type_of

FLIPPED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
WIDEST: Final = 4_096
"""Entries of a table of sets at most."""

T = TypeVar("T")


def by_sets(program: Program) -> Program:
    """The program with all that can be said by sets of cards said so, too. Fuel that it has is that of the loops."""
    functions = list(program.functions)
    for number in callees_first(program):
        known = Known(replace(program, functions=tuple(functions)))
        functions[number] = _in_function(known, functions[number])
    program = replace(program, functions=tuple(functions))
    return _in_procedures(Known(program), program)


def _in_function(known: Known, function: Function) -> Function:
    unit = _Unit(known, len(function.locals))
    blocks = tuple(map(unit.again, function.blocks))
    return replace(function, blocks=blocks, locals=(*function.locals, *unit.new_locals))


def _in_procedures(known: Known, program: Program) -> Program:
    units = [_Unit(known, len(procedure.locals)) for procedure in program.procedures]
    blocks = tuple(
        units[block.unit].again(block) if 0 <= block.unit < len(units) else block for block in program.blocks
    )
    procedures = tuple(
        replace(procedure, locals=(*procedure.locals, *unit.new_locals))
        for procedure, unit in zip(program.procedures, units, strict=True)
    )
    return replace(program, procedures=procedures, blocks=blocks)


class _Unit:
    """Says the parts of one function or procedure again. ``first``: the number of its first local that is free."""

    def __init__(self, known: Known, first: int) -> None:
        self.known = known
        self.program = known.program
        self.first = first
        self.new_locals: list[Type] = []
        self.every = (1 << self.program.card_count) - 1

    # ----------------------------------------------------------------- the walk

    def again(self, node: T) -> T:
        """A part of the IR with annotations."""
        if isinstance(node, tuple):
            return tuple(map(self.again, node))  # type: ignore[return-value]
        if not is_node(node):
            return node
        made: Any
        match node:
            case ir.Fold():
                made = self.fold(node)
            case ir.FilteredDomain():
                made = self.filtered(node)
                made = replace(made, sets=self.settled(self.cards_of(made)))
            case ir.Line():
                made = self.line(node)
            case _:
                made = self.parts(node)
        return made  # type: ignore[no-any-return]

    def parts(self, node: T) -> T:
        changes: dict[str, Any] = {}
        for slot in type(node).__slots__:  # type: ignore[attr-defined]
            old = getattr(node, slot)
            new = self.again(old)
            if new is not old:
                changes[slot] = new
        return replace(node, **changes) if changes else node  # type: ignore[type-var]

    def fold(self, fold: ir.Fold) -> ir.Fold:
        domain = self.domain(fold.domain)
        with self.bound(fold.local, fold.domain):
            where, value = self.again(fold.where), self.again(fold.value)
        fold = replace(fold, domain=domain, where=where, value=value, default=self.again(fold.default), sets=None)
        return replace(fold, sets=self.settled(self.fold_by_sets(fold)))

    def domain(self, domain: ir.Domain) -> ir.Domain:
        """The domain of a fold: its filters are said with the fold."""
        return self.filtered(domain) if isinstance(domain, ir.FilteredDomain) else self.again(domain)

    def filtered(self, domain: ir.FilteredDomain) -> ir.FilteredDomain:
        inner = self.domain(domain.domain)
        with self.bound(domain.local, inner):
            return replace(domain, domain=inner, where=self.again(domain.where), sets=None)

    def line(self, line: ir.Line) -> ir.Line:
        guard = self.again(line.guard)
        binders: list[ir.Binder] = []
        before = dict(self.known.ranges)
        for binder in line.binders:
            binders.append(self.again(binder))
            range_ = None if is_set(binder) else element_range(binder.domain, self.program, before)
            self.known.bind(binder.local, range_)
        where, label = self.again(line.where), self.again(line.label)
        self.known.ranges = before
        line = replace(line, guard=guard, binders=tuple(binders), where=where, label=label)
        return replace(line, sifted=self.sifted(line))

    @contextmanager
    def bound(self, local: int, domain: ir.Domain) -> Iterator[None]:
        """While a local runs over a domain."""
        before = dict(self.known.ranges)
        self.known.bind(local, element_range(domain, self.program, before))
        yield
        self.known.ranges = before

    def settled(self, expr: ir.Expr | None) -> ir.Expr | None:
        """An annotation that is wanted: the locals of functions put into it become locals of this unit."""
        if expr is None:
            return None
        names: dict[int, int] = {}
        for node in walk(expr):
            match node:
                case ir.Fold(local=local) | ir.FilteredDomain(local=local) | ir.Cover(local=local) if local >= FRESH:
                    if local not in names:
                        names[local] = self.first + len(self.new_locals)
                        self.new_locals.append(CARDS if isinstance(node, ir.Cover) else element_type(node.domain))
        return renamed(expr, names) if names else expr

    # ------------------------------------------------------- folds and choices

    def fold_by_sets(self, fold: ir.Fold) -> ir.Expr | None:
        """The value of a fold by sets of cards; of one whose tests are not all such as a fold over the cards that pass
        the first of them. None if nothing is won."""
        base = self.cards_of(fold.domain, ordered=fold.kind in (FoldKind.COUNT, FoldKind.SET))
        if base is None:
            return None
        passed, rest = self.split(fold.where, fold.local)
        cards = base if passed is None else self.common(base, passed)
        whole = self.whole_fold(fold, cards) if rest is None else None
        if whole is not None:
            return whole
        if (passed is None and not isinstance(fold.domain, ir.FilteredDomain)) or self.cards_of(fold.domain) is None:
            return None
        return replace(fold, domain=ir.SetDomain(cards), where=rest)

    def whole_fold(self, fold: ir.Fold, cards: ir.Expr) -> ir.Expr | None:
        """A fold over a set of cards that needs no loop."""
        nothing = ir.Const(0, CARDS)
        match fold.kind:
            case FoldKind.COUNT:
                return ir.ZoneCount(cards.zone) if isinstance(cards, ir.ZoneCards) else ir.Size(cards)
            case FoldKind.SOME:
                test = None if fold.value is None else self.card_test(fold.value, fold.local)
                if test is None and fold.value is not None:
                    return None
                return ir.Binary("!=", cards if test is None else self.common(cards, test), nothing, BOOL, fold.at)
            case FoldKind.EVERY if fold.value is not None:
                test = self.card_test(fold.value, fold.local)
                return None if test is None else ir.Binary("==", self.without(cards, test), nothing, BOOL, fold.at)
            case FoldKind.FIRST:
                return replace(fold, domain=ir.SetDomain(cards), where=None)
            case FoldKind.SET if isinstance(fold.value, ir.Local) and fold.value.index == fold.local:
                return cards
            case FoldKind.SUM if fold.value is not None:
                values = self.known.column(fold.value, fold.local)
                if values is None:
                    return None
                low, high = sum(min(v, 0) for v in values), sum(max(v, 0) for v in values)
                return ir.SumOf(values, cards) if low >= INT_MIN and high <= INT_MAX else None
            case _:
                return None

    def sifted(self, line: ir.Line) -> ir.Sifted | None:
        """The cards of a line that chooses one."""
        if len(line.binders) != 1 or is_set(line.binders[0]) or line.binders[0].identity is ir.Identity.BY_POSITION:
            return None
        (binder,) = line.binders
        if binder.by_sight:
            return None
        base = self.cards_of(binder.domain) if is_card(binder.place.type) else None
        if base is None:
            return None
        passed, rest = self.split(line.where, binder.local)
        cards = self.settled(base if passed is None else self.common(base, passed))
        assert cards is not None
        return ir.Sifted(cards, rest)

    def cards_of(self, domain: ir.Domain, *, ordered: bool = False) -> ir.Expr | None:
        """The elements of a domain as a set of cards, if they are one and come in the order of their numbers; with
        ``ordered`` in any order."""
        match domain:
            case ir.ZoneDomain(zone) if ordered or not self.program.families[zone.family].kind.ordered:
                return ir.ZoneCards(zone)
            case ir.SetDomain(of) if is_card_set(type_of(of)):
                return of
            case ir.FilteredDomain(local, inner, where):
                base = self.cards_of(inner, ordered=ordered)
                test = self.card_test(where, local) if base is not None else None
                return None if base is None or test is None else self.common(base, test)
            case _:
                return None

    def split(self, where: ir.Expr | None, local: int) -> tuple[ir.Expr | None, ir.Expr | None]:
        """The first tests of a `where` as the set of cards that pass them, and what is left of it."""
        if where is None:
            return None, None
        parts = flattened(where, ir.And)
        for number in range(len(parts), 0, -1):
            passed = self.card_test(chain(parts[:number]), local)
            if passed is not None:
                return passed, chain(parts[number:]) if parts[number:] else None
        return None, where

    # -------------------------------------------------------------------- tests

    def card_test(self, test: ir.Expr, local: int) -> ir.Expr | None:
        """The set of all cards for which a test holds with ``local`` bound to them; None if it is no such test."""
        fixed = self.known.column(test, local)
        if fixed is not None:
            return cards_where(fixed, bool)
        if not reads(test, local):
            return self.if_so(test, ir.Const(self.every, CARDS)) if self.known.is_quiet(test) else None
        match test:
            case ir.And() | ir.Or():
                return self.joined(test, local)
            case ir.Unary("not", operand):
                passed = self.card_test(operand, local)
                return None if passed is None else self.without(ir.Const(self.every, CARDS), passed)
            case ir.Conditional(condition, then, otherwise):
                if reads(condition, local) or not self.known.is_quiet(condition):
                    return None
                _, then = narrowed([condition, then], "!=")
                _, otherwise = narrowed([condition, otherwise], "==")
                first, second = self.card_test(then, local), self.card_test(otherwise, local)
                if first is None or second is None:
                    return None
                return ir.Conditional(condition, first, second, CARDS)
            case ir.CallFunction():
                body = self.known.expanded(test)
                return None if body is None else self.card_test(body, local)
            case ir.Binary(op, left, right) if op in FLIPPED:
                if reads(right, local):
                    left, right, op = right, left, FLIPPED[op]
                return self.compared(op, left, right, local)
            case ir.Contains(item, of):
                return self.member(item, of, local) if reads(of, local) else self.holder(item, of, local)
            case ir.InZone(ir.Local(index), zone) if index == local:
                total = all(self.known.is_quiet(axis) and not reads(axis.index, local) for axis in zone.axes)
                return ir.ZoneCards(zone) if total else None
            case _:
                return None

    def joined(self, test: ir.And | ir.Or, local: int) -> ir.Expr | None:
        """A chain of `and` or of `or`: what is the same for all cards is asked first, and once."""
        parts = narrowed(flattened(test, type(test)), "!=" if isinstance(test, ir.And) else "==")
        same = [part for part in parts if not reads(part, local)]
        if not all(map(self.known.is_quiet, same)):
            return None
        passed: ir.Expr | None = None
        for part in parts:
            if reads(part, local):
                cards = self.card_test(part, local)
                if cards is None:
                    return None
                join = self.common if isinstance(test, ir.And) else self.union
                passed = cards if passed is None else join(passed, cards)
        assert passed is not None, "a test that reads the card has a part that does"
        if not same:
            return passed
        if isinstance(test, ir.And):
            return self.if_so(chain(same), passed)
        return ir.Conditional(chain(same, ir.Or), ir.Const(self.every, CARDS), passed, CARDS)

    def compared(self, op: str, left: ir.Expr, right: ir.Expr, local: int) -> ir.Expr | None:
        """``left op right`` where only ``left`` reads the card."""
        if reads(right, local) or not self.known.is_quiet(right):
            return None
        if self.known.column(left, local) is None:
            return self.compared_either(op, left, right, local)
        if isinstance(left, ir.Local) and is_card(left.type) and op in ("==", "!="):
            passed: ir.Expr = ir.Single(right, CARDS)
            if is_optional(type_of(right)):
                passed = self.if_so(ir.Binary(">=", right, ir.Const(0, INT), BOOL, 0), passed)
            return passed if op == "==" else self.without(ir.Const(self.every, CARDS), passed)
        values = self.known.column(left, local)
        if not values or is_card_set(type_of(left)) or max(values) - min(values) > WIDEST:
            return None
        # Nothing changes below the least value and above the greatest.
        low, high = min(values) - 1, max(values) + 1
        sets = tuple(cards_where([COMPARE[op](v, x) for v in values], bool).value for x in range(low, high + 1))
        return table(sets, low, right)

    def compared_either(self, op: str, left: ir.Expr, right: ir.Expr, local: int) -> ir.Expr | None:
        """The same where ``left`` is one value for some cards and another for the rest: ``trump if bower(c) else
        c.suit``."""
        if isinstance(left, ir.CallFunction):
            left = self.known.expanded(left) or left
        if not isinstance(left, ir.Conditional) or is_card_set(left.type):
            return None
        which = self.card_test(left.condition, local)
        first, second = (
            self.card_test(ir.Binary(op, part, right, BOOL, 0), local) for part in (left.then, left.otherwise)
        )
        if which is None or first is None or second is None:
            return None
        return self.union(self.common(which, first), self.without(second, which))

    def holder(self, item: ir.Expr, of: ir.Expr, local: int) -> ir.Expr | None:
        """``item in of`` where ``item`` reads the card."""
        if not self.known.is_quiet(of):
            return None
        if isinstance(item, ir.Local) and item.index == local:
            return of
        values = self.known.column(item, local)
        if not values or is_card_set(type_of(of)) or min(values) < 0 or max(values) > WIDEST:
            return None
        return ir.HoldersOf(tuple(cards_where(values, x.__eq__).value for x in range(max(values) + 1)), of)

    def member(self, item: ir.Expr, of: ir.Expr, local: int) -> ir.Expr | None:
        """``item in of`` where ``of`` reads the card."""
        if reads(item, local) or not self.known.is_quiet(item):
            return None
        values = self.known.column(of, local)
        if values is None or is_card_set(type_of(of)):
            return None
        bits = range(max(values, default=0).bit_length())
        held = (cards_where([v >> bit & 1 for v in values], bool).value for bit in bits)
        return table((0, *held, 0), -1, item)

    # ----------------------------------------------------------- sets of cards

    def if_so(self, condition: ir.Expr, cards: ir.Expr) -> ir.Expr:
        return ir.Conditional(condition, cards, ir.Const(0, CARDS), CARDS)

    def common(self, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        match a, b:
            case ir.Const(x), ir.Const(y):
                return ir.Const(x & y, CARDS)
            case ir.Const(self.every), _:
                return b
            case _, ir.Const(self.every):
                return a
        return ir.Binary("common", a, b, CARDS, 0)

    def union(self, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        match a, b:
            case ir.Const(x), ir.Const(y):
                return ir.Const(x | y, CARDS)
        return ir.Binary("union", a, b, CARDS, 0)

    def without(self, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        match a, b:
            case ir.Const(x), ir.Const(y):
                return ir.Const(x & ~y, CARDS)
            case ir.Const(self.every), ir.CardTable(sets, low, index):
                return ir.CardTable(tuple(self.every & ~cards for cards in sets), low, index)
            case _, ir.Const(y):
                return self.common(a, ir.Const(self.every & ~y, CARDS))
            case _, ir.Binary("without", ir.Const(self.every), cards):
                return self.common(a, cards)
        return ir.Binary("without", a, b, CARDS, 0)


def narrowed(parts: Sequence[ir.Expr], op: str) -> list[ir.Expr]:
    """Tests each of which only matters where those before it fail (``op`` "==") or hold ("!="): ``lead is none or
    c.suit == lead.suit``. A variable that one of them compares with none is there in those that follow, so it is put
    in as a value that is never none, and looking at it cannot fault."""
    result: list[ir.Expr] = []
    there: set[int] = set()
    for part in parts:
        result.append(never_none(part, there) if there else part)
        match part:
            case ir.Binary(compared, ir.Load(ir.Place(offset, ())), ir.Const(value)):
                if compared == op and value == NONE:
                    there.add(offset)
    return result


def never_none(node: T, there: Set[int]) -> T:
    """A part of the IR with the greater of 0 and its value in place of each variable of ``there`` (by its offset)."""
    made: Any = node
    match node:
        case tuple():
            made = tuple(never_none(part, there) for part in node)
        case ir.Load(ir.Place(offset, (), OptionalType(inner))) if offset in there:
            made = ir.Binary("max", node, ir.Const(0, INT), inner, 0)
        case _ if is_node(node):
            parts = [never_none(getattr(node, slot), there) for slot in type(node).__slots__]  # type: ignore[attr-defined]
            made = type(node)(*parts)
    return made  # type: ignore[no-any-return]


def cards_where(values: Sequence[int], holds: Callable[[int], bool]) -> ir.Const:
    """The cards for whose value something holds."""
    return ir.Const(sum(1 << card for card, value in enumerate(values) if holds(value)), CARDS)


def table(sets: tuple[int, ...], low: int, index: ir.Expr) -> ir.Expr:
    """The entry of a table; the one that it is, if that is known."""
    if isinstance(index, ir.Const):
        return ir.Const(sets[min(max(index.value - low, 0), len(sets) - 1)], CARDS)
    return ir.CardTable(sets, low, index)


def is_set(binder: ir.Binder) -> bool:
    """Whether a set is chosen."""
    return binder.identity in (ir.Identity.MULTISET, ir.Identity.GIVEN_SET)
