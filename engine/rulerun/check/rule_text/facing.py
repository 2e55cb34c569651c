"""Cards that lie face up or face down one by one: `flip`, and the question `is face up`.

Which cards lie face up is a set of cards among the state variables, in games that speak of it only. A card lies face up
until it is turned down or moved, or its zone loses its order: `kept` puts what sees to that around the operations of
the finished blocks, so that nothing else that moves cards needs to know of it. In a zone that everyone sees all cards
lie face up anyway, and in a hand they lie neither way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rulerun.check.declarations.symbols import Symbols, ZoneSymbol
from rulerun.check.rule_text import card_statements, expressions, simplify
from rulerun.check.rule_text.survey import Texts, walk
from rulerun.check.rule_text.unit import Unit, source_text
from rulerun.check.rule_text.zone_uses import instances
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, SeenBy, words_of
from rulerun.ir.types import BOOL, CARD, CARDS
from rulerun.syntax import nodes as syn

UP, DOWN = "face up", "face down"


def give_room(symbols: Symbols, texts: Texts) -> None:
    """Room for which cards lie face up, if the game speaks of it; and as much to work in, which is empty at rest."""
    if any(isinstance(n, syn.Flip) or (isinstance(n, syn.Is) and n.predicate in (UP, DOWN)) for n in _all(texts)):
        symbols.face_up = HEADER_WORDS + symbols.variable_words
        symbols.variable_words += 2 * words_of(CARDS, symbols.players, symbols.card_count)


def families_turned(symbols: Symbols, texts: Texts) -> frozenset[int]:
    """The zones in which cards may come to lie face up: those that a `flip` names, or all that can be meant."""
    zones = [s for s in symbols.names.values() if isinstance(s, ZoneSymbol)]
    any_of_them = {z.index for z in zones if z.kind.ordered and z.seen_by is not SeenBy.EVERYONE}
    found: set[int] = set()
    for node in _all(texts):
        if isinstance(node, syn.Flip) and node.up:
            zone = _zone_named(symbols, node.what)
            found |= any_of_them if zone is None else {zone.index}
    return frozenset(found)


def _all(texts: Texts) -> Iterator[object]:
    for name in (*texts.bodies, *texts.triggers):
        yield from walk(texts.parts(name))
    yield from walk(texts.won)


def _zone_named(symbols: Symbols, node: syn.Expr) -> ZoneSymbol | None:
    """The zone whose cards, or one of whose cards, a text names as such; None for a card by any other name."""
    while True:
        match node:
            case syn.AllOf(zone) | syn.End(zone=zone):
                node = zone
            case syn.RandomOf(domain):
                node = domain
            case syn.Index(of):
                node = of
            case syn.Name(text):
                symbol = symbols.names.get(text)
                return symbol if isinstance(symbol, ZoneSymbol) else None
            case _:
                return None


# ------------------------------------------------------------------ in rule text


def flip(unit: Unit, node: syn.Flip) -> None:
    """``flip X face up``: those that lie so already are passed over."""
    at = unit.at(node.span)
    zone = _zone_named(unit.checker.symbols, node.what)
    if zone is not None:
        _refuse_zone(unit, zone, node)
    for cards, place in card_statements.drawn_cards(unit, node.what, f"to turn {UP if node.up else DOWN}", at):
        turned = unit.temporary(CARDS, at)
        flow = unit.flow
        flow.op(ir.Store(turned, cards, at))
        if zone is None:
            _fail_in_hand(unit, turned, node)
        open_ = _face_up(unit.checker.symbols, at)
        changing = ir.Binary("without" if node.up else "common", ir.Load(turned), ir.Load(open_), CARDS, at)
        for ref in _open_zones(unit, node.what, zone):
            changing = ir.Binary("without", changing, ir.ZoneCards(ref), CARDS, at)
        flow.op(ir.Store(turned, changing, at))
        flow.op(ir.Flip(ir.Load(turned), node.up, at))
        result = ir.Binary("union" if node.up else "without", ir.Load(open_), ir.Load(turned), CARDS, at)
        flow.op(ir.Store(open_, result, at))
        for used in (turned, place):
            if used is not None:
                flow.op(ir.Clear(used.offset, unit.checker.words(used.type)))


def _refuse_zone(unit: Unit, zone: ZoneSymbol, node: syn.Flip) -> None:
    if not zone.kind.ordered:
        unit.checker.refuse(
            "RR0519",
            f"the cards of `{zone.name}`, a hand, lie neither face up nor face down",
            node.span,
            help=f"`reveal {source_text(node.what.span)}` shows them to all; a `row` holds cards that lie either way"
            if node.up
            else "a `row` or a `pile` holds cards that lie either way",
        )
    if zone.always_open:
        unit.checker.refuse(
            "RR0519",
            f"everyone sees the faces of `{zone.name}`, so its cards always lie face up",
            node.span,
            help="declare it `seen_by: nobody`, and flip face up what is to be seen",
        )


def _fail_in_hand(unit: Unit, cards: ir.Place, node: syn.Flip) -> None:
    """A fault where a card, of which it is not known beforehand where it lies, lies in a hand."""
    at = unit.at(node.span)
    held: ir.Expr | None = None
    for ref in _references(unit, node.what, lambda zone: not zone.kind.ordered):
        of = ir.ZoneCards(ref)
        held = of if held is None else ir.Binary("union", held, of, CARDS, at)
    if held is None:
        return
    flow = unit.flow
    sound, wrong = flow.new(), flow.new()
    in_hand = ir.Binary("common", ir.Load(cards), held, CARDS, at)
    flow.branch(ir.Binary("==", ir.Size(in_hand), simplify.number(0), BOOL, at), sound, wrong)
    flow.start(wrong)
    flow.end(ir.Fail(source_text(node.what.span), at, "flip_in_hand"))
    flow.start(sound)


def _open_zones(unit: Unit, node: syn.Expr, zone: ZoneSymbol | None) -> list[ir.ZoneRef]:
    """The zones that everyone sees in which a card may lie of which `zone` is all that is known beforehand."""
    return _references(
        unit, node, lambda z: z.kind.ordered and z.seen_by is SeenBy.EVERYONE and (zone is None or z is zone)
    )


def _references(unit: Unit, node: syn.Expr, holds: Callable[[ZoneSymbol], bool]) -> list[ir.ZoneRef]:
    zones = [s for s in unit.checker.symbols.names.values() if isinstance(s, ZoneSymbol) and holds(s)]
    return [use.ref for zone in zones for use in instances(unit, zone, node)]


def asked(unit: Unit, node: syn.Is) -> ir.Expr:
    """``c is face up``, ``c is face down``: all see how a card lies, whoever sees its face."""
    symbols, at = unit.checker.symbols, unit.at(node.span)
    zone = _zone_named(symbols, node.operand)
    if zone is not None and not zone.kind.ordered:
        unit.checker.refuse(
            "RR0519",
            f"the cards of `{zone.name}`, a hand, lie neither face up nor face down",
            node.span,
            help="a `row` or a `pile` holds cards that lie either way",
        )
    card = expressions.expect(unit, node.operand, CARD, f"before `is {node.predicate}`")
    result: ir.Expr = ir.Contains(card, ir.Load(_face_up(symbols, at)))
    for ref in _open_zones(unit, node.operand, zone):
        result = ir.Or(result, ir.InZone(card, ref))
    return result if node.predicate == UP else simplify.negation(result, at)


def _face_up(symbols: Symbols, at: int) -> ir.Place:
    assert symbols.face_up >= 0
    return ir.Place(symbols.face_up, (), CARDS, at)


# ---------------------------------------------------------------- in finished blocks


def kept(blocks: tuple[ir.Block, ...], symbols: Symbols, turned: frozenset[int]) -> tuple[ir.Block, ...]:
    """The blocks of a program, with cards turned down that are moved or lose their order. ``turned``: zones in which
    any can lie face up."""
    if symbols.face_up < 0:
        return blocks
    words = words_of(CARDS, symbols.players, symbols.card_count)
    keeper = _Keeper(symbols.face_up, words, turned)
    return tuple(replace(block, ops=tuple(part for op in block.ops for part in keeper.around(op))) for block in blocks)


class _Keeper:
    """Turns cards down that lie face up no more. Nothing is turned where nothing is moved, of which all are told."""

    def __init__(self, face_up: int, words: int, turned: frozenset[int]) -> None:
        self.face_up = face_up
        self.words = words
        self.turned = turned

    def around(self, op: ir.Op) -> tuple[ir.Op, ...]:
        """An operation with those before and after it."""
        match op:
            case ir.MoveCard(card, to, spot, at):
                return (*self.down([self.one(card), self.hidden_among(to, spot)], at), op)
            case ir.MoveCards(cards, to, spot, at):
                return (*self.down([cards, self.hidden_among(to, spot)], at), op)
            case ir.MoveAll(source, to, spot, at):
                same = _same(source, to)
                return (*self.down([self.all_in(source), self.hidden_among(to, spot)], at, unless=same), op)
            case ir.CollectAll():
                return ir.Clear(self.face_up, self.words), op
            case ir.Collect(source, to, at):
                return (*self.down([self.all_in(source), self.all_in(to)], at), op)
            case ir.Shuffle(zone, at):
                return (*self.down([self.all_in(zone)], at), op)
            case ir.Refill(zone, source, _, _, at) if source.family in self.turned:
                before = ir.Place(self.face_up + self.words, (), CARDS, at)
                came = ir.Binary("without", ir.ZoneCards(zone), ir.Load(before), CARDS, at)
                keep = ir.Store(before, ir.ZoneCards(zone), at)
                return keep, op, *self.down([came], at), ir.Clear(before.offset, self.words)
            case ir.SwapCards(left, right, at):
                same_card = ir.Binary("==", left, right, BOOL, at)
                return (*self.down([self.one(left), self.one(right)], at, unless=same_card), op)
            case _:
                return (op,)

    def one(self, card: ir.Expr) -> ir.Expr | None:
        never = isinstance(card, ir.ZoneEnd) and card.zone.family not in self.turned
        return None if never else ir.Single(card, CARDS)

    def all_in(self, zone: ir.ZoneRef) -> ir.Expr | None:
        return ir.ZoneCards(zone) if zone.family in self.turned else None

    def hidden_among(self, to: ir.ZoneRef, spot: ir.Spot) -> ir.Expr | None:
        """The cards among which one comes to lie at a place not told to all: else where they lie would tell it."""
        return self.all_in(to) if isinstance(spot, ir.Depth) and spot.secret else None

    def down(self, sets: list[ir.Expr | None], at: int, unless: ir.Expr | None = None) -> tuple[ir.Op, ...]:
        """These cards lie face up no more."""
        place = ir.Place(self.face_up, (), CARDS, at)
        left: ir.Expr = ir.Load(place)
        for cards in sets:
            left = ir.Binary("without", left, cards, CARDS, at) if cards is not None else left
        if isinstance(left, ir.Load):
            return ()
        if unless is not None:
            left = ir.Conditional(unless, ir.Load(place), left, CARDS)
        return (ir.Store(place, left, at),)


def _same(left: ir.ZoneRef, right: ir.ZoneRef) -> ir.Expr | None:
    """Whether two references mean the same zone; None if they never do."""
    if left.family != right.family:
        return None
    result: ir.Expr = simplify.TRUE
    for one, other in zip(left.axes, right.axes, strict=True):
        result = simplify.both(result, simplify.binary("==", one.index, other.index, BOOL, left.at))
    return None if simplify.truth(result) is False else result
