"""Programs made at random from the nodes of the IR, for comparing two executors. Nothing in them means anything.

Everything is drawn from one `Random`, so a number names a program. Types are kept as the checker would keep them: card
numbers come from sets and zones, indices are checked, undrawn cards are only drawn.
"""

from __future__ import annotations

from random import Random

from ir_builder import EVERYONE, HAND, NOBODY, OWNER, PILE, ROW, SUIT, Builder, at, choose, line, num, zone_at
from rulerun.ir import nodes as ir
from rulerun.ir.nodes import FoldKind, Identity
from rulerun.ir.program import ConstantTable, Criterion, Program
from rulerun.ir.types import BOOL, CARD, CARDS, INT, PLAYER, ArrayType, SetType, Type

OPTIONAL_CARD_LEVEL = 3
PLAYERS = SetType(PLAYER)
SUITS = SetType(SUIT)


class Maker:
    """Makes one program."""

    def __init__(self, number: int) -> None:
        self.r = Random(number)
        r = self.r
        self.players = r.randint(2, 4)
        cards = r.choice([3, 6, 9, 14, 61, 62, 63, 70, 130])
        copies = r.choice([1, 1, 2, 3])
        kinds = [i // copies for i in range(cards)]
        if copies > 1 and r.random() < 0.2:
            kinds = sorted(range(-(-cards // copies))) * copies
            kinds = kinds[:cards]
        self.b = Builder(self.players, kinds)
        b = self.b
        self.cards = cards
        lowest = [kinds.index(kind) for kind in kinds]
        self.numbers = b.field("number", [r.randint(-3, 12) if c == lowest[c] else 0 for c in range(cards)])
        values = list(b.fields[0].values)
        self.fields = []
        b.fields.clear()
        self.number = b.field("number", [values[lowest[c]] for c in range(cards)])
        suits = [r.randrange(3) for _ in range(cards)]
        self.suit = b.field("suit", [suits[lowest[c]] for c in range(cards)], SUIT, back=r.random() < 0.4)
        marks = [r.randrange(8) for _ in range(cards)]
        self.marks = b.field("marks", [marks[lowest[c]] for c in range(cards)], SUITS)
        per = [[r.randint(0, 5) for _ in range(3)] for _ in range(cards)]
        self.flowers = b.field("flowers", [x for c in range(cards) for x in per[lowest[c]]], width=3)
        self.table = len(b.tables)
        b.tables.append(ConstantTable("table", tuple(r.randint(-9, 9) for _ in range(7))))
        self.deck = b.zone("deck", PILE, r.choice([EVERYONE, NOBODY]), shuffled=True)
        self.pile = b.zone("pile", PILE, r.choice([EVERYONE, NOBODY]))
        self.row = b.zone("row", ROW, r.choice([EVERYONE, OWNER]), per_player=True)
        self.hand = b.zone("hand", HAND, OWNER, per_player=True)
        self.bag = b.zone("bag", HAND, r.choice([EVERYONE, NOBODY]))
        self.shelf = b.zone("shelf", ROW, NOBODY, shuffled=True)
        total = len(b.zones)
        b.start = tuple(r.randrange(total) for _ in range(cards))
        self.a = b.variable("a", INT, (r.randint(-5, 5),))
        self.z = b.variable("z", INT)
        self.list = b.variable("list", ArrayType(INT, PLAYER), tuple(range(self.players)))
        self.set = b.variable("set", CARDS)
        self.who = b.variable("who", PLAYER)
        self.colours = b.variable("colours", SUITS)
        self.chosen = b.variable("chosen", CARD)
        self.chosen_set = b.variable("chosen_set", CARDS)
        self.chosen_number = b.variable("chosen_number", INT)
        self.chosen_seat = b.variable("chosen_seat", PLAYER)
        self.chosen_suit = b.variable("chosen_suit", SUIT)
        self.snapshot_card = b.variable("snapshot_card", CARD)
        self.next_local = 100
        self.locals: list[tuple[int, Type]] = []
        self.functions: list[tuple[int, tuple[Type, ...], Type]] = []

    # -------------------------------------------------------------- expressions

    def local(self) -> int:
        self.next_local += 1
        return self.next_local

    def known(self, type_: Type) -> list[ir.Expr]:
        return [ir.Local(index, t) for index, t in self.locals if t == type_]

    def pick(self, *ways: object) -> ir.Expr:
        return self.r.choice([way for way in ways if way is not None])()  # type: ignore[operator]

    def zone(self, family: int, depth: int) -> ir.ZoneRef:
        per_player = self.b.families[family].size > 1
        return zone_at(family, self.seat(depth) if per_player else None, self.players)

    def any_zone(self, depth: int, *families: int) -> ir.ZoneRef:
        return self.zone(self.r.choice(families or self.settled), depth)

    @property
    def settled(self) -> tuple[int, ...]:
        """Zones that hold no undrawn card."""
        return self.pile, self.row, self.hand, self.bag

    @property
    def ordered(self) -> tuple[int, ...]:
        return self.pile, self.row

    def int(self, depth: int) -> ir.Expr:
        r = self.r
        if depth <= 0:
            return self.pick(
                lambda: num(r.randint(-4, 9)),
                lambda: ir.Load(self.a),
                lambda: r.choice(self.known(INT) or [num(2)]),
                lambda: ir.ZoneCount(self.any_zone(0, *range(6))),
            )
        return self.pick(
            lambda: self.int(0),
            lambda: ir.Load(at(self.list, self.seat(depth - 1), self.players)),
            lambda: ir.Load(at(self.list, self.within(0, self.players - 1, depth), self.players, checked=True)),
            lambda: ir.Unary("neg", self.int(depth - 1), 0),
            lambda: self.arithmetic(depth),
            lambda: self.arithmetic(depth),
            lambda: ir.Conditional(self.bool(depth - 1), self.int(depth - 1), self.int(depth - 1), INT),
            lambda: ir.Size(self.card_set(depth - 1)),
            lambda: ir.Size(self.r.choice([ir.PlayersIn(), self.suit_set(depth - 1)])),
            lambda: ir.Lookup(self.table, (ir.Axis(self.within(-2, 4, depth), -2, 7, 1, True),), INT, 1),
            lambda: self.face(self.number, depth),
            lambda: ir.CardField(
                self.flowers, self.card(depth - 1), (ir.Axis(self.suit_value(depth - 1), 0, 3, 1, False),), INT, 0
            ),
            lambda: ir.ZoneCount(self.any_zone(depth - 1, *range(6))),
            lambda: ir.UndrawnCount(self.any_zone(depth - 1, self.deck, self.shelf)),
            lambda: self.fold(depth, r.choice([FoldKind.SUM, FoldKind.COUNT, FoldKind.DISTINCT])),
            lambda: self.fold(depth, r.choice([FoldKind.SUM, FoldKind.COUNT, FoldKind.MIN, FoldKind.MAX])),
            lambda: self.call(INT, depth),
            lambda: self.cover(depth, best=True),
        )

    def within(self, low: int, high: int, depth: int) -> ir.Expr:
        """An index, nearly always a right one."""
        free = self.int(depth - 1)
        if self.r.random() < 0.05:
            return free
        return ir.Binary("max", num(low), ir.Binary("min", num(high), free, INT, 0), INT, 0)

    def arithmetic(self, depth: int) -> ir.Expr:
        op = self.r.choice(["+", "-", "*", "//", "%", "**", "min", "max", "+", "-"])
        right = self.int(depth - 1)
        if op in ("//", "%") and self.r.random() < 0.9:
            right = num(self.r.choice([-3, -1, 1, 2, 7]))
        if op == "**" and self.r.random() < 0.9:
            right = self.within(0, 3, depth - 1)
        return ir.Binary(op, self.int(depth - 1), right, INT, self.r.randrange(2))

    def face(self, field: int, depth: int) -> ir.Expr:
        return ir.CardField(field, self.card(depth - 1), (), self.b.fields[field].type, self.r.randrange(2))

    def bool(self, depth: int) -> ir.Expr:
        r = self.r
        if depth <= 0:
            return self.pick(
                lambda: num(r.randrange(2), BOOL),
                lambda: ir.Binary("<", self.int(0), self.int(0), BOOL, 0),
                lambda: r.choice(self.known(BOOL) or [num(1, BOOL)]),
            )
        op = r.choice(["==", "!=", "<", "<=", ">", ">="])
        return self.pick(
            lambda: ir.Unary("not", self.bool(depth - 1), 0),
            lambda: ir.And(self.bool(depth - 1), self.bool(depth - 1)),
            lambda: ir.Or(self.bool(depth - 1), self.bool(depth - 1)),
            lambda: ir.Binary(op, self.int(depth - 1), self.int(depth - 1), BOOL, 0),
            lambda: ir.Binary(op, self.face(self.number, depth), self.int(depth - 1), BOOL, 0),
            lambda: ir.Binary(r.choice(["==", "!="]), self.face(self.suit, depth), self.suit_value(depth - 1), BOOL, 0),
            lambda: ir.Binary(r.choice(["==", "!="]), self.card(depth - 1), self.card(depth - 1), BOOL, 0),
            lambda: ir.Binary(r.choice(["==", "!="]), self.card_set(depth - 1), self.card_set(depth - 1), BOOL, 0),
            lambda: ir.Binary("==", self.seat(depth - 1), self.seat(depth - 1), BOOL, 0),
            lambda: ir.Contains(self.card(depth - 1), self.card_set(depth - 1)),
            lambda: ir.Contains(self.suit_value(depth - 1), self.suit_set(depth - 1)),
            lambda: ir.Contains(self.face(self.suit, depth), self.suit_set(depth - 1)),
            lambda: ir.InZone(self.card(depth - 1), self.any_zone(depth - 1, *range(6))),
            lambda: ir.Sees(self.seat(depth - 1), self.any_zone(depth - 1, *range(6))),
            lambda: self.fold(depth, r.choice([FoldKind.SOME, FoldKind.EVERY, FoldKind.SAME])),
            lambda: self.fold(depth, r.choice([FoldKind.SOME, FoldKind.EVERY])),
            lambda: self.call(BOOL, depth),
        )

    def seat(self, depth: int) -> ir.Expr:
        r = self.r
        return self.pick(
            lambda: num(r.randrange(self.players), PLAYER),
            lambda: ir.Load(self.who),
            lambda: r.choice(self.known(PLAYER) or [ir.Load(self.who)]),
            (lambda: ir.Neighbour(self.seat(depth - 1), r.choice([1, -1]), 0)) if depth > 0 else None,
        )

    def suit_value(self, depth: int) -> ir.Expr:
        r = self.r
        return self.pick(
            lambda: num(r.randrange(3), SUIT),
            lambda: r.choice(self.known(SUIT) or [num(0, SUIT)]),
            (lambda: self.face(self.suit, depth)) if depth > 0 else None,
        )

    def card(self, depth: int) -> ir.Expr:
        """A card: faults if there is none."""
        r = self.r
        known = self.known(CARD)
        if known and r.random() < 0.6:
            return r.choice(known)
        if depth <= 0:
            return num(r.randrange(self.cards), CARD)
        return self.pick(
            lambda: self.zone_end(depth),
            lambda: self.fold(depth, r.choice([FoldKind.BEST, FoldKind.FIRST]), CARD),
            lambda: num(r.randrange(self.cards), CARD),
        )

    def zone_end(self, depth: int) -> ir.Expr:
        """The card at an end, nearly always only where there is one."""
        if self.r.random() < 0.7:
            zone, end = self.any_zone(depth - 1, *self.ordered), self.r.choice(list(ir.End))
        else:
            zone, end = self.any_zone(depth - 1, self.hand, self.bag), ir.End.HEAD
        card = ir.ZoneEnd(zone, end, 1)
        if self.r.random() < 0.05:
            return card
        ordered = self.b.families[zone.family].kind.ordered
        there = ir.Binary(">" if ordered else "==", ir.ZoneCount(zone), num(0 if ordered else 1), BOOL, 0)
        return ir.Conditional(there, card, num(self.r.randrange(self.cards), CARD), CARD)

    def suit_set(self, depth: int) -> ir.Expr:
        r = self.r
        if depth <= 0:
            return self.pick(lambda: num(r.randrange(8), SUITS), lambda: ir.Load(self.colours))
        return self.pick(
            lambda: self.suit_set(0),
            lambda: ir.Single(self.suit_value(depth - 1), SUITS),
            lambda: self.face(self.marks, depth),
            lambda: ir.Binary(
                r.choice(["union", "common", "without"]), self.suit_set(depth - 1), self.suit_set(depth - 1), SUITS, 0
            ),
        )

    def card_set(self, depth: int) -> ir.Expr:
        r = self.r
        if depth <= 0:
            return self.pick(
                lambda: ir.Load(self.set),
                lambda: ir.ZoneCards(self.any_zone(0)),
                lambda: num(r.getrandbits(self.cards), CARDS),
                lambda: r.choice(self.known(CARDS) or [ir.Load(self.set)]),
            )
        return self.pick(
            lambda: self.card_set(0),
            lambda: ir.ZoneCards(self.any_zone(depth - 1, *range(6))),
            lambda: ir.Single(self.card(depth - 1), CARDS),
            lambda: ir.Binary(
                r.choice(["union", "common", "without"]), self.card_set(depth - 1), self.card_set(depth - 1), CARDS, 0
            ),
            lambda: ir.Conditional(self.bool(depth - 1), self.card_set(depth - 1), self.card_set(depth - 1), CARDS),
            lambda: ir.ZoneTop(self.any_zone(depth - 1, *self.ordered), r.choice(list(ir.End)), self.int(depth - 1), 0),
            lambda: self.gathered(depth),
            lambda: self.cover(depth, best=False),
        )

    def few_cards(self, depth: int) -> ir.Expr:
        """A set of a handful of cards."""
        zone = self.any_zone(depth, *self.ordered)
        return ir.ZoneTop(zone, self.r.choice(list(ir.End)), num(self.r.randint(0, 6)), 0)

    def cover(self, depth: int, best: bool) -> ir.Expr:
        """The best cover of a few cards."""
        r, local = self.r, self.local()
        of = self.few_cards(0) if r.random() < 0.97 else self.card_set(0)
        where = self.inside(local, CARDS, lambda: self.bool(depth - 1)) if r.random() < 0.5 else None
        value = self.inside(local, CARDS, lambda: self.int(depth - 1))
        return ir.Cover(of, local, num(r.randint(0, 2)), num(r.randint(1, 4)), where, value, best, 1)

    def set_domain(self) -> ir.Domain:
        """A domain of sets of cards."""
        r = self.r
        if r.random() < 0.4:
            sorted_by = r.choice([ir.GroupDomain, ir.RunDomain])
            return sorted_by(self.card_set(0), r.choice([self.number, self.suit]), 0)
        most = r.choice([None, num(r.randint(0, 3))])
        return ir.SubsetDomain(self.few_cards(0), num(r.randint(-1, 2)), most, 1)

    def gathered(self, depth: int) -> ir.Expr:
        """The set of some values of cards."""
        local = self.local()
        domain = self.card_domain(depth - 1)
        where = self.inside(local, CARD, lambda: self.bool(depth - 1))
        value = self.inside(local, CARD, lambda: self.r.choice([ir.Local(local, CARD), self.card(depth - 1)]))
        return ir.Fold(FoldKind.SET, local, domain, where, value, None, CARDS, 0)

    def inside(self, local: int, type_: Type, make: object) -> ir.Expr:
        self.locals.append((local, type_))
        made = make()  # type: ignore[operator]
        self.locals.pop()
        return made

    def card_domain(self, depth: int) -> ir.Domain:
        r = self.r
        base = r.choice([
            lambda: ir.ZoneDomain(self.any_zone(depth, *range(6))),
            lambda: ir.ZoneDomain(self.any_zone(depth)),
            lambda: ir.SetDomain(self.card_set(depth)),
            lambda: ir.BoardDomain(zone_at(self.row, num(0, PLAYER), self.players), self.players),
        ])()  # fmt: skip
        if depth > 0 and r.random() < 0.4:
            local = self.local()
            return ir.FilteredDomain(local, base, self.inside(local, CARD, lambda: self.bool(depth - 1)))
        return base

    def domain(self, depth: int) -> tuple[ir.Domain, Type]:
        r = self.r
        way = r.randrange(9)
        if way == 8 and depth > 0:
            return self.set_domain(), CARDS
        if way == 0:
            return ir.NumberDomain(self.small(), self.small()), INT
        if way == 1:
            return ir.SteppedDomain(self.small(), self.small(), r.choice([1, 2, -1, -3])), INT
        if way == 2:
            return ir.SetDomain(ir.PlayersIn()), PLAYER
        if way == 3:
            return ir.SeatDomain(ir.PlayersIn(), self.seat(depth), r.random() < 0.5, r.random() < 0.5), PLAYER
        if way == 4:
            return ir.SetDomain(self.suit_set(depth)), SUIT
        return self.card_domain(depth), CARD

    def small(self) -> ir.Expr:
        return self.pick(lambda: num(self.r.randint(-3, 8)), lambda: ir.ZoneCount(self.any_zone(0)))

    def fold(self, depth: int, kind: FoldKind, wanted: Type | None = None) -> ir.Expr:
        r = self.r
        domain, type_ = (self.card_domain(depth - 1), CARD) if wanted == CARD else self.domain(depth - 1)
        local = self.local()
        where = self.inside(local, type_, lambda: self.bool(depth - 1)) if r.random() < 0.6 else None
        value: ir.Expr | None
        if kind in (FoldKind.SOME, FoldKind.EVERY):
            value = self.inside(local, type_, lambda: self.bool(depth - 1))
        elif kind in (FoldKind.COUNT, FoldKind.FIRST):
            value = None
        else:
            value = self.inside(local, type_, lambda: self.int(depth - 1))
        default: ir.Expr | None = None
        result: Type = BOOL if kind in (FoldKind.SOME, FoldKind.EVERY, FoldKind.SAME) else INT
        if kind in (FoldKind.BEST, FoldKind.FIRST):
            result = CARD
            default = num(r.randrange(self.cards), CARD) if r.random() < 0.97 else None
        elif kind in (FoldKind.MIN, FoldKind.MAX):
            default = self.int(0) if r.random() < 0.97 else None
        return ir.Fold(kind, local, domain, where, value, default, result, r.randrange(2))

    def call(self, type_: Type, depth: int) -> ir.Expr:
        fitting = [f for f in self.functions if f[2] == type_]
        if not fitting:
            return num(1, type_)
        number, params, result = self.r.choice(fitting)
        given = tuple(self.of_type(param, depth - 1) for param in params)
        return ir.CallFunction(number, given, result)

    def of_type(self, type_: Type, depth: int) -> ir.Expr:
        makers = {INT: self.int, BOOL: self.bool, PLAYER: self.seat, CARD: self.card, CARDS: self.card_set}
        return makers[type_](depth)

    # ---------------------------------------------------------------- functions

    def make_function(self) -> None:
        r = self.r
        params = tuple(r.choice([INT, BOOL, PLAYER, CARD, CARDS]) for _ in range(r.randint(0, 3)))
        result = r.choice([INT, BOOL])
        outer, self.locals = self.locals, list(enumerate(params))
        if r.random() < 0.5:
            number = self.b.function(params, self.of_type(result, 2), result)
        else:
            first = ir.Block((), ir.Branch(self.bool(1), 1, 2), -1, 0)
            second = ir.Block((), ir.Return(None, self.of_type(result, 1)), -1, 0)
            number = self.b.function(params, None, result, (first, second, second))
        self.locals = outer
        self.functions.append((number, params, result))

    # --------------------------------------------------------------- operations

    def target(self) -> tuple[ir.ZoneRef, ir.Spot]:
        r = self.r
        zone = self.any_zone(1, *range(6))
        if self.b.families[zone.family].kind.ordered and r.random() < 0.3:
            return zone, ir.Depth(num(0 if r.random() < 0.8 else r.randint(1, 2)), r.random() < 0.5)
        return zone, r.choice(list(ir.End))

    def drawn_card(self) -> ir.Expr:
        """A card that lies where no undrawn ones are."""
        local = self.local()
        domain = ir.ZoneDomain(self.any_zone(1))
        default = num(self.r.randrange(self.cards), CARD) if self.r.random() < 0.95 else None
        return ir.Fold(FoldKind.FIRST, local, domain, None, None, default, CARD, 0)

    def drawn_set(self) -> ir.Expr:
        return ir.ZoneCards(self.any_zone(1))

    def op(self) -> ir.Op:
        r = self.r
        return r.choice([
            lambda: ir.Store(self.a, self.bounded(), 0),
            lambda: ir.Store(at(self.list, self.seat(1), self.players), self.bounded(), 0),
            lambda: ir.Store(self.set, self.card_set(2), 0),
            lambda: ir.Store(self.who, self.seat(1), 0),
            lambda: ir.Store(self.colours, self.suit_set(1), 0),
            lambda: ir.MoveCard(self.drawn_card(), *self.target(), 1),
            lambda: ir.MoveCard(self.drawn_card(), *self.target(), 1),
            lambda: ir.MoveCards(self.drawn_set(), *self.end_target(), 0),
            lambda: ir.MoveAll(self.any_zone(1), *self.target(), 0),
            lambda: ir.CollectAll(self.loose_zone(), 0) if r.random() < 0.3 else self.op(),
            lambda: ir.Collect(self.any_zone(1, *range(6)), self.loose_zone(), 0),
            lambda: ir.Shuffle(self.any_zone(1, self.deck, self.shelf), 0),
            lambda: ir.TurnOver(self.any_zone(1, *range(6)), 0),
            lambda: ir.Refill(
                self.any_zone(1, self.deck, self.shelf), self.any_zone(1, *range(6)), r.randint(0, 2), True, 0
            ),
            lambda: ir.Refill(self.any_zone(1, self.pile), self.any_zone(1, *range(6)), r.randint(0, 2), False, 0),
            lambda: ir.SwapCards(self.drawn_card(), self.drawn_card(), 0),
            lambda: ir.SwapZones(*(self.any_zone(1, self.row) for _ in range(2)), 0),
            lambda: ir.SwapZones(*(self.any_zone(1, self.hand) for _ in range(2)), 0),
            lambda: ir.Reveal(self.card_set(1), r.choice([None, ir.PlayersIn(), num(1, PLAYERS)]), 0),
            lambda: ir.Announce(ir.Label(("note", self.int(1), self.card_set(1))), 0),
            lambda: ir.Reverse(0),
            lambda: ir.Leave(self.seat(0), 0) if r.random() < 0.3 else self.op(),
            lambda: ir.Rejoin(self.returning(), 0),
            lambda: self.inform(),
        ])()  # fmt: skip

    def returning(self) -> ir.Expr:
        some = ir.Single(self.seat(0), PLAYERS)
        return some if self.r.random() < 0.7 else num((1 << self.players) - 1, PLAYERS)

    def loose_zone(self) -> ir.ZoneRef:
        """A zone whose cards may lie in no order."""
        return self.any_zone(1, self.deck, self.shelf, self.bag, self.hand)

    def inform(self) -> ir.Op:
        local = self.local()
        return ir.Inform(None, self.any_zone(1), local, self.inside(local, CARD, lambda: self.bool(2)), 0)

    def end_target(self) -> tuple[ir.ZoneRef, ir.Spot]:
        return self.any_zone(1, *range(6)), self.r.choice(list(ir.End))

    def bounded(self) -> ir.Expr:
        return ir.Binary("max", num(-50), ir.Binary("min", num(50), self.int(2), INT, 0), INT, 0)

    def binder(self) -> ir.Binder:
        r = self.r
        local = self.local()
        way = r.randrange(8)
        if way == 7:
            return ir.Binder(local, self.set_domain(), Identity.GIVEN_SET, self.chosen_set)
        if way == 0:
            return ir.Binder(local, ir.NumberDomain(self.small(), self.small()), Identity.EXACT, self.chosen_number)
        if way == 1:
            return ir.Binder(local, self.seat_domain(), Identity.EXACT, self.chosen_seat)
        if way == 2:
            return ir.Binder(local, ir.SetDomain(self.suit_set(1)), Identity.EXACT, self.chosen_suit)
        if way == 3:
            zone = self.zone(self.r.choice([self.hand, self.bag]), 0)
            return ir.Binder(local, self.filtered(ir.ZoneDomain(zone)), Identity.BY_KIND, self.chosen)
        if way == 4:
            zone = self.any_zone(0, self.deck, self.shelf)
            return ir.Binder(local, ir.ZoneDomain(zone), Identity.BY_POSITION, self.chosen_number)
        if way == 5:
            return ir.Binder(
                local, self.card_domain(0), Identity.MULTISET, self.chosen_set, num(r.randint(0, 2)),
                r.choice([None, num(r.randint(0, 3))]),
            )  # fmt: skip
        return ir.Binder(local, self.filtered(ir.ZoneDomain(self.any_zone(0))), Identity.EXACT, self.chosen)

    def seat_domain(self) -> ir.Domain:
        return self.r.choice([ir.SetDomain(ir.PlayersIn()), ir.SeatDomain(ir.PlayersIn(), self.seat(0), True, False)])

    def filtered(self, base: ir.Domain) -> ir.Domain:
        if self.r.random() < 0.5:
            return base
        local = self.local()
        return ir.FilteredDomain(local, base, self.inside(local, CARD, lambda: self.bool(1)))

    def line(self, target: int) -> ir.Line:
        r = self.r
        binders = []
        places = set()
        for _ in range(r.choice([0, 1, 1, 1, 2])):
            binder = self.binder()
            if binder.place.offset in places:
                continue
            places.add(binder.place.offset)
            binders.append(binder)
        types = {INT: INT, PLAYER: PLAYER, SUIT: SUIT, CARD: CARD, CARDS: CARDS}
        kept = len(self.locals)
        for binder in binders:
            if binder.identity is not Identity.BY_POSITION:
                self.locals.append((binder.local, types[binder.place.type]))
        where = self.bool(2) if binders and r.random() < 0.5 else None
        del self.locals[kept:]
        guard = self.bool(1) if r.random() < 0.3 else None
        return line(target, binders, guard, where)

    # ------------------------------------------------------------------ program

    def make(self) -> Program:
        r, b = self.r, self.b
        for _ in range(r.randint(0, 3)):
            self.make_function()
        score = b.function((PLAYER,), ir.Load(at(self.list, ir.Local(0, PLAYER), self.players)))
        tie = b.function((PLAYER,), ir.ZoneCount(zone_at(self.hand, ir.Local(0, PLAYER), self.players)))
        b.criteria = (Criterion(r.random() < 0.5, "score", score), Criterion(r.random() < 0.5, "tie", tie))
        b.decision_limit = r.choice([5, 30, 1000])
        b.limit_is_draw = r.random() < 0.5
        rounds = b.variable("rounds", INT, (r.randint(2, 12),))
        top = b.reserve()
        body = b.reserve()
        snap = b.variable("snap", ArrayType(INT, SUIT))
        picked = b.reserve()
        asked = b.reserve()
        then = b.reserve()
        last = b.reserve()
        over = b.block((), ir.Finish())
        less = ir.Binary("-", ir.Load(rounds), num(1), INT, 0)
        go_on = ir.Binary(">", ir.Load(rounds), num(0), BOOL, 0)
        b.block((ir.Store(rounds, less, 0),), ir.Branch(go_on, body, over), top)
        spot = r.choice([ir.End.HEAD, ir.End.TAIL, ir.Depth(num(r.randint(0, 3)))])
        place = self.chosen
        zone = self.any_zone(1, self.deck, self.shelf, self.pile)
        b.block([self.op() for _ in range(r.randint(0, 5))], ir.Draw(zone, spot, place, picked, picked, 0), body)
        domain, type_ = self.domain(1)
        if type_ == CARDS:
            domain, type_ = self.card_domain(1), CARD
        places = {INT: self.chosen_number, PLAYER: self.chosen_seat, SUIT: self.chosen_suit, CARD: self.snapshot_card}
        into = places[type_]
        b.block([self.op() for _ in range(r.randint(0, 3))], ir.Pick(domain, into, asked, asked, False, 1), picked)
        lines = [self.line(r.choice([then, last])) for _ in range(r.randint(1, 3))]
        optional = r.random() < 0.3
        passing = last if optional or r.random() < 0.95 else None
        asking = choose(self.seat(1), lines, passing, optional)
        b.block((), asking, asked)
        loop = ir.Snapshot(ir.SetDomain(ir.PlayersIn()), snap.offset, 6, 0)
        item = ir.SnapshotItem(snap.offset, num(0), PLAYER)
        some = ir.Binary(">", ir.SnapshotCount(snap.offset), num(0), BOOL, 0)
        stored = ir.Store(self.who, ir.Conditional(some, item, num(0, PLAYER), PLAYER), 0)
        b.block([loop, stored, self.op()], ir.Switch(self.int(1), (last, last), last), then)
        b.block([self.op() for _ in range(r.randint(0, 2))], ir.Jump(top), last)
        return b.program(top, score)


def random_program(number: int) -> Program:
    """Program ``number``."""
    return Maker(number).make()
