"""The state vector before the first step: what is laid out where, nothing run yet."""

from __future__ import annotations

from rulerun.ir.program import (
    CHOOSER,
    DIRECTION,
    PC,
    PLAYING,
    ZONE_COUNT,
    ZONE_HEAD,
    ZONE_SET,
    ZONE_TAIL,
    Program,
)
from rulerun.ir.types import WORD_BITS


def blank_vector(program: Program, *, knowledge: bool) -> list[int]:
    """The vector of a game that has not begun, but for the generator: everybody plays, nobody is asked, variables hold
    their initial values, cards lie as `Program.start` says. With ``knowledge`` it has room for marks, all empty."""
    layout = program.layout
    v = [0] * (layout.full_size if knowledge else layout.size)
    v[PC] = program.entry
    v[CHOOSER] = -1
    v[PLAYING] = (1 << program.players) - 1
    v[DIRECTION] = 1
    for variable in program.variables:
        if variable.start:
            v[variable.offset : variable.offset + len(variable.start)] = variable.start
    lay_cards(program, v)
    return v


def lay_cards(program: Program, v: list[int]) -> None:
    """Lays each card into its zone: by number, the lowest at HEAD, in ordered zones. The zones of ``v`` are empty."""
    layout = program.layout
    for card, zone in enumerate(program.start):
        z = layout.zone(zone)
        v[layout.loc_base + card] = zone
        v[z + ZONE_COUNT] += 1
        if not program.families[program.zones[zone].family].kind.ordered:
            v[z + ZONE_SET + card // WORD_BITS] |= 1 << card % WORD_BITS
            continue
        last = v[z + ZONE_TAIL]
        if last:
            v[layout.next_base + last - 1] = card + 1
            v[layout.previous_base + card] = last
        else:
            v[z + ZONE_HEAD] = card + 1
        v[z + ZONE_TAIL] = card + 1
