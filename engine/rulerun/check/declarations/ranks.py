"""The ranks of a standard deck as a ruleset lists them: which it has, and in what order they stand.

A list such as ``[ace, two..king]`` goes from low to high; a span stands for the ranks between in the deck's usual
order. Ranks that are not listed are not in the deck. Several entries of one deck may list different ranks, as long as
one of them lists all, in an order that the others keep. Imports nothing above `ir`.
"""

from __future__ import annotations

from dataclasses import replace

from rulerun.check.declarations.decks import FOOL, JOKER, STANDARD_DECKS, TRUMP, StandardDeckFacts
from rulerun.check.declarations.symbols import EnumSymbol, Symbols
from rulerun.check.declarations.types import did_you_mean, listed
from rulerun.document.model import StandardDeck, Word
from rulerun.ir.types import EnumType
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.spell import nearest
from rulerun.source.text import Span

ALWAYS_ON_TOP = {
    JOKER: "jokers stand above all other ranks: `jokers: 2` puts two into the deck",
    TRUMP: "trumps stand above the ranks of the suits; `where` leaves them out: `where: suit != trumps`",
    FOOL: "the fool stands above the ranks of the suits; `where` leaves it out: `where: rank != fool`",
}
"""Ranks of cards that belong to none of the four suits; no list moves them."""


def ranks_of(part: StandardDeck, facts: StandardDeckFacts, found: Diagnostics) -> tuple[str, ...]:
    """The ranks of one entry of the deck, from low to high. RR0345 for what is wrong with the list."""
    if part.ranks is None:
        return facts.ranks
    ranks: dict[str, Span] = {}
    for word in part.ranks:
        for rank in _meant(word, part.name.text, facts, found):
            if rank in ranks:
                found.error(
                    "RR0345",
                    f"the rank `{rank}` stands twice in this list",
                    word.span,
                    notes=(Note("it stands here first", ranks[rank]),),
                    help="name each rank once, the lowest first; `copies` doubles cards",
                )
            else:
                ranks[rank] = word.span
    if not part.ranks:
        usual = f"`ranks: [{facts.ranks[0]}..{facts.ranks[-1]}]` is the usual order"
        message = f"this list of the ranks of `{part.name}` is empty"
        found.error("RR0345", message, part.name.span, help=f"list them, the lowest first: {usual}")
    return tuple(ranks) or facts.ranks


def _meant(word: Word, deck: str, facts: StandardDeckFacts, found: Diagnostics) -> tuple[str, ...]:
    """The ranks that an item of the list stands for: one, or those of a span. Where it is wrong, which is told, those
    that were likely meant, so that nothing else is blamed for their absence."""
    low, dots, high = (part.strip() for part in word.text.partition(".."))
    ends = [_known(name, word, deck, facts, found) for name in ([low, high] if dots else [low])]
    places = [facts.ranks.index(end) for end in ends if end is not None]
    if len(places) < len(ends):
        return ()
    first, last = places[0], places[-1]
    if first > last:
        found.error(
            "RR0345",
            f"the span `{word.text}` holds nothing: `{high}` usually comes before `{low}`",
            word.span,
            help=f"a span goes upwards in the usual order ({', '.join(facts.ranks)}); name others one by one",
        )
        return tuple(reversed(facts.ranks[last : first + 1]))
    return facts.ranks[first : last + 1]


def _known(name: str, word: Word, deck: str, facts: StandardDeckFacts, found: Diagnostics) -> str | None:
    """A rank of the deck by its name; if it is none, which is told, the one that is nearest."""
    if name in facts.ranks:
        return name
    span = word.span
    if word.piece is not None and name:
        start = word.text.index(name)
        span = word.piece.span(start, start + len(name))
    help_: str | None
    if not name:
        message, help_ = f"`{word.text}` is no span of ranks", "write its first and its last rank: `two..king`"
    elif name == JOKER or (name in ALWAYS_ON_TOP and facts.trumps):
        message, help_ = f"`{name}` has no place in the list of ranks", ALWAYS_ON_TOP[name]
    else:
        message = f"`{deck}` has no rank `{name}`"
        help_ = did_you_mean(name, facts.ranks) or f"its ranks are {listed(facts.ranks, 14)}"
    found.error("RR0345", message, span, help=help_)
    return nearest(name, facts.ranks)


def in_one_order(parts: list[StandardDeck], facts: StandardDeckFacts, found: Diagnostics) -> StandardDeckFacts:
    """The deck with the ranks that its entries list. RR0345 where two entries order them differently."""
    lists = [(part, ranks_of(part, facts, found)) for part in parts]
    longest, order = max(lists, key=lambda one: len(one[1]))
    for part, ranks in lists:
        missing = [rank for rank in ranks if rank not in order]
        if not missing and ranks == tuple(rank for rank in order if rank in ranks):
            continue
        why = f"`{missing[0]}` stands in one of them only" if missing else "their order differs"
        way_out = "let one entry list all ranks of the deck, and the others keep its order"
        if part.ranks is None or longest.ranks is None:
            way_out = "an entry without `ranks` has all ranks in the usual order: let it list them too"
        found.error(
            "RR0345",
            f"two entries of this deck do not agree about its ranks: {why}",
            _place(part),
            notes=(Note("this entry has the most ranks, so it tells the order", _place(longest)),),
            help=way_out,
        )
    return replace(facts, ranks=order)


def _place(part: StandardDeck) -> Span:
    return part.ranks[0].span.to(part.ranks[-1].span) if part.ranks else part.name.span


def standard_rank(symbols: Symbols) -> EnumType | None:
    """The type `Rank` that comes with a standard deck, where there is one."""
    rank = symbols.names.get("Rank")
    return rank.type if isinstance(rank, EnumSymbol) and rank.span is None else None


def left_out(rank: str, ranks: tuple[str, ...]) -> bool:
    """Whether this is a rank of some standard deck, but none of `ranks`."""
    return rank not in ranks and any(rank in facts.ranks for facts in STANDARD_DECKS.values())
