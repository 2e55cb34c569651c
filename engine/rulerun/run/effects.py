"""Operations of the IR as Python statements. What moves cards is a call of the functions that `cards` made; the rest
are assignments to words of the vector."""

from __future__ import annotations

from typing import assert_never

from rulerun.facts.spots import HEAD, TAIL, plain_spot
from rulerun.facts.types import is_card, is_card_set, type_of
from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER, ZONE_COUNT, Program, is_hidden
from rulerun.ir.traverse import walk
from rulerun.ir.types import BOOL, CARD
from rulerun.run.expressions import Emitter
from rulerun.run.loops import write_loop
from rulerun.run.masks import is_total

FEW_WORDS = 3


def clear_words(e: Emitter, offset: int, words: int) -> None:
    """Zeroes words of the vector."""
    if words <= 0:
        return
    if words <= FEW_WORDS:
        e.w.line(" = ".join(f"v[{offset + i}]" for i in range(words)) + " = 0")
    else:
        e.w.line(f"v[{offset}:{offset + words}] = {e.pool.name('Z', words, (0,) * words)}")


def spot_text(e: Emitter, spot: ir.Spot, zone: ir.ZoneRef, instance: str, at: int, target: bool) -> str:
    """A spot as `operations` numbers them; a depth is checked. ``target``: it may also be the place past the last."""
    if isinstance(spot, ir.End):
        return str(HEAD if spot is ir.End.HEAD else TAIL)
    depth = e.atom(e.emit(spot.index))
    count = f"v[{e.zone_word(zone, ZONE_COUNT)}]"
    sign = "<=" if target else "<"
    e.w.line(f"if not 0 <= {depth} {sign} {count}: bad_place({at}, {depth}, {instance}, {count})")
    return depth


def secret_by(spot: ir.Spot) -> str:
    """The further argument of a move to a place that only the seat asked last is told."""
    return f", v[{CHOOSER}]" if isinstance(spot, ir.Depth) and spot.secret else ""


def is_told(program: Program, place: ir.Place) -> bool:
    """Whether a place is a word of a state variable of whose changes those are told who see it."""
    layout = program.layout
    return layout.variables <= place.offset < layout.frames and not (is_card(place.type) or is_card_set(place.type))


def write_op(e: Emitter, op: ir.Op, telling: bool) -> None:
    """Writes one operation."""
    w = e.w
    e.at = getattr(op, "at", e.at)
    match op:
        case ir.Store(place, value):
            text = e.number(value)
            target = e.offset(place.offset, place.axes, place.at)
            if not telling or not is_told(e.program, place):
                e.store(target, place.type, text)
                return
            target, before = e.atom(target), w.fresh("before")
            w.line(f"{before} = v[{target}]")
            e.store(target, place.type, text)
            w.line(f"if v[{target}] != {before}: became(v, {target})")
        case ir.SetLocal(local, value):
            text = e.emit(value)
            e.scope.names.setdefault(local, f"l{local}")
            w.line(f"{e.scope.names[local]} = {text}")
        case ir.Clear(offset, words):
            clear_words(e, offset, words)
        case ir.Snapshot(domain, offset, capacity, at):
            items = w.fresh("items")
            w.line(f"{items} = []")
            write_loop(e, domain, lambda item: w.line(f"{items}.append({item})"))
            w.line(f"snapshot(v, {offset}, {capacity}, {items}, {at})")
        case ir.MoveCard(card, to, spot, at):
            which = e.atom(e.not_none(card, at))
            zone = e.instance(to)
            if isinstance(spot, ir.Depth) and e.family(to).kind.ordered:
                zone = e.atom(zone)
                depth = e.atom(e.emit(spot.index))
                most = e.atom(f"v[{e.zone_word(to, ZONE_COUNT)}] - (v[{which} + {e.layout.loc_base}] == {zone})")
                w.line(f"if not 0 <= {depth} <= {most}: bad_place({at}, {depth}, {zone}, {most})")
                w.line(f"move_card(v, {which}, {zone}, {depth}{secret_by(spot)})")
                return
            w.line(f"move_card(v, {which}, {zone}, {spot_text(e, plain_spot(spot), to, zone, at, True)})")
        case ir.MoveCards(cards, to, spot, at):
            text = e.emit(cards)
            zone = e.instance(to)
            spot = plain_spot(spot) if not e.family(to).kind.ordered else spot
            where = spot_text(e, spot, to, zone, at, True)
            w.line(f"move_cards(v, {text}, {zone}, {where}{secret_by(spot)})")
        case ir.MoveAll(source, to, spot, at):
            first, zone = e.instance(source), e.instance(to)
            spot = plain_spot(spot) if not e.family(to).kind.ordered else spot
            w.line(f"move_all(v, {first}, {zone}, {spot_text(e, spot, to, zone, at, True)})")
        case ir.CollectAll(to):
            w.line(f"collect_all(v, {e.instance(to)})")
        case ir.Collect(source, to):
            first = e.instance(source)
            w.line(f"collect(v, {first}, {e.instance(to)})")
        case ir.Shuffle(zone_ref):
            w.line(f"shuffle(v, {e.instance(zone_ref)})")
        case ir.Refill(zone_ref, source, keep, shuffle):
            w.line(f"if not v[{e.zone_word(zone_ref, ZONE_COUNT)}]:")
            with w.indented():
                w.line(f"refill(v, {e.instance(zone_ref)}, {e.instance(source)}, {keep}, {shuffle})")
        case ir.SwapCards(left, right, at):
            a = e.not_none(left, at)
            w.line(f"swap_cards(v, {a}, {e.not_none(right, at)})")
        case ir.SwapZones(left, right):
            first = e.instance(left)
            w.line(f"swap_zones(v, {first}, {e.instance(right)})")
        case ir.Reveal(cards, to_seats):
            everyone = str((1 << e.program.players) - 1)
            text = e.emit(cards)
            w.line(f"reveal(v, {text}, {everyone if to_seats is None else e.emit(to_seats)})")
        case ir.Flip(cards, up):
            w.line(f"flip(v, {e.emit(cards)}, {up})")
        case ir.Announce(text_label, at):
            parts = [said_part(e, part) for part in text_label.parts if not isinstance(part, str)]
            if telling:
                w.line(f"say(v, {at}, ({''.join(f'{part}, ' for part in parts)}))")
        case ir.Tell(site, chooser, at, line):
            if telling:
                number = e.emit(ir.Load(line)) if line is not None else "0"
                w.line(f"tell_choice(v, {site}, {e.emit(chooser)}, {number})")
        case ir.Leave(player, at):
            w.line(f"leave(v, {e.not_none(player, at)})")
        case ir.Rejoin(seats):
            w.line(f"rejoin(v, {e.emit(seats)})")
        case ir.Reverse():
            w.line("reverse(v)")
        case ir.Inform():
            inform(e, op, telling)
        case _:
            assert_never(op)


LOOKS = ir.ZoneCards | ir.ZoneEnd | ir.ZoneTop | ir.ZoneDomain | ir.BoardDomain | ir.InZone | ir.Knows
"""What looks at cards that lie in zones."""


def inform(e: Emitter, op: ir.Inform, telling: bool) -> None:
    """Facts for everyone: evaluated always, since they may fault; told only where something is told."""
    w = e.w
    to = str((1 << e.program.players) - 1) if op.to is None else e.atom(e.emit(op.to))
    if op.zone is None:
        fact = e.atom(e.number(op.test))
        if telling:
            w.line(f"tell_facts(v, {op.at}, {to}, -1, [{fact}], None)")
        return
    zone = e.atom(e.instance(op.zone))
    facts = w.fresh("facts")
    w.line(f"{facts} = []")

    def fact_of(item: str) -> None:
        e.scope.names[op.local] = item
        w.line(f"{facts}.append({e.number(op.test)})")

    write_loop(e, ir.ZoneDomain(op.zone), fact_of)
    if not telling:
        return
    passing = "None"
    if by_kind_alone(e, op.test, op.local):
        passing = w.fresh("passing")
        w.line(f"{passing} = []")
        lowest = e.pool.name("L", "lowest", tuple(e.program.kinds.index(kind) for kind in sorted(set(e.program.kinds))))
        card = w.fresh("c")
        w.line(f"for {card} in {lowest}:")
        with w.indented():
            e.scope.names[op.local] = card
            w.line(f"if {e.emit(op.test)}: {passing}.append({e.pool.name('KIND', 'kinds', e.program.kinds)}[{card}])")
        passing = f"tuple({passing})"
    aloud = passing != "None" and said_aloud(e, op.test, op.local)
    w.line(f"tell_facts(v, {op.at}, {to}, {zone}, {facts}, {passing}, {aloud})")


def said_aloud(e: Emitter, test: ir.Expr, local: int) -> bool:
    """Whether everybody hears what the facts are about: the test looks at no card but the one that it is about, and
    not at what lies where. (What is kept in a `let` is said as a note would say it.)"""
    called: set[int] = set()
    waiting: list[tuple[object, ir.Expr | None]] = [(test, ir.Local(local, CARD))]
    while waiting:
        part, own = waiting.pop()
        for node in walk(part):
            if isinstance(node, LOOKS) or (isinstance(node, ir.CardField) and node.card != own):
                return False
            if isinstance(node, ir.CallFunction) and node.function not in called:
                called.add(node.function)
                waiting.append((e.program.functions[node.function].blocks, None))
    return True


def by_kind_alone(e: Emitter, test: ir.Expr, local: int) -> bool:
    """Whether a test reads nothing of a card but what is printed on it, and nothing of the state that some seat does
    not see, and cannot fault for any card."""
    if not is_total(e, test) or reads_hidden(e, test):
        return False
    in_fields = sum(
        1 for node in walk(test) if isinstance(node, ir.CardField) and node.card == ir.Local(local, CARD)
    )
    return in_fields == sum(1 for node in walk(test) if isinstance(node, ir.Local) and node.index == local)


def reads_hidden(e: Emitter, expr: ir.Expr) -> bool:
    """Whether an expression, or a function that it calls, reads a state variable that not everyone sees."""
    called: set[int] = set()
    waiting: list[object] = [expr]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, ir.Load) and is_hidden(e.program, node.place.offset):
                return True
            if isinstance(node, ir.CallFunction) and node.function not in called:
                called.add(node.function)
                waiting.append(e.program.functions[node.function].blocks)
    return False


def said_part(e: Emitter, part: ir.Expr) -> str:
    """A value of a note: a card as its kind, a set of cards as their number and their kinds in order."""
    type_ = type_of(part)
    text = e.emit(part)
    if is_card_set(type_):
        return f"*kinds_in({text})"
    if is_card(type_):
        return f"kind_or_none({text})"
    return f"+({text})" if type_ == BOOL else text
