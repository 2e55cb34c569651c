"""Whole games a second of every game that OpenSpiel has too, beside its `evaluate_bots`. One table and a JSON file.

    python benchmarks/openspiel_table.py [--rounds 5] [--slice 0.5] [--json FILE] [GAME ...]

Random play on one core, with the house rules under which `tests/openspiel` finds both games alike. A round gives each
side of each game one slice of time, one after the other; the ratio is that of a round's two rates, and the table shows
the median of the rounds with the spread (smallest to largest). Decisions a game differ where one side asks what the
other settles by itself: a set of three passed cards is one decision of ours and three of OpenSpiel's.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from executors import Slice, native, timed

import rulerun

HERE = Path(__file__).parent
OVERLAYS = HERE.parent / "tests" / "openspiel"
COUNTED = 200
"""Games of OpenSpiel's whose decisions are counted."""


@dataclass(frozen=True)
class Pair:
    """A game of ours and OpenSpiel's text for the same game."""

    name: str
    theirs: str
    ruleset: str | Path
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    turn_based: bool = False
    first: tuple[int, ...] = ()
    """What OpenSpiel leaves to chance at the start of a game and we to an option."""


PAIRS = (
    Pair("kuhn", "kuhn_poker", "kuhn", 2),
    Pair("leduc", "leduc_poker", "leduc", 2),
    Pair("goofspiel", "goofspiel(players=2,num_cards=13,points_order=random,returns_type=total_points)", "goofspiel", 2,
         {"cards_each": 13, "prize_order": "shuffled", "last_by_itself": True}, turn_based=True),
    Pair("blackjack", "blackjack", "blackjack", 1,
         {"deals": 1, "bet": 1, "naturals": False, "doubling": False, "asked_at_21": True}),
    Pair("oh hell", "oh_hell(players=3)", "oh_hell", 3, {"first_size": 7, "last_size": 7}, first=(7,)),
    Pair("spades", "spades", OVERLAYS / "spades_of_openspiel.yaml", 4),
    Pair("euchre", "euchre", "euchre", 4, {"target": 1, "alone_later": True, "keep_upcard": True}),
    Pair("go fish", "go_fish(players=2)", "go_fish", 2),
    Pair("crazy eights", "crazy_eights(players=2,reshuffle=False,use_special_cards=False)", "crazy_eights", 2,
         {"target": 1, "reshuffle": False, "extra_passes": 1}),
    Pair("skat", "skat", OVERLAYS / "skat_of_openspiel.yaml", 3),
    Pair("hearts", "hearts(pass_cards=False)", "hearts", 4, {"target": 1, "passing": False}, first=(0,)),
    Pair("hearts, passing", "hearts", "hearts", 4, {"target": 1, "first_pass": "left"}, first=(1,)),
    Pair("gin rummy", "gin_rummy", "gin_rummy", 2,
         {"most_deals": 1, "target": 500, "keep_the_taken": False, "tie_undercuts": False}),
    Pair("cribbage", "cribbage(players=2,winner_bonus_reward=0.0)", "cribbage", 2,
         {"show_all": True, "crib_flush_of_four": True}),
)  # fmt: skip


@dataclass
class Row:
    """A game's figures: decisions a game on both sides, games a second in each round."""

    name: str
    our_decisions: float = 0.0
    their_decisions: float = 0.0
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """How many times as many games ours plays, round by round."""
        return [a / b for a, b in zip(self.ours, self.theirs, strict=True)]


def openspiel(pair: Pair) -> tuple[Slice, float]:
    """OpenSpiel's side: a slice of `evaluate_bots` with a uniform random bot a seat, and decisions a game."""
    import pyspiel

    load: Callable[[str], Any] = pyspiel.load_game
    game = load(pair.theirs)
    if pair.turn_based:
        game = pyspiel.convert_to_turn_based(game)
    bots = [pyspiel.make_uniform_random_bot(seat, 17 + seat) for seat in range(pair.players)]

    def begin() -> Any:
        state = game.new_initial_state()
        for action in pair.first:
            state.apply_action(action)
        return state

    def play(first: int, count: int) -> tuple[int, int]:
        for i in range(count):
            pyspiel.evaluate_bots(begin(), bots, first + i)
        return count, 0

    return timed(play, 8), decisions(begin)


def decisions(begin: Callable[[], Any]) -> float:
    """Decisions a game of OpenSpiel's under random play; chance is none."""
    random = Random(1)
    made = 0
    for _ in range(COUNTED):
        state = begin()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, chances)[0])
            else:
                made += 1
                state.apply_action(random.choice(state.legal_actions()))
    return made / COUNTED


def measure(pairs: list[Pair], rounds: int, seconds: float) -> list[Row]:
    """All rows, interleaved."""
    rows, sides = [], []
    for pair in pairs:
        theirs, asked = openspiel(pair)
        ours = native(rulerun.load(pair.ruleset, players=pair.players, options=pair.options))
        rows.append(Row(pair.name, their_decisions=asked))
        sides.append((ours, theirs))
    totals = [[0, 0] for _ in pairs]
    for round_ in range(rounds):
        for row, (ours, theirs), total in zip(rows, sides, totals, strict=True):
            games, made, used = ours(seconds, round_)
            row.ours.append(games / used)
            total[0] += games
            total[1] += made
            games, _, used = theirs(seconds, round_)
            row.theirs.append(games / used)
    for row, (games, made) in zip(rows, totals, strict=True):
        row.our_decisions = made / games
    return rows


def tell(rows: list[Row]) -> None:
    print(
        f"{'game':16} {'decisions':>9} {'OpenSpiel':>9} {'games/s':>11} {'evaluate_bots':>13} {'ratio':>8} "
        f"{'spread':>15}"
    )
    for row in rows:
        spread = f"{min(row.ratios):.1f}..{max(row.ratios):.1f}"
        print(
            f"{row.name:16} {row.our_decisions:9.1f} {row.their_decisions:9.1f} {median(row.ours):11,.0f} "
            f"{median(row.theirs):13,.0f} {median(row.ratios):7.1f}x {spread:>15}"
        )
    print("decisions: a game, ours and OpenSpiel's; ratio: how many times as many games the native executor plays")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=[], help="names of the table; all if none is given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slice", type=float, default=0.5)
    parser.add_argument("--json", type=Path, default=HERE / "openspiel.json")
    asked = parser.parse_args()
    if unknown := set(asked.games) - {pair.name for pair in PAIRS}:
        parser.error(f"no such game: {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in PAIRS)}")
    try:
        import pyspiel  # noqa: F401 - is it there?
    except ImportError:
        sys.exit("OpenSpiel is not installed: pip install 'rulerun[peers]'")
    rows = measure([p for p in PAIRS if not asked.games or p.name in asked.games], asked.rounds, asked.slice)
    tell(rows)
    text = {
        "schema_version": 1,
        "rounds": asked.rounds,
        "slice_seconds": asked.slice,
        "rows": [asdict(r) for r in rows],
    }
    asked.json.write_text(json.dumps(text, indent=1))
    print(f"\nwritten to {asked.json}")


if __name__ == "__main__":
    main()
