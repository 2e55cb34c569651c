"""Small complete rulesets, each a chain or two of `secret_parts`, made of a tape of numbers.

A tape says which part comes next, so hypothesis makes, and shrinks, a list of numbers; and a seed gives one at once.
Number 0 everywhere is the plainest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from secret_parts import CARRIERS, FRAMES, SINKS, SOURCES, Carrier, Frame, Sink, Source

T = TypeVar("T")

DECKS = (
    (8, "{each: {colour: [red, blue], number: 1..4}}"),
    (8, "{each: {colour: [red, green], number: [1, 3]}, copies: 2}"),
    (9, "{each: {colour: Colour, number: 1..3}}"),
    (9, "[{each: {colour: Colour, number: [1, 4]}}, {colour: red, number: 3, copies: 3}]"),
    (10, "{each: {colour: [red, blue], number: 1..5}}"),
    (12, "{each: {colour: Colour, number: [2, 3]}, copies: 2}"),
    (12, "{each: {colour: Colour, number: 1..4}}"),
    (16, "{each: {colour: [red, blue], number: 1..4}, copies: 2}"),
)
"""How many cards, and the deck."""
SEEN = ("nobody", "owner", "others", "everyone")
HIDDEN_CARDS = ("hand[$you]", "away", "layout[$you]", "pit", "bag", "spread[$you]", "all of layout")
OPEN_CARDS = ("table", "hand[$me]", "layout[$me]", "heap")
HIDDEN_PILES = ("away", "pit", "layout[$you]")
OPEN_PILES = ("table", "layout[$me]", "heap")

ZONES = {
    "deck": "{kind: pile, seen_by: nobody, start: deck}",
    "table": "{kind: row, seen_by: everyone}",
    "hand": "{kind: hand, per: player, seen_by: $hand}",
    "away": "{kind: $away, seen_by: nobody}",
    "layout": "{kind: row, per: player, seen_by: $layout}",
    "spread": "{kind: board, per: player, places: 1..3, seen_by: $spread}",
    "pit": "{kind: pile, seen_by: nobody}",
    "bag": "{kind: hand, seen_by: nobody}",
    "heap": "{kind: pile, seen_by: everyone}",
}
DEALS = (
    ("table", 2, "deal 2 from deck to table"),
    ("hand", 4, "for p in players: deal 2 from deck to hand[p]"),
    ("hand", 1, "deal 1 from deck to hand[you]"),
    ("away", 2, "deal 2 from deck to away"),
    ("layout", 2, "for p in players: deal 1 from deck to layout[p]"),
    ("spread", 4, "for p in players: deal 2 from deck to spread[p]"),
    ("pit", 2, "deal 2 from deck to pit"),
    ("bag", 2, "deal 2 from deck to bag"),
    ("heap", 1, "move top of deck to heap"),
)
"""Zone, how many cards for two players, and the line."""
VARIABLES = {
    "n": "int",
    "flag": "bool",
    "tint": "Colour",
    "who": "Player",
    "points": "int per Player",
    "mark": "int per Card",
    "kept": "Card or none",
    "pool": "Cards",
    "purse": "{type: int per Player, seen_by: owner}",
    "hid": "{type: int, seen_by: nobody}",
    "hflag": "{type: bool, seen_by: nobody}",
    "htint": "{type: Colour, seen_by: nobody}",
    "hwho": "{type: Player, seen_by: nobody}",
    "hkept": "{type: Card or none, seen_by: nobody}",
    "hpool": "{type: Cards, seen_by: nobody}",
    "hmark": "{type: int per Card, seen_by: nobody}",
}
TYPES = {"int": "int", "bool": "bool", "colour": "Colour", "player": "Player", "card": "Card", "cards": "Cards"}
FUNCTIONS = {
    **{f"same_{low}": (f"{of} x", ("x",)) for low, of in TYPES.items()},
    "stepped": ("int x", ("if x > 1: return 4", "1")),
    "looped": ("int x", ("let t = 0", "for i in 1..4:", "  skip to next if i > x", "  t += 1", "t")),
    "highest": ("Cards s", ("max(c.number for c in s) or else 0",)),
}
RULES = {
    **{f"give_{low}": (f"{of} x", ("return x",)) for low, of in TYPES.items()},
    "settle": ("int x", ("if x > 1: return 4", "return 1")),
}


class Tape:
    """Numbers that settle one thing each; 0 where it has come to its end."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self._at = 0

    @classmethod
    def of_seed(cls, seed: int) -> Tape:
        """A tape of random numbers."""
        random = Random(seed)
        return cls([random.randrange(1 << 16) for _ in range(120)])

    def below(self, count: int) -> int:
        """A number from 0 to ``count`` - 1."""
        self._at += 1
        return self._numbers[self._at - 1] % count if self._at <= len(self._numbers) else 0

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def once_in(self, count: int) -> bool:
        """Whether something is so that is so once in ``count`` times."""
        return self.below(count) == count - 1


@dataclass(frozen=True)
class Chain:
    """The parts that a value goes through."""

    source: Source
    carriers: tuple[Carrier, ...]
    frame: Frame
    sink: Sink

    def __str__(self) -> str:
        carried = [c.name for c in self.carriers] + [self.frame.name] * bool(self.frame.name)
        return " > ".join([self.source.name, *carried, self.sink.name])


@dataclass
class Program:
    """A ruleset as it is written, and what it is made of."""

    tape: Tape
    chains: list[Chain] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    declared: dict[str, list[str]] = field(default_factory=lambda: {"rules": [], "events": [], "triggers": []})
    names: int = 0

    def fresh(self, stem: str = "v") -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def grow(self) -> None:
        """Adds a chain to the rules."""
        tape = self.tape
        seats = ("me", "you") if not tape.once_in(4) else ("you", "me")
        source = tape.one_of(SOURCES)
        text = self._laid(source.lines, source.text, "", seats)
        of = source.gives
        carriers: list[Carrier] = []
        for _ in range(tape.one_of((0, 1, 1, 2, 2, 3))):
            carrier = tape.one_of([c for c in CARRIERS if c.takes == of])
            text = self._laid(carrier.lines, carrier.text, text, seats)
            of = carrier.gives
            carriers.append(carrier)
        frame = tape.one_of(FRAMES) if tape.once_in(2) else FRAMES[0]
        sink = tape.one_of([s for s in SINKS if s.takes == of])
        self._use(frame, sink, text, of, seats)
        self.chains.append(Chain(source, tuple(carriers), frame, sink))

    def _laid(self, lines: Sequence[str], text: str, value: str, seats: tuple[str, str]) -> str:
        """Adds the lines of a part to the rules; its value."""
        holes = self._holes(value, seats)
        self.lines += [filled(line, holes) for line in lines]
        return filled(text, holes)

    def _holes(self, value: str, seats: tuple[str, str]) -> dict[str, str]:
        tape = self.tape
        holes = {"e": value, "me": seats[0], "you": seats[1], "a": self.fresh(), "b": self.fresh(), "c": self.fresh()}
        holes["k"] = str(1 + tape.below(2))
        holes["colour"] = tape.one_of(("red", "blue"))
        shut = not tape.once_in(4)
        holes["cards"] = filled(tape.one_of(HIDDEN_CARDS if shut else OPEN_CARDS), holes)
        holes["pile"] = filled(tape.one_of(HIDDEN_PILES if shut else OPEN_PILES), holes)
        return holes

    def _use(self, frame: Frame, sink: Sink, value: str, of: str, seats: tuple[str, str]) -> None:
        holes = self._holes(value, seats)
        outside = holes | {"a": self.fresh("does_"), "type": of, "v": "w"}
        inside = holes if not frame.section else holes | {"e": "w"}
        use = [filled(line, inside) for line in sink.lines]
        for line in frame.around:
            if line.strip() == "$use":
                self.lines += [line[: -len("$use")] + used for used in use]
            else:
                self.lines.append(filled(line, outside))
        if not frame.section:
            return
        head = filled(frame.declared, outside)
        if frame.section == "triggers":
            self.declared["events"].append(f"  {head}: count_of_raised += 1")
            named = re.sub(r"(int|bool|Colour|Player|Cards|Card) ", "", head)
            self.declared["triggers"] += [f"  when {outside['a']}:", f"    after: {named}", *_block("    do", use)]
        else:
            self.declared[frame.section] += _block(f"  {head}", use)

    def between(self) -> None:
        """Adds something that changes what is known, or where cards lie."""
        self.lines.append(
            self.tape.one_of(
                (
                    "reveal hand[you]",
                    "show all of hand[you] to me",
                    "move top of away to table",
                    "reveal away",
                    "show away to me",
                    "swap top of away with top of table",
                    "shuffle away",
                    "move random of hand[you] to away",
                    "move all of hand[you] to table",
                    "deal 1 from deck to hand[me]",
                    "turn over away",
                    "flip top of away face up",
                    "swap hand[me] with hand[you]",
                    "for p in players: tell p whether (c.number > 2 for c in hand[you])",
                )
            )
        )

    def text(self) -> str:
        """The ruleset, with what its rules name."""
        tape = self.tape
        seats = tape.one_of(("2", "2", "3", "4"))
        rows = {"hand": tape.one_of(SEEN[1:3]) if tape.once_in(4) else "owner", "away": tape.one_of(("row", "pile"))}
        rows |= {"layout": tape.one_of(SEEN), "spread": tape.one_of(SEEN)}
        asked = ["me chooses:", '  "go on"', "you chooses:", '  "go on"']
        body = "\n".join([*self.lines, *asked, *(line for part in self.declared.values() for line in part)])
        zones = [zone for zone in ZONES if zone in ("deck", "table") or _named(zone, body)]
        two = {line: number for zone, number, line in DEALS if zone in zones}
        dealt = 1 + sum(number * (int(seats) if "p in" in line else 2) // 2 for line, number in two.items())
        _, deck = tape.one_of([deck for deck in DECKS if deck[0] >= dealt] or DECKS[-1:])
        begin = ["let me = first p in players where true", "let you = next(me)", "shuffle deck", *two]
        functions, rules = _of(FUNCTIONS, body), _of(RULES, body)
        events = self.declared["events"]
        variables = [name for name in VARIABLES if _named(name, "\n".join([body, *events]))]
        state = [f"  {name}: {VARIABLES[name]}" for name in variables]
        state += ["  count_of_raised: int"] if self.declared["triggers"] else []
        parts = [
            "rulerun: 1",
            "game: Secrets",
            f"players: {seats}",
            *(["teams: 2"] if seats == "4" else []),
            "types: {Colour: {ordered: [red, green, blue]}}",
            "cards:",
            "  face: {colour: Colour, number: int}",
            '  name: "{colour} {number}"',
            f"  deck: {deck}",
            "zones:",
            *(f"  {zone}: {filled(ZONES[zone], rows)}" for zone in zones),
            *(["state:", *state] if state else []),
            *(["tables: {worth: {of: Colour, red: 1, else: 2}}"] if _named("worth", body) else []),
            *(["functions:", *functions] if functions else []),
            *_block("rules:\n  play", [*begin, *self.lines, *asked]),
            *rules,
            *self.declared["rules"],
            *(["events:", *events] if events else []),
            *(["triggers:", *self.declared["triggers"]] if self.declared["triggers"] else []),
            "result: {score(Player p): 0, winner: [highest score]}",
        ]
        return "\n".join(parts) + "\n"


def filled(text: str, holes: dict[str, str]) -> str:
    """A template with its holes filled."""
    return re.sub(r"\$(\w+)", lambda hole: holes[hole[1]], text)


def _named(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _block(head: str, lines: Sequence[str]) -> list[str]:
    indent = re.match(r" *", head.rsplit("\n", 1)[-1])
    assert indent is not None
    return [f"{head}: |", *(f"{indent[0]}  {line}" for line in lines)]


def _of(parts: dict[str, tuple[str, tuple[str, ...]]], body: str) -> list[str]:
    found = [_block(f"  {name}({of})", text) for name, (of, text) in parts.items() if _named(name, body)]
    return [line for block in found for line in block]


def program_of(tape: Tape) -> Program:
    """The program that a tape tells of."""
    program = Program(tape)
    for number in range(tape.one_of((1, 1, 1, 2, 3))):
        if number and tape.once_in(3):
            program.between()
        program.grow()
    return program
