"""Small rulesets in text, played by both modes of the reference executor, with what they note down."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

from rulerun.check import compile_ruleset
from rulerun.document import read
from rulerun.facts.events import Announced, Event, Named
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program
from rulerun.ir.types import BoolType, CardType, EnumType, OptionalType, PlayerType, SetType
from rulerun.ir.typing import type_of
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.render import render
from rulerun.source.text import Source

HOST = """\
rulerun: 1
game: Language
players: 1..6
types:
  Colour: [red, green, blue]
cards:
  face: {colour: Colour, number: int}
  name: "{colour} {number}"
  deck:
    - each: {colour: Colour, number: 1..6}
zones:
  stock: {kind: pile, seen_by: nobody, start: deck}
  row: {kind: row, seen_by: everyone}
  pile: {kind: pile, seen_by: everyone}
  hand: {kind: hand, per: player}
  rack: {kind: row, per: player, seen_by: others}
state:
  points: int per Player
  total: int
  told: int
functions:
  worth(Cards cards): |
    sum(c.number for c in cards)
rules:
  play: |
BODY
result:
  score(Player p): |
    points[p]
  winner: [highest score]
"""
"""Eighteen cards: red 1 to red 6, green 1 to green 6, blue 1 to blue 6, in this order."""

LAY_OUT = """\
move (c for c in stock where c.colour == red) to row
"""
"""Puts red 1 to red 6 into the row. The stock is not shuffled: its order is that of the deck."""


def findings(
    text: str, players: int, variants: tuple[str, ...] = (), *, guarded: bool = True
) -> tuple[Program | None, Diagnostics]:
    found = Diagnostics()
    ruleset = read(Source("ruleset.yaml", text), folder=Folder(None), variants=variants, found=found)
    program = compile_ruleset(ruleset, players, found, guarded=guarded) if ruleset is not None else None
    return program, found


def with_body(body: str, host: str = HOST, **replaced: str) -> str:
    """The host with a text for `play`; ``replaced``: sections by name, put in the place of the host's."""
    text = host.replace("BODY", textwrap.indent(textwrap.dedent(body).rstrip("\n"), "    "))
    for name, section in replaced.items():
        section = textwrap.dedent(section).strip("\n")
        section = f"{name}:\n{textwrap.indent(section, '  ')}\n" if ":" in section else f"{name}: {section}\n"
        if re.search(rf"(?m)^{name}:", text):
            text = re.sub(rf"(?ms)^{name}:.*?(?=^\w|\Z)", lambda _: section, text)  # noqa: B023
        else:
            text = text.replace("types:\n", f"{section}types:\n", 1)
    return text


def codes(body: str, players: int = 3, **replaced: str) -> list[str]:
    """The codes of what is wrong with a text."""
    _, found = findings(with_body(body, **replaced), players)
    return [d.code for d in found]


@dataclass
class Played:
    """A game: its notes, the labels offered at each choice, all events, the last vector."""

    program: Program
    machine: Machine
    vector: list[int]
    notes: list[str] = field(default_factory=list)
    offered: list[list[str]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.machine.scores(self.vector)

    @property
    def winners(self) -> tuple[int, ...]:
        return self.machine.winners(self.vector)


def compiled(text: str, players: int, variants: tuple[str, ...] = (), *, guarded: bool = True) -> Program:
    program, found = findings(text, players, variants, guarded=guarded)
    assert program is not None, render(list(found), "concise")
    assert verify(program) == []
    return program


def play(
    body: str,
    *,
    players: int = 3,
    choices: tuple[str, ...] = (),
    seed: int = 1,
    guarded: bool = True,
    **replaced: str,
) -> Played:
    """Plays `play` with this body. ``choices``: the labels to choose, one after the other; beyond, the first option.
    Not ``guarded``: notes may say what not everyone can know."""
    return play_text(with_body(body, **replaced), players=players, choices=choices, seed=seed, guarded=guarded)


def play_text(
    text: str,
    *,
    players: int = 3,
    choices: tuple[str, ...] = (),
    seed: int = 1,
    variants: tuple[str, ...] = (),
    guarded: bool = True,
) -> Played:
    program = compiled(text, players, variants, guarded=guarded)
    telling, quiet, plain = Machine(program, telling=True), Machine(program), Machine(program, plain=True)
    played = Played(program, telling, telling.start(seed))
    others = [(machine, machine.start(seed)) for machine in (quiet, plain)]
    left = list(choices)
    while not telling.is_over(played.vector):
        options = telling.options(played.vector)
        labels = [label(program, telling, played.vector, option) for option in options]
        played.offered.append(labels)
        played.asked.append(telling.chooser(played.vector))
        index = labels.index(left.pop(0)) if left else 0
        for machine, vector in others:
            assert [machine.key(vector, o) for o in machine.options(vector)] == [
                telling.key(played.vector, o) for o in options
            ]
            machine.choose(vector, index)
        telling.choose(played.vector, index)
    assert left == []
    for _, vector in others:
        assert vector == played.vector[: len(vector)]
    played.events = [event for event in telling.log if not hasattr(event, "what")]
    notes = {op.at: op.text for block in program.blocks for op in block.ops if isinstance(op, ir.Announce)}
    played.notes = [note(program, notes[e.at], e.values) for e in played.events if isinstance(e, Announced)]
    return played


def label(program: Program, machine: Machine, vector: list[int], option: object) -> str:
    """A label as one reads it who knows everything."""
    parts = machine.label(vector, option)
    return "".join(p if isinstance(p, str) else value(program, p.value, p.type) for p in parts)


def value(program: Program, number: int, type_: object) -> str:
    match type_:
        case BoolType():
            return "yes" if number else "no"
        case EnumType(_, values):
            return values[number]
        case PlayerType():
            return f"P{number + 1}"
        case CardType():
            return program.kind_names[program.kinds[number]] if number >= 0 else "a card"
        case OptionalType(inner):
            return "none" if number == -1 else value(program, number, inner)
        case SetType(of):
            return ", ".join(value(program, i, of) for i in range(number.bit_length()) if number >> i & 1)
        case _:
            return str(number)


def note(program: Program, text: ir.Label, values: tuple[int | tuple[Named, ...], ...]) -> str:
    """What a note says, to one who knows everything."""
    given = list(values)
    said = ""
    for part in text.parts:
        if isinstance(part, str):
            said += part
            continue
        given_value = given.pop(0)
        if isinstance(given_value, int):
            said += value(program, given_value, type_of(part))
        else:
            kinds = sorted(card.kind for card in given_value)
            said += ", ".join(program.kind_names[kind] for kind in kinds)
    return said
