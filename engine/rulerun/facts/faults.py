"""Faults during play: what stops a game that its rules lead astray, said in plain words with a way out.

Generated code and the executors call the functions made by `fault_functions`; each knows only an origin index and
raises a `RulesFault`. The seed and the choices that led there are attached by the layer that knows them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from rulerun.ir.program import (
    MAX_COVERED,
    MAX_FUEL,
    MAX_OPTIONS,
    MAX_SET_OPTIONS,
    MAX_SUBSETS,
    Origin,
    Program,
)

ENDLESS = "RR0601"
OVERFLOW = "RR0602"
DIVISION = "RR0603"
INDEX = "RR0604"
NONE_USED = "RR0605"
NOTHING_THERE = "RR0606"
NO_OPTIONS = "RR0607"
TOO_MANY_OPTIONS = "RR0608"
TOO_MANY_SETS = "RR0609"
DECISION_LIMIT = "RR0610"
EMPTY_FOLD = "RR0611"
UNSEEN_FACE = "RR0612"
NO_WAY_ON = "RR0613"
BAD_PLACE = "RR0614"
TOO_MANY_SUBSETS = "RR0615"
TOO_MANY_COVERED = "RR0616"
TOO_DEEP = "RR0617"
NO_ROOM = "RR0618"
NO_SIDE = "RR0619"
NO_POWER = "RR0620"


class RulesFault(Exception):  # noqa: N818 - the name that the design gives it
    """A fault during play. ``code`` names its sort, ``origin`` the rule text (None if it lies in no one line).

    ``seed`` and ``choices`` (indices of the options taken) lead to it from the start; None where they are not known.
    """

    def __init__(self, code: str, message: str, origin: Origin | None, help: str = "") -> None:  # noqa: A002
        self.code = code
        self.message = message
        self.origin = origin
        self.help = help
        self.seed: int | None = None
        self.choices: tuple[int, ...] | None = None
        super().__init__(message)

    def __str__(self) -> str:
        where = f"{self.origin}: " if self.origin else ""
        return f"{where}{self.code} {self.message}"


MESSAGES: dict[str, tuple[str, str, str]] = {
    "out_of_fuel": (
        ENDLESS,
        f"the rules run on too long without a decision: they have used up their fuel of {MAX_FUEL:,}",
        "let the loop end (`stop if ...`), let a player choose in it, or look at fewer things at a time: keep what was "
        "found with `let`",
    ),
    "endless_range": (
        ENDLESS,
        "this runs over too many numbers ({0} .. {1})",
        "narrow the range; a game has no use for millions of numbers",
    ),
    "overflow": (
        OVERFLOW,
        "the result {0} leaves the range of whole numbers (-2147483648 .. 2147483647)",
        "keep numbers small, for instance with min(..., 1000)",
    ),
    "division": (
        DIVISION,
        "division by zero",
        "ask first: `x // n if n != 0 else 0`",
    ),
    "negative_power": (
        NO_POWER,
        "`**` with an exponent below 0 gives no whole number",
        "keep the exponent at 0 or more: `x ** max(n, 0)`",
    ),
    "index": (
        INDEX,
        "the index {0} is outside {1} .. {2}",
        "widen the range where this is declared, or ask first whether the index fits",
    ),
    "none_used": (
        NONE_USED,
        "this is `none`, but is used as a card or a player",
        "ask first: `if x is not none:`",
    ),
    "nothing_there": (
        NOTHING_THERE,
        "there is no card in {0}",
        "ask first: `if {1} is not empty:`, or give the zone a `refill`",
    ),
    "nothing_to_pick": (
        NOTHING_THERE,
        "there is nothing to pick at random",
        "ask first whether there is something",
    ),
    "several_there": (
        NOTHING_THERE,
        "{0} holds more than one card and has no order, so it has no top",
        "choose a card, or make it a pile or a row",
    ),
    "no_options": (
        NO_OPTIONS,
        "{0} must choose here, but there is nothing to choose from",
        "write `may choose`, add `otherwise:`, or loosen the `where`: `… if possible` lets everything through where "
        "nothing fits",
    ),
    "too_many_options": (
        TOO_MANY_OPTIONS,
        f"more than {MAX_OPTIONS:,} options in one choice",
        "narrow the choice with `where`, or split it into two choices",
    ),
    "too_many_sets": (
        TOO_MANY_SETS,
        f"{{0:,}} sets of cards to look at, more than {MAX_SET_OPTIONS:,}",
        "choose fewer cards, choose from fewer, or leave out the `where` (then the set is picked card by card)",
    ),
    "decision_limit": (
        DECISION_LIMIT,
        "the game has not ended after {0:,} decisions",
        "see what keeps it going, or declare `limit: {{decisions: N, then: draw}}`",
    ),
    "empty_fold": (
        EMPTY_FOLD,
        "`{0}` of nothing",
        "say what it is then: `{0} ... or else VALUE`",
    ),
    "unseen_face": (
        UNSEEN_FACE,
        "this choice reads the face of a card that {0} neither sees nor knows (it lies in {1})",
        "what is offered must not tell what is hidden; ask first: `knows(p, c) and ...`",
    ),
    "unseen_value": (
        UNSEEN_FACE,
        "this choice reads a value of `{1}` that {0} does not see",
        "what is offered must not tell what is hidden: choose first and look afterwards",
    ),
    "no_way_on": (NO_WAY_ON, "{0}", "see the rule named above"),
    "too_many_subsets": (
        TOO_MANY_SUBSETS,
        f"{{0:,}} sets of cards to run over, more than {MAX_SUBSETS:,}",
        "run over fewer cards, or say how many each set holds: `subsets(X, 1..3)`",
    ),
    "too_many_covered": (
        TOO_MANY_COVERED,
        f"a cover of {{0}} cards is wanted, and more than {MAX_COVERED} are too many",
        "look for it among fewer cards",
    ),
    "too_deep": (
        TOO_DEEP,
        "`{0}` is in progress {1} times already, as often as its `nested: {1}` allows",
        "let it end before (an `if` around this line), or write a greater number behind `nested`",
    ),
    "place_taken": (
        NO_ROOM,
        "a place of a board holds one card, and `{0}` is taken",
        "ask first whether it `is empty`, move away what lies there, or `swap`",
    ),
    "board_full": (
        NO_ROOM,
        "no place of `{0}` is free for one more card",
        "give the board more `places`, or ask first how many cards lie there: `count({0})`",
    ),
    "flip_in_hand": (
        NO_SIDE,
        "a card of `{0}` lies in a hand, where cards lie neither face up nor face down",
        "move it to a row or a pile first; `reveal` shows a card of a hand to all",
    ),
    "bad_place": (
        BAD_PLACE,
        "there is no place {0} in {1}, which holds {2} cards",
        "keep the place between 0 and count(...)",
    ),
}
"""Name of a fault function -> code, message, way out. The messages are format strings over the function's details."""


def fault_functions(program: Program) -> dict[str, Callable[..., NoReturn]]:
    """A function ``name(at, *details)`` for every fault, that raises it for the origin ``at`` (-1: none)."""

    def make(code: str, message: str, help_: str) -> Callable[..., NoReturn]:
        def fail(at: int, *details: object) -> NoReturn:
            origin = program.origins[at] if 0 <= at < len(program.origins) else None
            raise RulesFault(code, message.format(*details), origin, help_.format(*details))

        return fail

    return {name: make(*texts) for name, texts in MESSAGES.items()}
