"""Exchange: whether a seat is ever given what depends on something that it cannot know.

A game is played; then two things that an observer (a seat, or the `ONLOOKER`) could not tell apart are exchanged in it:
two hidden cards, what chance gave unseen, a secret choice. It is played on the same way, and everything that each
observer is given is held against what it was given before (`play.given`). What differs before the records do is a leak.
So is found what is in the record wrongly, which alike states cannot show. May not import faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from rulerun.game import Game, State
from rulerun.ir.nodes import Choose
from rulerun.ir.program import PC, Origin
from rulerun.play.given import Difference, Sides, doubled, kept_picks
from rulerun.play.led import Change, Play, Settled, Spot, branch, play_on, public_key
from rulerun.view.labels import label_for
from rulerun.view.onlooker import ONLOOKER
from rulerun.view.table import Table

TWINS = 6
"""So many things are exchanged in a play, one after the other, before another is played."""
REACH = 8
"""So many choices a play goes on after an exchange, at most."""
LOOKED = 24
"""So many pairs of cards, or options, are looked at in search of one to exchange."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that ``observer`` (a seat, or the `ONLOOKER`) is given, and that depends on what it cannot know.

    ``what`` was given, at the rule text ``origin``: an offer, a note, the view, the story, ...; ``exchanged``: what was
    otherwise, in words; ``left`` and ``right``: what was given before and after; ``way``: the choices that lead there.
    """

    observer: int
    what: str
    origin: Origin | None
    exchanged: str
    left: str
    right: str
    way: tuple[str, ...] = ()
    number: int = 0
    """The number of the exchange that shows it, from 1."""

    @property
    def kind(self) -> tuple[str, Origin | None, bool]:
        """What leaks of one sort have in common: what is given, at which place in the rules, whether to onlookers."""
        return self.what, self.origin, self.observer == ONLOOKER

    @property
    def reader(self) -> str:
        """Who is given it."""
        return "an onlooker" if self.observer == ONLOOKER else f"P{self.observer + 1}"

    @property
    def message(self) -> str:
        """The leak in one sentence."""
        where = f"{self.origin}: " if self.origin is not None else ""
        return f"{where}{self.reader} is given another {self.what} by what it cannot know: {self.exchanged}"

    def __str__(self) -> str:
        return f"{self.message}\n  {self.left}\n  {self.right}"


@dataclass
class Search:
    """What came of a search for leaks. ``pairs``: plays that were held against each other; ``compared``: how many
    observers could not tell them apart at first; ``disclosed``: how many of these could in the end, by what happened
    at the table."""

    pairs: int = 0
    compared: int = 0
    disclosed: int = 0
    leaks: list[Leak] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Exchange:
    change: Change
    words: str


def leaks(game: Game, *, seed: int, decisions: int, tries: int) -> list[Leak]:
    """The leaks that are found with so many exchanges in plays of at most so many decisions; one for each sort and
    place in the rules. The same numbers give the same leaks."""
    return search(game, seed=seed, decisions=decisions, tries=tries).leaks


def search(game: Game, *, seed: int, decisions: int, tries: int, show: Callable[[], None] | None = None) -> Search:
    """As `leaks`, with counts; ``show`` is called after each exchange."""
    found = Search()
    known: set[tuple[str, Origin | None, bool]] = set()
    number = plays = 0
    while number < tries:
        name = f"exchange {seed} {plays}"
        random = Random(name)
        base = Play(game, name)
        play_on(base, decisions)
        plays += 1
        for leak in _doubled(base):
            if leak.kind not in known:
                known.add(leak.kind)
                found.leaks.append(leak)
        exchanges = _exchanges(base, random)
        for _ in range(TWINS):
            if number >= tries:
                break
            number += 1
            exchange = next(exchanges, None)
            if exchange is not None:
                for leak in _held(base, exchange, number, found):
                    if leak.kind not in known:
                        known.add(leak.kind)
                        found.leaks.append(leak)
            if show is not None:
                show()
    return found


def _held(base: Play, exchange: _Exchange, number: int, found: Search) -> Iterator[Leak]:
    """Plays with one thing exchanged and holds all that is given against what it was before."""
    stretch = exchange.change.stretch
    twin = branch(base, exchange.change)
    until = max((n for n, _ in exchange.change.chances), default=stretch) + REACH
    last = len(base.states) - 1 + (base.fault is not None)
    play_on(twin, min(until, max(last, 0)), base, exchange.change)
    found.pairs += 1
    for observer in (*range(base.game.players), ONLOOKER):
        sides = Sides(_up_to(base, len(twin.states), twin), twin, observer, stretch)
        difference = sides.difference(world=number if number % TWINS == 1 else None)
        if difference is not None:
            yield _leak(base, exchange, observer, difference, number)
        found.compared += sides.alike
        found.disclosed += sides.alike and sides.parted and difference is None


def _doubled(base: Play) -> Iterator[Leak]:
    """Options of one key, which stand for things that only a card's number tells apart."""
    for state in base.states:
        difference = None if state.is_over else doubled(state)
        if difference is not None:
            words = "which of two cards has which number"
            yield _leak(base, _Exchange(Change(), words), state.seat or 0, difference, 0)


def _up_to(base: Play, positions: int, twin: Play) -> Play:
    """A play as far as its twin went."""
    if len(base.states) <= positions:
        return base
    cut = Play(base.game, base.name)
    # Where the twin broke down it has one stretch more than positions.
    upto = positions + (twin.fault is not None)
    cut.states, cut.events, cut.settled = base.states[:upto], base.events[:upto], base.settled[:upto]
    cut.chosen = base.chosen[: upto - 1]
    return cut


def _leak(base: Play, exchange: _Exchange, observer: int, difference: Difference, number: int) -> Leak:
    state = base.states[min(difference.position, len(base.states) - 1)] if base.states else None
    way = () if state is None else tuple(f"P{choice.seat + 1}: {choice.label}" for choice in state.history)
    return Leak(
        observer,
        difference.what,
        difference.origin,
        exchange.words,
        difference.left,
        difference.right,
        way,
        number,
    )


# ---------------------------------------------------------------------- what can be exchanged


def _exchanges(base: Play, random: Random) -> Iterator[_Exchange]:
    """Things to exchange in a play, each sort in turn, at random positions."""
    if not base.states:
        return
    sorts = [_cards(base, random), _lots(base, random), _choices(base, random)]
    while sorts:
        for sort in list(sorts):
            exchange = next(sort, None)
            if exchange is None:
                sorts.remove(sort)
            else:
                yield exchange


def _cards(base: Play, random: Random) -> Iterator[_Exchange]:
    """Two cards that some seat does not know at some position, of different kinds with the same back."""
    seen: set[tuple[Spot, int]] = set()
    observers = (*range(base.game.players), ONLOOKER)
    for _ in range(LOOKED * TWINS):
        state = random.choice(base.states)
        drawn = _drawn(base, len(state))
        exchange = _two_cards(base, state, random.choice(observers), drawn, random)
        if exchange is None:
            continue
        spot = min(exchange.change.chances)
        name = (spot, exchange.change.chances[spot])
        if name not in seen:
            seen.add(name)
            yield exchange


def _drawn(base: Play, position: int) -> dict[int, tuple[Spot, Settled]]:
    """By card the draw that settled it last."""
    return {
        settled.value: ((stretch, number), settled)
        for stretch in range(position + 1)
        for number, settled in enumerate(base.settled[stretch])
        if settled.drawn
    }


def _two_cards(
    base: Play, state: State, observer: int, drawn: dict[int, tuple[Spot, Settled]], random: Random
) -> _Exchange | None:
    """Two cards that the observer cannot tell apart at a position; one of them may be undrawn."""
    game = base.game
    kinds, backs = game.program.kinds, game.backs
    table = Table(game.program, state.vector)
    undrawn = {card for zone in range(len(game.program.zones)) for card in table.undrawn(zone)}
    cards = [card for card in drawn if card not in undrawn and not table.knows(observer, card)]
    if not cards:
        return None
    for _ in range(LOOKED):
        one = random.choice(cards)
        others = [
            card
            for card in (*cards, *sorted(undrawn))
            if kinds[card] != kinds[one] and backs[kinds[card]] == backs[kinds[one]]
        ]
        if not others:
            continue
        other = random.choice(others)
        (spot, settled), second = drawn[one], drawn.get(other) if other not in undrawn else None
        chances = {spot: kinds[other]}
        if second is not None:
            chances[second[0]] = kinds[one]
            if second[0] < spot:
                settled = second[1]
        wanted = chances[min(chances)]
        if any(kinds[value] == wanted for value in settled.values):
            words = f"{_lying(game, table, one)} and {_lying(game, table, other)} exchanged"
            return _Exchange(Change(chances, kinds=(kinds[one], kinds[other])), words)
    return None


def _lying(game: Game, table: Table, card: int) -> str:
    """A card and where it lies, in words."""
    program = game.program
    return f"{program.kind_names[program.kinds[card]]!r} in {program.zones[table.zone_of(card)].name}"


def _lots(base: Play, random: Random) -> Iterator[_Exchange]:
    """What chance gave, and not all were told, against another outcome."""
    program = base.game.program
    everyone = (1 << program.players) - 1
    kept = {pick.at for pick in kept_picks(program)}
    lots = [
        (settled, (stretch, number))
        for stretch, all_settled in enumerate(base.settled)
        for number, settled in enumerate(all_settled)
        if not settled.drawn and (settled.told & everyone != everyone or settled.at in kept) and len(settled.values) > 1
    ]
    random.shuffle(lots)
    for settled, spot in lots:
        names = [program.kinds[v] if settled.cards and v >= 0 else v for v in settled.values]
        was = names[settled.values.index(settled.value)]
        others = [name for name in names if name != was]
        if others:
            name = random.choice(others)
            one, other = (program.kind_names[n] if settled.cards and n >= 0 else str(n) for n in (was, name))
            words = f"what chance gave at {program.origins[settled.at]} was {other} instead of {one}"
            yield _Exchange(Change({spot: name}), words)


def _choices(base: Play, random: Random) -> Iterator[_Exchange]:
    """A choice against another that the others are told the same of."""
    numbers = [number for number in range(len(base.chosen)) if number < len(base.states)]
    random.shuffle(numbers)
    machine = base.machine
    for number in numbers:
        state = base.states[number]
        raw, vector = state._offered().raw, state.vector
        if not isinstance(base.game.program.blocks[vector[PC]].end, Choose):
            continue
        index = base.chosen[number]
        public = public_key(machine, vector, raw[index])
        others = [i for i in range(len(raw)) if i != index]
        random.shuffle(others)
        for other in others[:LOOKED]:
            if public_key(machine, vector, raw[other]) == public:
                namer = base.game.namer
                one, two = (label_for(machine, namer, vector, raw[i], None) for i in (index, other))
                words = f"P{(state.seat or 0) + 1} chose {two!r} unseen, and not {one!r}"
                yield _Exchange(Change(choices={number: other}), words)
                break
