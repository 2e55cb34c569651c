"""The standard decks: which suits and ranks they have, and their cards in printed order.

Data only; imports nothing above `ir`. The order of `Rank` is the printed one: in the French decks the ace stands
highest, in the Italian and the tarot deck, where it is printed as a one, lowest.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.ir.types import EnumType


@dataclass(frozen=True, slots=True)
class StandardDeckFacts:
    """``trumps``: how many numbered trumps follow the suits (then a last card without a number, the fool)."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    trumps: int = 0


_FRENCH = ("clubs", "diamonds", "hearts", "spades")
_COURT = ("jack", "queen", "king", "ace")
_PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

STANDARD_DECKS: dict[str, StandardDeckFacts] = {
    "french52": StandardDeckFacts(_FRENCH, (*_PIPS, *_COURT)),
    "french32": StandardDeckFacts(_FRENCH, (*_PIPS[5:], *_COURT)),
    "french24": StandardDeckFacts(_FRENCH, (*_PIPS[7:], *_COURT)),
    "italian40": StandardDeckFacts(
        ("coins", "cups", "swords", "batons"), ("ace", *_PIPS[:6], "jack", "knight", "king")
    ),
    "tarot78": StandardDeckFacts(_FRENCH, ("ace", *_PIPS, "jack", "knight", "queen", "king"), trumps=21),
}

JOKER = "joker"
TRUMPS, TRUMP, FOOL = "trumps", "trump", "fool"


def suit_type(facts: StandardDeckFacts) -> EnumType:
    """The built-in enum `Suit`; the trumps of a tarot deck are a suit of their own, the last."""
    return EnumType("Suit", (*facts.suits, TRUMPS) if facts.trumps else facts.suits)


def rank_type(facts: StandardDeckFacts, jokers: bool) -> EnumType:
    """The built-in ordered enum `Rank`. Trumps have the ranks `fool` and `trump` (and a `number`), jokers `joker`."""
    ranks = (*facts.ranks, FOOL, TRUMP) if facts.trumps else facts.ranks
    return EnumType("Rank", (*ranks, JOKER) if jokers else ranks, ordered=True)


@dataclass(frozen=True, slots=True)
class StandardCard:
    """``suit`` None: a joker, which has none. ``number``: that of a trump, 0 for all other cards."""

    suit: str | None
    rank: str
    number: int = 0


def standard_cards(facts: StandardDeckFacts, jokers: int) -> list[StandardCard]:
    """The cards, suit by suit, the lowest rank first; then trumps and the fool; jokers last."""
    cards = [StandardCard(suit, rank) for suit in facts.suits for rank in facts.ranks]
    if facts.trumps:
        cards += [StandardCard(TRUMPS, TRUMP, n) for n in range(1, facts.trumps + 1)]
        cards.append(StandardCard(TRUMPS, FOOL))
    cards += [StandardCard(None, JOKER)] * jokers
    return cards


def standard_name(card: StandardCard) -> str:
    """What people call it: ``queen of hearts``, ``trump 12``, ``the fool``, ``joker``."""
    if card.suit is None:
        return "joker"
    if card.rank == FOOL:
        return "the fool"
    if card.rank == TRUMP:
        return f"trump {card.number}"
    return f"{card.rank} of {card.suit}"
