"""Setting the table for a test: which card lies where, what the state is, and with which rule the game begins.

Cards that a test does not name lie where they start, below the named ones (in no order where the zone may be
shuffled), or all in the zone that `rest:` names. Cards are named by kind; which of equal cards is taken makes no
difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulerun.document.model import Entries, Items, Scalar, Value
from rulerun.facts.spots import HEAD, TAIL
from rulerun.ir.nodes import Block, CallProcedure, Finish, Load, Place
from rulerun.ir.program import Program, SeenBy
from rulerun.ir.types import WORD_BITS, RangeKey, Type
from rulerun.play.scenario_words import ANY, Cards, Reference, ScenarioError, Words, call, reference
from rulerun.run.knowledge import lay_table
from rulerun.source.text import Span

REST = "rest"
_COUNT = re.compile(r"(\d{1,4}) cards?\Z")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a test begins: the procedure and the values of its arguments."""

    procedure: int
    arguments: tuple[int, ...]


@dataclass(slots=True)
class _Wanted:
    """What `given` says of cards: per zone instance the cards in order."""

    zones: dict[int, list[Cards]] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict)
    rest: int | None = None


def count_of(value: Value) -> int | None:
    """The number of ``3 cards``, ``1 card``, ``empty``; None for anything else."""
    if not isinstance(value, Scalar):
        return None
    text = " ".join(value.piece.text.split())
    found = _COUNT.match(text)
    if found:
        return int(found[1])
    return 0 if text == "empty" else None


def start_of(words: Words, start: Scalar) -> Start:
    """The rule and arguments of ``start: turn(P1)``."""
    name, arguments = call(start.piece.text, start.span)
    rules = {p.name: i for i, p in enumerate(words.program.procedures) if p.kind in ("rule", "event")}
    if name not in rules:
        raise words.unknown(name, start.span, rules, "rule or event")
    parameters = words.parameters(rules[name])
    if len(parameters) != len(arguments):
        signature = ", ".join(f"{p.type} {p.name}" for p in parameters)
        raise ScenarioError(f"{name}({signature}) takes {len(parameters)} arguments, not {len(arguments)}", start.span)
    values = []
    for parameter, text in zip(parameters, arguments, strict=True):
        values.append(words.plain_text(text, parameter.type, start.span))
    return Start(rules[name], tuple(values))


def beginning_with(program: Program, procedure: int) -> Program:
    """The same program, but that it begins with a procedure, whose parameters are in their places already, and ends
    when that returns.
    """
    facts = program.procedures[procedure]
    by_offset = {v.offset: v.type for v in program.variables if v.unit == procedure}
    arguments = tuple(Load(Place(offset, (), by_offset[offset], facts.at)) for offset in facts.params)
    entry = len(program.blocks)
    blocks = (
        *program.blocks,
        Block((), CallProcedure(procedure, arguments, entry + 1, facts.at), procedure, facts.at),
        Block((), Finish(), procedure, facts.at),
    )
    return replace(program, blocks=blocks, entry=entry)


def lay(words: Words, vector: list[int], given: Entries | None) -> None:
    """Change a vector as it is before the first rule into the position that the test gives."""
    if given is None:
        return
    wanted = _Wanted()
    program = words.program
    for word, value in given.entries:
        if word.text == REST:
            wanted.rest = _rest(words, value)
            continue
        ref = reference(word.text, word.span)
        if ref.name in words.families:
            _want_zone(words, wanted, ref, value)
        elif ref.name in words.variables:
            offset, type_ = words.variable(ref)
            words.write(vector, offset, type_, words.plain(value, type_))
        else:
            raise words.unknown(ref.name, word.span, [*words.families, *words.variables], "zone or state variable")
    if wanted.zones or wanted.rest is not None:
        _place(program, vector, wanted)


def _rest(words: Words, value: Value) -> int:
    if not isinstance(value, Scalar):
        raise ScenarioError("'rest' names the zone in which all other cards lie", value.span)
    ref = reference(value.piece.text, value.span)
    if ref.name not in words.families:
        raise words.unknown(ref.name, value.span, words.families, "zone")
    return words.zone(ref)


def _want_zone(words: Words, wanted: _Wanted, ref: Reference, value: Value) -> None:
    """Take in what the test says of a zone: of one instance, or (a mapping by key) of several of its family."""
    keys = words.families[ref.name].keys
    if isinstance(value, Entries) and len(ref.keys) < len(keys) and _is_by_key(words, value, keys[len(ref.keys)]):
        for word, inner in value.entries:
            _want_zone(words, wanted, Reference(ref.name, (*ref.keys, word.text), word.span), inner)
        return
    _want(words, wanted, words.zone(ref), ref.span, value)


def _is_by_key(words: Words, value: Entries, key: Type | RangeKey) -> bool:
    """Whether a mapping is one by key, and not a card told by its fields."""
    fields = {f.name for f in words.program.fields}
    return isinstance(key, RangeKey) or not any(word.text in fields for word, _ in value.entries)


def _want(words: Words, wanted: _Wanted, zone: int, span: Span, value: Value) -> None:
    if zone in wanted.zones:
        raise ScenarioError(f"{words.program.zones[zone].name} is given twice", span)
    number = count_of(value)
    every = frozenset(range(len(words.program.kind_names)))
    if number is not None:
        cards = [Cards(every, ANY, value.span)] * number
    elif isinstance(value, Items):
        cards = [words.lying(item) for item in value.items]
    else:
        cards = [words.lying(value)]
    wanted.zones[zone] = cards
    wanted.spans[zone] = span


def _place(program: Program, vector: list[int], wanted: _Wanted) -> None:
    operations = lay_table(program, knowledge=False)
    operations.start(vector)
    taken = assign([c for cards in wanted.zones.values() for c in cards], program)
    rest = [card for card in range(program.card_count) if card not in set(taken)]
    homes = {card: wanted.rest if wanted.rest is not None else program.start[card] for card in rest}
    for zone, cards in wanted.zones.items():
        if not cards and zone in homes.values():
            raise ScenarioError(
                f"{program.zones[zone].name} is given as empty, but the cards that the test does not name start there",
                wanted.spans[zone],
                ["say where they lie, as in 'rest: NAME OF ANOTHER ZONE'"],
            )
    if wanted.rest is not None:
        for card in rest:
            operations.move_card(vector, card, wanted.rest, TAIL)
    parking = [z for z in range(len(program.zones)) if z not in homes.values()]
    numbers = iter(taken)
    placed = {zone: [next(numbers) for _ in cards] for zone, cards in wanted.zones.items()}
    for cards_here in placed.values():  # out of the way, so that a zone can be shuffled without them
        for card in cards_here:
            if parking:
                operations.move_card(vector, card, parking[0], TAIL)
    for zone in sorted(set(homes.values())):
        if program.families[program.zones[zone].family].shuffled:
            operations.shuffle(vector, zone)
    for zone, cards_here in placed.items():
        for card in reversed(cards_here):
            operations.move_card(vector, card, zone, HEAD)
        for card, said in zip(cards_here, wanted.zones[zone], strict=True):
            if said.up is not None:
                _turn(program, vector, card, zone, said)


def _turn(program: Program, vector: list[int], card: int, zone: int, wanted: Cards) -> None:
    """Lets a card lie face up, where it can."""
    facts = program.zones[zone]
    family = program.families[facts.family]
    if not family.kind.ordered:
        message = f"in {facts.name}, which has no order, cards lie neither face up nor face down"
        raise ScenarioError(message, wanted.span)
    if family.seen_by is SeenBy.EVERYONE:
        if not wanted.up:
            raise ScenarioError(f"everyone sees the faces in {facts.name}: no card lies face down there", wanted.span)
    elif wanted.up:
        vector[program.face_up + card // WORD_BITS] |= 1 << card % WORD_BITS
        if len(vector) == program.layout.full_size:
            vector[program.layout.place_base + card] = (1 << program.players) - 1 & ~facts.seen


def assign(wanted: Sequence[Cards], program: Program) -> list[int]:
    """A card for each wanted one, all different: the lowest numbers that fit, exchanged where a later one needs one
    of them.

    A matching by augmenting paths; ScenarioError at the first wanted card for which no card is left.
    """
    holder: dict[int, int] = {}
    fitting = [[c for c, kind in enumerate(program.kinds) if kind in w.kinds] for w in wanted]
    order = sorted(range(len(wanted)), key=lambda i: len(fitting[i]))

    def find(index: int, seen: set[int]) -> bool:
        for card in fitting[index]:
            if card not in holder:
                holder[card] = index
                return True
        for card in fitting[index]:
            if card not in seen:
                seen.add(card)
                if find(holder[card], seen):
                    holder[card] = index
                    return True
        return False

    for index in order:
        if not find(index, set()):
            there = f"it has {len(fitting[index])} of them"
            raise ScenarioError(f"the game has no further card {wanted[index].text} ({there})", wanted[index].span)
    result = [0] * len(wanted)
    for card, index in holder.items():
        result[index] = card
    return result
