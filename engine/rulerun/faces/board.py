"""What a seat sees, as text for a terminal. From a `View` alone, so that nothing hidden can get in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from rulerun.faces.screen import filled, together
from rulerun.view.names import NOBODY, NOTHING

if TYPE_CHECKING:
    from rulerun.view.names import Plain
    from rulerun.view.view import CardView, View, ZoneView

REMEMBERED = "*"
OPEN = " (face up)"
"""Said of a card that all see where the reader sees the others too."""
MAX_SHOWN = 24
"""Cards of a pile or row that are shown one by one; further ones are counted."""
WIDEST_NAME = 30


def board(view: View, width: int = 100) -> Table:
    """The zones (common ones, the others', then the seat's own), then the state; a remembered face is marked with a
    star.
    """
    common = [z for z in view.zones if z.owner is None]
    mine = [z for z in view.zones if z.owner == view.seat]
    others = [z for z in view.zones if z.owner is not None and z.owner != view.seat]
    shown = [z for z in common if z.count] + [z for z in others if z.count] + mine
    names = [_title(z, view.seat) for z in shown]
    empty = [_title(z, view.seat) for z in [*common, *others] if not z.count]
    state = [f"{name.replace('_', ' ')} {_plain(value, name in view.of_players)}" for name, value in view.variables]
    column = min(max((len(n) for n in [*names, "empty" * bool(empty), "state" * bool(state)]), default=0), WIDEST_NAME)
    table = Table.grid(padding=(0, 2))
    table.add_column(width=column + 2, no_wrap=True)
    table.add_column()
    room = max(width - column - 4, 30)

    def row(name: str, text: str, style: str, name_style: str) -> None:
        table.add_row(Text(f"  {name}", name_style), Text("\n".join(filled(text, room)), style))

    for zone, name in zip(shown, names, strict=True):
        name_style = "bold" if zone.owner == view.seat else "cyan"
        lines = _in_columns(zone, room)
        if lines:
            table.add_row(Text(f"  {name}", name_style), Text("\n".join(lines)))
        else:
            row(name, f"{_cards(zone)}{_known(zone)}", "", name_style)
    if empty:
        row("empty", ", ".join(empty), "dim", "dim")
    if state:
        row("state", together(state, "; ").replace(";\N{NO-BREAK SPACE}", "; "), "dim", "dim")
    if any(card.remembered for zone in shown for card in zone.cards):
        row("", f"{REMEMBERED} lies face down, but you know it", "dim", "dim")
    return table


def _title(zone: ZoneView, seat: int) -> str:
    name = zone.name.replace("_", " ")
    return name.replace(f" of P{seat + 1}", " (yours)", 1) if zone.owner == seat else name


def _cards(zone: ZoneView) -> str:
    if zone.places:
        return together(_on_board(zone))
    if not zone.count:
        return "–"
    if zone.kind == "hand":
        return _counted([c.name for c in zone.cards]) if zone.cards[0].face else _many(zone.count, zone.cards)
    if zone.kind == "pile":
        return _pile(zone)
    own = any(card.face and not card.remembered and not card.face_up for card in zone.cards)
    slots = [
        f"[{card.place}] {_card(card)}{OPEN if own and card.face_up else ''}" for card in zone.cards[:MAX_SHOWN]
    ]
    if zone.count > MAX_SHOWN:
        slots.append(f"… and {zone.count - MAX_SHOWN} more")
    return together(slots)


def _on_board(zone: ZoneView) -> list[str]:
    """The places of a board with what lies there, if anything."""
    lying = {card.place: card for card in zone.cards}
    return [f"[{place}] {_card(lying[place]) if place in lying else '–'}" for place in zone.places]


def _in_columns(zone: ZoneView, room: int) -> list[str]:
    """A row or board in lines of as many places as the ruleset says; nothing if it says none, or too many to fit."""
    if zone.columns is None or not (zone.places or zone.count):
        return []
    slots = _on_board(zone) if zone.places else [f"[{card.place}] {_card(card)}" for card in zone.cards]
    width = max(len(slot) for slot in slots)
    if (width + 2) * zone.columns - 2 > room:
        return []
    lines = [slots[i : i + zone.columns] for i in range(0, len(slots), zone.columns)]
    return ["  ".join(slot.ljust(width) for slot in line).rstrip() for line in lines]


def _pile(zone: ZoneView) -> str:
    """A pile lies with its top in sight; what lies below may be known too."""
    known = [card for card in zone.cards if card.face]
    if not known:
        return _many(zone.count, zone.cards)
    top = zone.cards[0]
    if top.face and not top.remembered and not any(card.face_up for card in zone.cards[1:]):
        more = zone.count - 1
        return f"{_card(top)} on top" + (f", {more} below" if more else "")
    if len(known) == 1 and known[0] is zone.cards[-1] and zone.count > 1:
        return f"{_cards_number(zone.count)}, {_card(known[0])} at the bottom"
    last = max(card.place or 0 for card in known)
    row = ", ".join(_card(card) if card.face else "?" for card in zone.cards[: min(last, MAX_SHOWN)])
    return f"{_cards_number(zone.count)}, from the top: {row}{', …' if last < zone.count else ''}"


def _cards_number(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _many(count: int, cards: Sequence[CardView]) -> str:
    backs = {card.name for card in cards}
    if len(backs) > 1:
        return f"{count} cards: {_counted([card.name for card in cards])}"
    return _cards_number(count)


def _card(card: CardView) -> str:
    if card.possible is not None:
        return f"{'?' if card.name == 'a card' else card.name} ({card.possible.text})"
    if not card.face and card.name == "a card":
        return "?"
    return f"{card.name}{REMEMBERED}" if card.remembered else card.name


def _counted(names: Sequence[str]) -> str:
    """Names in the order in which they come, equal ones counted."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items())


def _known(zone: ZoneView) -> str:
    """Cards that are known to lie there, nobody knows where."""
    if not zone.at_least:
        return ""
    names = [name for name, count in zone.at_least for _ in range(count)]
    return f"  ({'' if len(names) >= zone.count else 'among them '}{_counted(names)})"


def _plain(value: Plain, of_players: bool = False) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_plain(v) for v in value) or (NOBODY if of_players else NOTHING)
        case {"card": str(card), "value": laid}:
            return f"{card}: {_plain(laid)}"
        case dict():
            return " ".join(f"{key}:{_plain(v, of_players)}" for key, v in value.items())
        case _:
            return str(value).replace("_", " ")
