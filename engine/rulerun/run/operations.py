"""The operations on cards, as the executor sees them: one record of functions, whoever carries them out.

`arena` makes the quiet ones, `knowledge` wraps them. Imports nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SELECT = bytes(([i for i in range(8) if byte >> i & 1] + [0] * 8)[k] for byte in range(256) for k in range(8))
"""``SELECT[byte * 8 + k]``: the number of the k-th lowest bit set in a byte."""

Vector = list[int]


@dataclass(frozen=True, slots=True)
class Cards:
    """The operations on cards of one program. ``v`` is the state vector; zones are instances; sets of cards are one
    number, bit c for card c (the words of the vector, word i shifted by 62 i)."""

    start: Callable[[Vector], None]
    """Lays out `Program.start`; every mark and digest is 0."""
    move_card: Callable[..., None]
    """``(v, card, zone, spot, by=-1)``: the card goes there. ``by`` >= 0: only that seat is told the place."""
    move_cards: Callable[..., None]
    """``(v, cards, zone, spot, by=-1)``: the cards of a set, lowest number first (which tells no copies apart: the
    checker numbers the copies of a kind side by side)."""
    move_all: Callable[[Vector, int, int, int], None]
    """``(v, source, zone, spot)``: see `ir.nodes.MoveAll`. Undrawn cards are settled first, HEAD to TAIL."""
    collect_all: Callable[[Vector, int], None]
    """``(v, zone)``"""
    collect: Callable[[Vector, int, int], None]
    """``(v, source, zone)``"""
    shuffle: Callable[[Vector, int], None]
    """``(v, zone)``: all places of an ordered zone become undrawn."""
    refill: Callable[[Vector, int, int, int, bool], None]
    """``(v, zone, source, keep, shuffle)``: see `ir.nodes.Refill`. Undrawn places among the kept (shuffled refill) or
    anywhere in the source (turned over) are settled first."""
    swap_cards: Callable[[Vector, int, int], None]
    """``(v, a, b)``"""
    swap_zones: Callable[[Vector, int, int], None]
    """``(v, left, right)``: both of one family."""
    reveal: Callable[[Vector, int, int], None]
    """``(v, cards, to)``: shows the faces of a set to a set of seats (undrawn cards are passed over)."""
    draw: Callable[[Vector, int, int], int]
    """``(v, zone, spot)``: the card at a spot of an ordered zone, settling it if need be; -1 if there is no such place.
    Undrawn: the k-th lowest card of the undrawn set with k = ``below(how many)``. A settled place costs no chance."""
    draw_as: Callable[[Vector, int, int, int], int]
    """``(v, zone, spot, card)``: the same with the outcome given; a settled place stays as it is. ValueError, and
    nothing changed, if the card is not among the zone's undrawn ones."""
    settle: Callable[[Vector, int], None]
    """``(v, card)``: an undrawn card gets one of the undrawn places of its zone, each as likely; a drawn one stays."""
    undrawn: Callable[[Vector, int], int]
    """``(v, zone)``: how many places of an ordered zone are undrawn."""
    undrawn_set: Callable[[Vector, int], int]
    """``(v, zone)``: the cards on the undrawn places of an ordered zone."""
    first_undrawn: Callable[[Vector, int], int]
    """``(v, zone)``: depth of the undrawn place nearest to HEAD, -1 if there is none."""
    cards_of: Callable[[Vector, int], list[int]]
    """``(v, zone)``: the drawn cards from HEAD to TAIL; those of an unordered zone by number."""
    places_of: Callable[[Vector, int], list[int]]
    """The same with -1 for each undrawn place."""
    set_of: Callable[[Vector, int], int]
    """``(v, zone)``: all cards there, undrawn ones included."""
    count: Callable[[Vector, int], int]
    end: Callable[[Vector, int, int], int]
    """``(v, zone, HEAD or TAIL)``: the drawn card at that end of an ordered zone; the one card of an unordered one.
    -1 if there is none (or its place is undrawn), -2 if an unordered zone holds more than one."""
    position: Callable[[Vector, int], int]
    """``(v, card)``: its place from HEAD; -1 in an unordered zone or undrawn."""
    check: Callable[[Vector], list[str]]
    """What is not sound in a vector's cards and marks, in words; [] if all is well."""
    knows: Callable[[Vector, int, int], bool]
    """``(v, seat, card)``: whether the seat sees the zone of the card or (with knowledge kept) marks its place."""
    known_members: Callable[[Vector, int, int], list[tuple[int, int]]]
    """``(v, seat, zone)``: (kind, m), lowest kind first: the seat knows at least m cards of that kind in a zone that it
    does not see, beside those whose places it marks. Always [] without knowledge."""
    flip: Callable[[Vector, int, bool], None] = lambda _v, _cards, _up: None
    """``(v, cards, up)``: see `ir.nodes.Flip`. Without knowledge there is nobody to be told."""


def bits_of(cards: int) -> list[int]:
    """The elements of a set, lowest first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found
