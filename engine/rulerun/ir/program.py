"""A program: one game for one number of players, options and variants settled. All that executors and views need.

It imports nothing of the front (document, syntax, check) and can be printed, verified, pickled and hashed.
`layout` says where everything lies in the state vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from rulerun.ir.nodes import Block, key_size
from rulerun.ir.types import WORD_BITS, ArrayType, CardType, RangeKey, SetType, Type
from rulerun.source.node import node

IR_VERSION = 3


@node
class Origin:
    """The rule text that something came from, for faults and traces."""

    file: str
    line: int
    column: int
    text: str
    """The source line, stripped."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@node
class CardColumn:
    """A field of the cards. ``values[card * width + i]``; width is 1 but for ``T per K`` fields."""

    name: str
    type: Type
    on_back: bool
    width: int
    values: tuple[int, ...]


class ZoneKind(Enum):
    PILE = "pile"
    ROW = "row"
    BOARD = "board"
    """A zone for each place: the last key of the family is the number of the place. A place holds one card or none, is
    ordered, and never shuffled."""
    HAND = "hand"

    @property
    def ordered(self) -> bool:
        return self is not ZoneKind.HAND


class SeenBy(Enum):
    EVERYONE = "everyone"
    OWNER = "owner"
    OTHERS = "others"
    NOBODY = "nobody"


@node
class RefillRule:
    """``source`` is a family; it has the same keys as the refilled one, or none."""

    source: int
    keep: int
    shuffle: bool


@node
class ZoneFamily:
    """A zone of the ruleset: one instance, or one per combination of its keys, row by row from ``first``."""

    name: str
    kind: ZoneKind
    seen_by: SeenBy
    keys: tuple[Type | RangeKey, ...]
    first: int
    size: int
    shuffled: bool
    """Whether it may hold undrawn cards (it is the target of a shuffle, collect or shuffling refill somewhere)."""
    refill: RefillRule | None
    columns: int | None
    about: str = ""


    @property
    def places(self) -> RangeKey | None:
        """The numbers of the places of a board; None for any other zone."""
        last = self.keys[-1] if self.kind is ZoneKind.BOARD else None
        return last if isinstance(last, RangeKey) else None


@node
class Zone:
    """A zone instance. ``seen`` is the set of seats that see every face in it; ``owner`` -1 if it has none."""

    family: int
    keys: tuple[int, ...]
    name: str
    """For people: ``hand of P2``, ``stock``, ``fireworks red``."""
    owner: int
    seen: int


@node
class Variable:
    """A named place: a state variable, or (``unit`` >= 0) a parameter or local of a procedure."""

    name: str
    type: Type
    offset: int
    words: int
    unit: int = -1
    start: tuple[int, ...] = ()
    """Initial words (state variables); empty means zeros."""
    seen_by: SeenBy = SeenBy.EVERYONE
    seen: tuple[int, ...] = ()
    """Per word the set of seats that see it; empty: everyone sees all of it."""


@node
class ConstantTable:
    name: str
    values: tuple[int, ...]


@node
class Function:
    """A pure function. Its parameters are its first locals. Its blocks hold SetLocal operations and end in Jump,
    Branch, Switch, Return or Fail; entry is block 0 of its own numbering."""

    name: str
    params: tuple[Type, ...]
    result: Type
    locals: tuple[Type, ...]
    blocks: tuple[Block, ...]
    at: int


@node
class Procedure:
    """A rule or an event's chain. Its frame is static: a word for the return block, a result, parameters, locals.

    One that may be in progress several times (``nested``) has room right behind its frame: a word that counts how many
    frames are kept there, then ``nested - 1`` of them. The frame itself is always that of the last call."""

    name: str
    kind: str
    """"rule", "event" (the whole chain) or "own text" (an event's own text)."""
    entry: int
    frame: int
    """First word of the frame."""
    frame_words: int
    params: tuple[int, ...]
    """Offsets of the parameter places."""
    return_place: int
    result_place: int
    """-1 if it gives no value."""
    result_words: int
    locals: tuple[Type, ...]
    """Types of the expression locals (folds, choice lines) of its blocks."""
    at: int
    nested: int = 1
    """How often it may be in progress at once."""

    @property
    def kept(self) -> int:
        """The word that counts the kept frames, the lowest right behind it."""
        return self.frame + self.frame_words

    @property
    def end(self) -> int:
        """The first word behind its frame and the kept ones."""
        return self.kept + (1 + (self.nested - 1) * self.frame_words if self.nested > 1 else 0)


@node
class Criterion:
    """``function`` takes a player and gives an int."""

    highest: bool
    name: str
    function: int


@node
class Option:
    """A setting of the ruleset and the value it has in this program, for views and reports."""

    name: str
    value: int
    type: Type
    low: int | None
    high: int | None
    default: int
    about: str


@dataclass(frozen=True)
class Layout:
    """Where things lie in the state vector, in words. Computed by `layout_of`; marks come last, so that a program
    without knowledge is a prefix of the same program with it.

    header
        0 PC: the block to run, or the choice waiting in it; 0 = the game is over
        1 RNG: state of the generator, as a signed 64-bit number
        2 DECISIONS: choices made so far
        3 CHOOSER: the seat asked (last, while the rules run on or chance waits), -1 before the first and at the end
        4 PICKED: cards picked so far of a set that is picked card by card
        5 PLAYING: set of the players in play
        6 DIRECTION: 1 clockwise, -1 counter-clockwise
        7 LIMITED: 1 if the decision limit ended the game as a draw, else 0
    variables, then frames
        as `Variable` and `Procedure` say
    zones
        one record of `zone_words` words per instance at ``zone(z)``:
        ordered: head card + 1, tail card + 1 (0: none), count, gap (undrawn places above the first drawn card), then
        for all families alike W words: the set of cards (unordered zone) or the set of *undrawn* cards (shuffled zone)
    arena
        per card c: ``next`` and ``previous`` (card + 1 in its ordered zone, 0: none), ``gap`` (undrawn places directly
        below c), ``loc`` (its zone instance)
    marks (with knowledge)
        digest per seat (signed 64 bit); place marks: per card the set of seats that know it where it lies in an ordered
        zone; member marks: W words per (seat, zone): for each kind of which m cards are known to be there the m lowest
        card numbers of that kind
    """

    cards: int
    players: int
    zones: int
    words_per_set: int
    variables: int
    frames: int
    zone_base: int
    zone_words: int
    next_base: int
    previous_base: int
    gap_base: int
    loc_base: int
    size: int
    digest_base: int
    place_base: int
    member_base: int
    full_size: int

    def zone(self, instance: int) -> int:
        return self.zone_base + instance * self.zone_words

    def member(self, seat: int, instance: int) -> int:
        return self.member_base + (seat * self.zones + instance) * self.words_per_set


PC, RNG, DECISIONS, CHOOSER, PICKED, PLAYING, DIRECTION, LIMITED = range(8)
HEADER_WORDS = 8
ZONE_HEAD, ZONE_TAIL, ZONE_COUNT, ZONE_GAP, ZONE_SET = range(5)
MAX_SET_OPTIONS = 4096
MAX_OPTIONS = 20_000
MAX_SUBSETS = 65_536
"""Subsets that one evaluation may run over."""
MAX_COVERED = 14
"""Cards among which the best cover is looked for."""
MAX_FUEL = 1_000_000
"""Fuel that may be burned without a decision; see `facts.fuel`."""
MAX_CARDS = 1_000
MAX_PLAYERS = 20


@dataclass(frozen=True)
class Program:
    """See the module's text. Block 0 is ``Finish``; ``entry`` is where a game begins."""

    game: str
    language: int
    players: int
    options: tuple[Option, ...]
    variants: tuple[str, ...]
    card_count: int
    kinds: tuple[int, ...]
    """Kind of each card; cards of a kind are equal in every field. Kinds are numbered by their lowest card."""
    kind_names: tuple[str, ...]
    """For people, per kind: the face."""
    back_names: tuple[str, ...]
    """For people, per kind: what shows while the face is hidden ("worth 3", "a card")."""
    fields: tuple[CardColumn, ...]
    families: tuple[ZoneFamily, ...]
    zones: tuple[Zone, ...]
    start: tuple[int, ...]
    """Zone instance of each card at the start; ordered zones hold them by number, the lowest at HEAD."""
    variables: tuple[Variable, ...]
    tables: tuple[ConstantTable, ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    blocks: tuple[Block, ...]
    entry: int
    score: int
    """Function of a player."""
    criteria: tuple[Criterion, ...]
    """Compared one after the other; with none all players win."""
    decision_limit: int
    limit_is_draw: bool
    uses_knowledge: bool
    """Whether a rule asks ``knows``: then marks are kept in volume runs too."""
    origins: tuple[Origin, ...]
    layout: Layout
    teams: int = 0
    """Number of teams: player i plays in team ``i % teams``. 0: everyone plays alone."""
    won: int = -1
    """Function without parameters that says whether anybody wins; -1: somebody always does."""
    places: int = -1
    """First word of the places of players who are done, seat by seat (0: not done); -1 if the game has none."""
    face_up: int = -1
    """First word of the set of the cards that lie face up in ordered zones which not everyone sees; -1 if the game has
    no such."""

    @cached_property
    def identity(self) -> str:
        """A hash of what the program means: what a save or a log names its ruleset by. See `ir.identity`."""
        from rulerun.ir.identity import identity_of

        return identity_of(self)


def seats_by_word(program: Program) -> dict[int, int]:
    """The words of state variables that not every seat sees: offset -> the set of seats that do."""
    everyone = (1 << program.players) - 1
    return {
        variable.offset + i: seats
        for variable in program.variables
        for i, seats in enumerate(variable.seen)
        if seats != everyone
    }


def is_hidden(program: Program, offset: int) -> bool:
    """Whether a word belongs to a state variable that not everyone sees all of."""
    return any(v.seen and v.offset <= offset < v.offset + v.words for v in program.variables)


def words_of(type_: Type, players: int, cards: int) -> int:
    """How many words a value of a type takes."""
    match type_:
        case SetType(of) if isinstance(of, CardType):
            return -(-cards // WORD_BITS)
        case ArrayType(value, key):
            return key_size(key, players, cards) * words_of(value, players, cards)
        case _:
            return 1


def layout_of(cards: int, players: int, zones: int, variable_words: int, frame_words: int) -> Layout:
    """The layout of a program with so many cards, players, zone instances and words of variables and frames."""
    w = -(-cards // WORD_BITS)
    variables = HEADER_WORDS
    frames = variables + variable_words
    zone_base = frames + frame_words
    zone_words = ZONE_SET + w
    next_base = zone_base + zones * zone_words
    size = next_base + 4 * cards
    place_base = size + players
    member_base = place_base + cards
    return Layout(
        cards=cards,
        players=players,
        zones=zones,
        words_per_set=w,
        variables=variables,
        frames=frames,
        zone_base=zone_base,
        zone_words=zone_words,
        next_base=next_base,
        previous_base=next_base + cards,
        gap_base=next_base + 2 * cards,
        loc_base=next_base + 3 * cards,
        size=size,
        digest_base=size,
        place_base=place_base,
        member_base=member_base,
        full_size=member_base + players * zones * w,
    )
