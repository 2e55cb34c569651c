"""Cards that lie face up or face down one by one: `flip`, and the question `is face up`.

Which cards lie face up is a set of cards among the state variables, in games that speak of it only. A card lies face up
until it is turned down or moved, or its zone loses its order (see `turning_down`). In a zone that everyone sees all
cards lie face up anyway, and in a hand they lie neither way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulerun.check.declarations.symbols import Symbols, ZoneSymbol
from rulerun.check.rule_text import narrowing, sources
from rulerun.check.rule_text.survey import Texts, walk
from rulerun.check.rule_text.units import Unit
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, SeenBy, words_of
from rulerun.ir.types import CARDS
from rulerun.syntax import nodes as syn


def give_room(symbols: Symbols, texts: Texts) -> None:
    """Room for which cards lie face up, if the game speaks of it; and as much to work in, which is empty at rest."""
    if any(
        isinstance(n, syn.Flip) or (isinstance(n, syn.Is) and n.predicate in (narrowing.UP, narrowing.DOWN))
        for n in _all(texts)
    ):
        symbols.face_up = HEADER_WORDS + symbols.variable_words
        symbols.variable_words += 2 * words_of(CARDS, symbols.players, symbols.card_count)


def families_turned(symbols: Symbols, texts: Texts) -> frozenset[int]:
    """The zones in which cards may come to lie face up: those that a `flip` names, or all that can be meant."""
    zones = symbols.zones()
    any_of_them = {z.index for z in zones if z.kind.ordered and z.seen_by is not SeenBy.EVERYONE}
    found: set[int] = set()
    for node in _all(texts):
        if isinstance(node, syn.Flip) and node.up:
            zone = zone_named(symbols, node.what)
            found |= any_of_them if zone is None else {zone.index}
    return frozenset(found)


def _all(texts: Texts) -> Iterator[object]:
    for name in (*texts.bodies, *texts.triggers):
        yield from walk(texts.parts(name))
    yield from walk(texts.won)


def zone_named(symbols: Symbols, node: syn.Expr) -> ZoneSymbol | None:
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
            case _:  # a card by any other name
                return None


def open_zones(unit: Unit, node: syn.Expr, zone: ZoneSymbol | None) -> list[ir.ZoneRef]:
    """The zones that everyone sees in which a card may lie of which `zone` is all that is known beforehand."""
    return references(
        unit, node, lambda z: z.kind.ordered and z.seen_by is SeenBy.EVERYONE and (zone is None or z is zone)
    )


def references(unit: Unit, node: syn.Expr, holds: Callable[[ZoneSymbol], bool]) -> list[ir.ZoneRef]:
    """All zones of the families for which `holds` is true."""
    zones = [zone for zone in unit.symbols.zones() if holds(zone)]
    return [use.ref for zone in zones for use in sources.instances(unit, zone, node.span)]


def face_up(symbols: Symbols, at: int) -> ir.Place:
    """The set of the cards that lie face up."""
    assert symbols.face_up >= 0
    return ir.Place(symbols.face_up, (), CARDS, at)
