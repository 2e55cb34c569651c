"""Random expressions, planned three ways, against a small evaluator that does what `ir.nodes` says, word by word."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ir_builder import HAND, NOBODY, OWNER, PILE, SUIT, Builder, num, seat, zone_at
from rulerun.facts.faults import RulesFault
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind
from rulerun.ir.program import ConstantTable
from rulerun.ir.types import BOOL, CARD, CARDS, INT, INT_MAX, INT_MIN, PLAYER, SetType
from rulerun.run.machine import Machine

NUMBERS = (3, 1, 2, 7, 5, 5, -4)
SUITS = (0, 1, 0, 2, 1, 1, 2)
MARKS = (1, 2, 3, 0, 4, 7, 5)
HANDS = ((0, 1, 2), (3, 6))
PILED = (4, 5)
POINTS = (4, 5, 6)
SET_TYPE = SetType(SUIT)
TYPES = {"int": INT, "bool": BOOL, "card": CARD, "seat": PLAYER, "suit": SUIT, "suits": SET_TYPE, "cards": CARDS}
STATE = {"int": 5, "bool": 1, "card": 3, "seat": 1, "suit": 1, "suits": 5, "cards": 0b1011001}
"""One variable of each type, and what it holds."""
PLACES = {name: ir.Place(8 + i, (), TYPES[name], 0) for i, name in enumerate(STATE)}
HELD = {place.offset: STATE[name] for name, place in PLACES.items()}


def table() -> Builder:
    """Seven cards in two hands and a pile; what the evaluator below takes for granted."""
    b = Builder(2, tuple(range(7)))
    b.field("number", NUMBERS)
    b.field("suit", SUITS, SUIT)
    b.field("marks", MARKS, SET_TYPE)
    b.zone("hand", HAND, OWNER, per_player=True)
    b.zone("pile", PILE, NOBODY)
    b.start = (0, 0, 0, 1, 2, 2, 1)
    for name, value in STATE.items():
        assert b.variable(name, TYPES[name], (value,)) == PLACES[name]
    b.tables.append(ConstantTable("points", POINTS))
    card, number = ir.Local(0, CARD), ir.Local(1, INT)
    b.function((CARD, INT), ir.Binary("<", ir.CardField(0, card, (), INT, 0), number, BOOL, 0), BOOL)
    loop = (
        ir.Block((ir.SetLocal(1, ir.Binary("+", ir.Local(0, INT), num(1), INT, 0)),), ir.Jump(1), -1, 0),
        ir.Block((), ir.Branch(ir.Binary("<", number, num(3), BOOL, 0), 2, 3), -1, 0),
        ir.Block((ir.SetLocal(1, ir.Binary("+", number, num(2), INT, 0)),), ir.Jump(1), -1, 0),
        ir.Block((), ir.Return(None, number), -1, 0),
    )
    b.function((INT,), None, INT, loop)
    return b


class Fault(Exception):  # noqa: N818 - the name of a thing of the rules
    """What the evaluator stops with: the code."""


def whole(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise Fault("RR0602")
    return value


def elements(domain: ir.Domain, env: dict[int, int]) -> list[int]:
    match domain:
        case ir.NumberDomain(low, high):
            return list(range(evaluate(low, env), evaluate(high, env) + 1))
        case ir.SetDomain(of):
            mask = evaluate(of, env)
            return [i for i in range(64) if mask >> i & 1]
        case ir.ZoneDomain(zone):
            return list(PILED if zone.family == 1 else HANDS[evaluate(zone.axes[0].index, env)])
        case ir.SeatDomain(_, start, inclusive):
            first = evaluate(start, env)
            return [first, 1 - first] if inclusive else [1 - first]  # of two, both ways round are the same
        case ir.FilteredDomain(local, inner, where):
            return [x for x in elements(inner, env) if evaluate(where, env | {local: x})]
    raise AssertionError(domain)


def binary(op: str, a: int, b: int) -> int:
    if op in ("//", "%") and b == 0:
        raise Fault("RR0603")
    if op == "**" and b < 0:
        raise Fault("RR0620")
    match op:
        case "**":
            if abs(a) > 1 and b > 40:
                raise Fault("RR0602")
            return whole(a**b)
        case "+":
            return whole(a + b)
        case "-":
            return whole(a - b)
        case "*":
            return whole(a * b)
        case "//":
            return whole(a // b)
        case "%":
            return a % b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "union":
            return a | b
        case "common":
            return a & b
        case "without":
            return a & ~b
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
    return int(a >= b)


def fold(node: ir.Fold, env: dict[int, int]) -> int:
    found: list[tuple[int, int]] = []
    for x in elements(node.domain, env):
        inner = env | {node.local: x}
        if node.where is not None and not evaluate(node.where, inner):
            continue
        value = evaluate(node.value, inner) if node.value is not None else 1
        found.append((x, value))
        stops = {
            FoldKind.SOME: bool(value),
            FoldKind.EVERY: not value,
            FoldKind.FIRST: True,
            FoldKind.SAME: value != found[0][1],
        }
        if stops.get(node.kind):
            break
    values = [value for _, value in found]
    match node.kind:
        case FoldKind.SUM:
            return whole(sum(values))
        case FoldKind.COUNT:
            return len(values)
        case FoldKind.SOME:
            return int(any(values))
        case FoldKind.EVERY:
            return int(all(values))
        case FoldKind.SAME:
            return int(len(set(values)) < 2)
        case FoldKind.DISTINCT:
            return len(set(values))
        case FoldKind.SET:
            return sum(1 << value for value in set(values))
    if not found:
        if node.default is None:
            raise Fault("RR0611")
        return evaluate(node.default, env)
    match node.kind:
        case FoldKind.MIN:
            return min(values)
        case FoldKind.MAX:
            return max(values)
        case FoldKind.FIRST:
            return found[0][0]
    best = max(values)
    return next(x for x, value in found if value == best)


def evaluate(expr: ir.Expr, env: dict[int, int]) -> int:
    def of(part: ir.Expr) -> int:
        return evaluate(part, env)

    match expr:
        case ir.Const(value):
            return value
        case ir.Local(index):
            return env[index]
        case ir.Load(place):
            return HELD[place.offset]
        case ir.Unary("not", operand):
            return int(not of(operand))
        case ir.Unary(_, operand):
            return whole(-of(operand))
        case ir.Binary(op, left, right):
            a = of(left)
            return binary(op, a, of(right))
        case ir.And(left, right):
            return int(bool(of(left) and of(right)))
        case ir.Or(left, right):
            return int(bool(of(left) or of(right)))
        case ir.Conditional(condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case ir.Contains(item, held):
            x = of(item)
            return of(held) >> x & 1
        case ir.Single(item):
            return 1 << of(item)
        case ir.Size(held):
            return of(held).bit_count()
        case ir.CardField(field, card):
            return (NUMBERS, SUITS, MARKS)[field][of(card)]
        case ir.Lookup(_, axes):
            return POINTS[of(axes[0].index)]
        case ir.ZoneCount(zone):
            return len(elements(ir.ZoneDomain(zone), env))
        case ir.ZoneCards(zone):
            return sum(1 << card for card in elements(ir.ZoneDomain(zone), env))
        case ir.InZone(card, zone):
            return int(of(card) in elements(ir.ZoneDomain(zone), env))
        case ir.PlayersIn():
            return 3
        case ir.Fold():
            return fold(expr, env)
        case ir.CallFunction(1, (card, number)):
            a = of(card)
            return int(NUMBERS[a] < of(number))
        case ir.CallFunction(2, (number,)):
            x = whole(of(number) + 1)
            while x < 3:
                x += 2
            return x
    raise AssertionError(expr)


@st.composite
def typed(draw: st.DrawFn, type_: str, depth: int, bound: tuple[tuple[int, str], ...]) -> ir.Expr:
    """An expression of a type: int, bool, card, seat, suit, suits (a set), cards (a set)."""
    types = TYPES
    leaves = [ir.Local(index, types[type_]) for index, its in bound if its == type_]
    simple: dict[str, st.SearchStrategy[ir.Expr]] = {
        "int": st.sampled_from([-3, 0, 1, 2, 5, 1000, INT_MAX, INT_MIN]).map(num),
        "bool": st.integers(0, 1).map(lambda x: num(x, BOOL)),
        "card": st.integers(0, 6).map(lambda x: num(x, CARD)),
        "seat": st.integers(0, 1).map(seat),
        "suit": st.integers(0, 2).map(lambda x: num(x, SUIT)),
        "suits": st.integers(0, 7).map(lambda x: num(x, SET_TYPE)),
        "cards": st.integers(0, 127).map(lambda x: num(x, CARDS)),
    }
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(
            st.one_of(
                simple[type_], st.just(ir.Load(PLACES[type_])), *([st.sampled_from(leaves)] * 3 if leaves else [])
            )
        )

    def part(its: str, more: tuple[tuple[int, str], ...] = ()) -> ir.Expr:
        return draw(typed(its, depth - 1, bound + more))

    def zone() -> ir.ZoneRef:
        return zone_at(1) if draw(st.booleans()) else zone_at(0, part("seat"))

    def a_fold(kind: FoldKind, value_type: str | None, element: str | None = None) -> ir.Expr:
        local = 10 + len(bound)
        element = element or draw(st.sampled_from(["card", "card", "card", "int", "seat", "suit"]))
        more = ((local, element),)
        domain: ir.Domain
        if element == "card":
            domain = ir.ZoneDomain(zone()) if draw(st.booleans()) else ir.SetDomain(part("cards"))
        elif element == "int":
            domain = ir.NumberDomain(num(draw(st.integers(-2, 2))), num(draw(st.integers(-3, 6))))
        elif element == "seat":
            domain = ir.SeatDomain(ir.PlayersIn(), part("seat"), draw(st.booleans()), draw(st.booleans()))
        else:
            domain = ir.SetDomain(part("suits"))
        if draw(st.booleans()):
            domain = ir.FilteredDomain(local, domain, part("bool", more))
        where = part("bool", more) if draw(st.booleans()) else None
        value = part(value_type, more) if value_type is not None else None
        has_default = kind in (FoldKind.MIN, FoldKind.MAX, FoldKind.BEST, FoldKind.FIRST) and draw(st.booleans())
        default = part(type_) if has_default else None
        return ir.Fold(kind, local, domain, where, value, default, types[type_], 0)

    if draw(st.integers(0, 8)) == 0:
        return ir.Conditional(part("bool"), part(type_), part(type_), types[type_])
    match type_:
        case "int":
            way = draw(st.integers(0, 7))
            if way <= 1:
                op = draw(st.sampled_from(["+", "-", "*", "//", "%", "**", "min", "max"]))
                return ir.Binary(op, part("int"), part("int"), INT, 0)
            if way == 2:
                return draw(st.sampled_from([
                    ir.Unary("neg", part("int"), 0), ir.Size(part("cards")), ir.ZoneCount(zone()),
                    ir.CallFunction(2, (ir.Binary("%", part("int"), num(9), INT, 0),), INT),
                ]))  # fmt: skip
            if way <= 4:
                return ir.CardField(0, part("card"), (), INT, 0)
            if way == 5:
                return ir.Lookup(0, (ir.Axis(part("suit"), 0, 3, 1, False),), INT, 0)
            kind = draw(st.sampled_from([FoldKind.SUM, FoldKind.COUNT, FoldKind.MIN, FoldKind.MAX, FoldKind.DISTINCT]))
            return a_fold(kind, None if kind is FoldKind.COUNT else "int")
        case "bool":
            way = draw(st.integers(0, 8))
            if way <= 1:
                op = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
                return ir.Binary(op, part("int"), part("int"), BOOL, 0)
            if way == 2:
                its = draw(st.sampled_from(["card", "suit", "seat"]))
                return ir.Binary(draw(st.sampled_from(["==", "!="])), part(its), part(its), BOOL, 0)
            if way == 3:
                return ir.And(part("bool"), part("bool")) if draw(st.booleans()) else ir.Or(part("bool"), part("bool"))
            if way == 4:
                return ir.Unary("not", part("bool"), 0)
            if way == 5:
                its = draw(st.sampled_from(["suit", "card"]))
                return ir.Contains(part(its), part({"suit": "suits", "card": "cards"}[its]))
            if way == 6:
                return ir.InZone(part("card"), zone())
            if way == 7:
                return ir.CallFunction(1, (part("card"), part("int")), BOOL)
            kind = draw(st.sampled_from([FoldKind.SOME, FoldKind.EVERY, FoldKind.SAME]))
            return a_fold(kind, "int" if kind is FoldKind.SAME else "bool")
        case "card":
            kind = draw(st.sampled_from([FoldKind.BEST, FoldKind.FIRST]))
            return a_fold(kind, "int" if kind is FoldKind.BEST else None, "card")
        case "seat":
            return a_fold(FoldKind.BEST, "int", "seat")
        case "suit":
            return ir.CardField(1, part("card"), (), SUIT, 0)
        case "suits":
            if draw(st.booleans()):
                return ir.CardField(2, part("card"), (), SET_TYPE, 0)
            op = draw(st.sampled_from(["union", "common", "without"]))
            return ir.Binary(op, part("suits"), part("suits"), SET_TYPE, 0)
    if draw(st.booleans()):
        return ir.ZoneCards(zone())
    return a_fold(FoldKind.SET, "card", "card")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.sampled_from(["int", "bool", "cards"]).flatmap(lambda type_: typed(type_, 4, ())))
def test_planned_code_gives_what_the_nodes_say(expr: ir.Expr) -> None:
    b = table()
    f = b.function((), expr, INT)
    program = b.program(0)
    expected: int | str
    try:
        expected = evaluate(expr, {})
    except Fault as fault:
        expected = str(fault)
    for mode in ({}, {"plain": True}):
        machine = Machine(program, **mode)
        v = machine.start(0)
        found: int | str
        try:
            found = machine.evaluate(v, f)
        except RulesFault as fault:
            found = fault.code
        assert found == expected, mode
