"""What a seat sees, as text for a terminal. From a `View` alone, so that nothing hidden can get in."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulerun.faces.colour import Paint

if TYPE_CHECKING:
    from rulerun.view.names import Plain
    from rulerun.view.view import CardView, View, ZoneView

REMEMBERED = "*"
MAX_SHOWN = 24
"""Cards of a pile or row that are shown one by one; further ones are counted."""


def board(view: View, paint: Paint, width: int = 100) -> list[str]:
    """The zones (common ones, the others', then the seat's own), then the state; a remembered face is marked with a
    star.
    """
    common = [z for z in view.zones if z.owner is None]
    mine = [z for z in view.zones if z.owner == view.seat]
    others = [z for z in view.zones if z.owner is not None and z.owner != view.seat]
    shown = [z for z in common if z.count] + [z for z in others if z.count] + mine
    names = [_title(z, view.seat) for z in shown]
    column = min(max((len(n) for n in names), default=0), 30)
    lines = []
    for zone, name in zip(shown, names, strict=True):
        text = f"{_cards(zone)}{_known(zone)}"
        wrapped = textwrap.wrap(text, max(width - column - 4, 30)) or [""]
        title = name.ljust(column)
        title = paint.strong(title) if zone.owner == view.seat else paint.name(title)
        lines.append(f"  {title}  {wrapped[0]}")
        lines += [" " * (column + 4) + more for more in wrapped[1:]]
    empty = [_title(z, view.seat) for z in [*common, *others] if not z.count]
    if empty:
        lines += _wrapped("empty: " + ", ".join(empty), width, paint)
    state = [f"{name.replace('_', ' ')} {_plain(value)}" for name, value in view.variables]
    if state:
        lines += _wrapped("state: " + "; ".join(state), width, paint)
    if any(card.remembered for zone in shown for card in zone.cards):
        lines.append(paint.faint(f"  {REMEMBERED} lies face down, but you know it"))
    return lines


def _wrapped(text: str, width: int, paint: Paint) -> Iterator[str]:
    for line in textwrap.wrap(text, max(width - 4, 30)):
        yield paint.faint(f"  {line}")


def _title(zone: ZoneView, seat: int) -> str:
    name = zone.name.replace("_", " ")
    return name.replace(f" of P{seat + 1}", " (yours)", 1) if zone.owner == seat else name


def _cards(zone: ZoneView) -> str:
    if not zone.count:
        return "–"
    if zone.kind == "hand":
        return _counted([c.name for c in zone.cards]) if zone.cards[0].face else _many(zone.count, zone.cards)
    if zone.kind == "pile":
        return _pile(zone)
    slots = [f"[{card.place}] {_card(card)}" for card in zone.cards[:MAX_SHOWN]]
    if zone.count > MAX_SHOWN:
        slots.append(f"… and {zone.count - MAX_SHOWN} more")
    return "  ".join(slots)


def _pile(zone: ZoneView) -> str:
    """A pile lies with its top in sight; what lies below may be known too."""
    known = [card for card in zone.cards if card.face]
    if not known:
        return _many(zone.count, zone.cards)
    top = zone.cards[0]
    if top.face and not top.remembered:
        more = zone.count - 1
        return f"{_card(top)} on top" + (f", {more} below" if more else "")
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
    return f"  (among them {_counted(names)})"


def _plain(value: Plain) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_plain(v) for v in value) or "nothing"
        case dict():
            return " ".join(f"{key}:{_plain(v)}" for key, v in value.items())
        case _:
            return str(value).replace("_", " ")
