"""Which moves can take a card out of sight that somebody knows, and which carry on the cards of a choice that was made
at once with others: seen in the text of the rules alone.

``each player p at once chooses 3 gone from hand[p]: move gone to hand[next(p)]``: that a seat's choice is told, and the
next cards that leave its hand are those that it chose before any other card came there. Imports the IR only.
"""

from __future__ import annotations

from typing import Any

from rulerun.ir import nodes as ir
from rulerun.ir.program import Program, SeenBy
from rulerun.ir.traverse import base_of, is_node
from rulerun.source.node import node

_MOVING = (
    ir.MoveCard,
    ir.MoveCards,
    ir.MoveAll,
    ir.CollectAll,
    ir.Collect,
    ir.Shuffle,
    ir.Refill,
    ir.SwapCards,
    ir.SwapZones,
)


@node
class ChosenMove:
    """The cards of a choice go on as soon as it is told. ``zones``: per seat the zone instance that its cards come
    from, -1 where there is none that the seat sees; ``is_set``: the choice is a set of cards (so many as its key says),
    not one."""

    zones: tuple[int, ...]
    is_set: bool


def chosen_moves(program: Program) -> dict[int, ChosenMove]:
    """Per site of choices made at once, of one line, whose cards the rules move as soon as a choice is told."""
    sites = {
        block.end.site: block.end
        for block in program.blocks
        if isinstance(block.end, ir.Choose) and block.end.sealed and len(block.end.lines) == 1
    }
    found: dict[int, ChosenMove | None] = {}
    for number, block in enumerate(program.blocks):
        for i, op in enumerate(block.ops):
            if isinstance(op, ir.Tell) and op.site in sites:
                move = _move_after(program, sites[op.site], op, number, i + 1)
                found[op.site] = move if op.site not in found else None
    return {site: move for site, move in found.items() if move is not None}


def _move_after(program: Program, choose: ir.Choose, tell: ir.Tell, number: int, start: int) -> ChosenMove | None:
    """What the first move after ``tell`` does, if it moves what the teller of the choice chose."""
    if not _alike(choose.chooser, tell.chooser):
        return None
    ops, end = program.blocks[number].ops[start:], program.blocks[number].end
    while True:
        for op in ops:
            if isinstance(op, _MOVING):
                return _moved(program, choose, op) if isinstance(op, ir.MoveCard | ir.MoveCards) else None
            if not isinstance(op, ir.Announce):
                return None  # it may change who is asked, or what is stored
        if isinstance(end, ir.Switch) and tell.line is not None and _alike(end.value, ir.Load(tell.line)):
            number = end.targets[0] if end.targets else end.default
        elif isinstance(end, ir.Jump) and end.to > number:
            number = end.to
        else:
            return None
        ops, end = program.blocks[number].ops, program.blocks[number].end


def _moved(program: Program, choose: ir.Choose, op: ir.MoveCard | ir.MoveCards) -> ChosenMove | None:
    binder = choose.lines[0].binders[0] if choose.lines[0].binders else None
    moved = op.card if isinstance(op, ir.MoveCard) else op.cards
    if binder is None or not _alike(moved, ir.Load(binder.place)):
        return None
    domain = base_of(binder.domain)
    if not isinstance(domain, ir.ZoneDomain):
        return None
    family, axes = program.families[domain.zone.family], domain.zone.axes
    if len(axes) != 1 or not _alike(axes[0].index, choose.chooser):
        return None
    zones = [family.first + (seat - axes[0].low) * axes[0].stride for seat in range(program.players)]
    # Out of a hand that the chooser does not see, chance takes the card, and maybe only later.
    known = (zone if program.zones[zone].seen >> seat & 1 else -1 for seat, zone in enumerate(zones))
    return ChosenMove(tuple(known), isinstance(op, ir.MoveCards))


def known_cards_may_move(program: Program) -> bool:
    """Whether a card whose face a seat knows may come into a hand that this seat does not see. Not so where hands get
    nothing but what is drawn blindly: out of a zone that nobody sees, to which cards come by `collect all` alone."""
    hands = {
        number
        for number, family in enumerate(program.families)
        if not family.kind.ordered and family.seen_by is not SeenBy.EVERYONE
    }
    ops = [op for block in program.blocks for op in block.ops]
    if not hands or not any(isinstance(op, _MOVING) for op in ops):
        return False
    if any(isinstance(op, ir.SwapCards | ir.Reveal | ir.Flip) for op in ops):
        return True
    reached = {family for op in ops for family in _targets(op)}
    blind = {
        number
        for number, family in enumerate(program.families)
        if family.seen_by is SeenBy.NOBODY and number not in reached
    }
    drawn = _drawn_from(program, blind)
    return any(
        not (isinstance(op, ir.MoveCard) and isinstance(op.card, ir.Load) and op.card.place.offset in drawn)
        for op in ops
        if hands.intersection(_targets(op))
    )


def _targets(op: ir.Op) -> list[int]:
    """The families to which an operation brings cards that somebody may know."""
    match op:
        case ir.MoveCard() | ir.MoveCards() | ir.MoveAll() | ir.Collect():
            return [op.to.family]
        case ir.Refill():
            return [op.zone.family]
        case ir.SwapZones():
            return [op.left.family, op.right.family]
        case _:
            return []


def _drawn_from(program: Program, families: set[int]) -> set[int]:
    """The words that only draws out of these families write a card to."""
    drawn: set[int] = set()
    others = {offset for procedure in program.procedures for offset in procedure.params}
    for block in program.blocks:
        others |= {op.place.offset for op in block.ops if isinstance(op, ir.Store)}
        match block.end:
            case ir.Draw(zone, _, into):
                (drawn if zone.family in families else others).add(into.offset)
            case ir.Pick():
                others.add(block.end.into.offset)
            case ir.Choose(lines=lines):
                others |= {binder.place.offset for line in lines for binder in line.binders}
            case _:
                pass
    return drawn - others


def _alike(left: Any, right: Any) -> bool:
    """Whether two parts of the IR are the same but for where they come from in the text."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_alike(a, b) for a, b in zip(left, right, strict=True))
    if not is_node(left):
        return bool(left == right)
    if type(left) is not type(right):
        return False
    return all(_alike(getattr(left, slot), getattr(right, slot)) for slot in type(left).__slots__ if slot != "at")
