"""Cards that lie face up or face down one by one: `flip`, `is face up`, and how long it lasts."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_games import Played, codes, compiled, play, with_body

import rulerun
from rulerun import ONLOOKER
from rulerun.facts.events import Moved, Shown, Turned, observe
from rulerun.facts.observations import LYING_OPEN, Face, ObservedFaces, TurnedDown
from rulerun.ir.nodes import Flip
from rulerun.ir.printer import show
from rulerun.ir.program import Program
from rulerun.run.machine import Machine
from rulerun.testing import conforms

FOLDER = Path(__file__).parent

ZONES = """\
stock: {kind: pile, seen_by: nobody, start: deck, refill: {from: spent, keep: 1, shuffle: true}}
spent: {kind: pile, seen_by: nobody}
over: {kind: pile, seen_by: nobody, refill: {from: spent, keep: 1, shuffle: false}}
lane: {kind: row, per: 1..2, seen_by: nobody}
rack: {kind: row, per: player, seen_by: owner}
grid: {kind: board, places: 1..3, seen_by: nobody}
table: {kind: row, seen_by: everyone}
hand: {kind: hand, per: player}
"""
LAID = """\
deal 4 from stock to lane[1]
deal 2 from stock to lane[2]
let me = first p in players where true
"""
"""In lane 1 lie red 1 to red 4, in lane 2 red 5 and red 6."""
OPEN = 'note "{(c for c in lane[1] where c is face up)} / {(c for c in lane[2] where c is face up)}"\n'
UP = "flip top 2 of lane[1] face up\nflip bottom of lane[2] face up\n"


def program_of(body: str) -> Program:
    return compiled(with_body(LAID + body, zones=ZONES, functions="worth(Cards cs): count(cs)"), 2)


def laid(body: str, **more: object) -> Played:
    return play(LAID + body, zones=ZONES, functions="worth(Cards cs): count(cs)", **more)


def lying(body: str) -> list[str]:
    """The notes of a text, run after lane 1 has been turned up from red 3 on, and red 5 in lane 2."""
    return laid(UP + body).notes


def turned(played: Played) -> list[tuple[bool, list[tuple[str, int]]]]:
    """What was told of cards turned over: whether up, and each card with its place."""
    names = played.program.kind_names
    return [
        (event.up, [(names[kind], place) for kind, _, place in event.cards])
        for event in played.events
        if isinstance(event, Turned)
    ]


# ------------------------------------------------------------------ turning over


def test_a_card_some_cards_and_a_zone_are_turned_over() -> None:
    played = laid("flip top of lane[1] face up\nflip bottom 2 of lane[1] face up\nflip lane[2] face up\n" + OPEN)
    assert played.notes == ["red 1, red 2, red 4 / red 5, red 6"]
    assert turned(played) == [
        (True, [("red 4", 3)]), (True, [("red 1", 0), ("red 2", 1)]), (True, [("red 5", 0), ("red 6", 1)]),
    ]  # fmt: skip
    assert not any(isinstance(event, Shown) for event in played.events)


def test_one_taken_by_chance_is_turned_where_it_lies() -> None:
    played = laid("flip random of lane[1] face up\nflip random of (c for c in lane[1] where c is face up) face down")
    (up, [card]), (down, [same]) = turned(played)
    assert (up, down) == (True, False)
    assert card == same


def test_only_those_that_lie_the_other_way_are_turned() -> None:
    played = laid(UP + "flip all of lane face up\nflip all of lane face up\nflip all of lane[2] face down\n" + OPEN)
    assert played.notes == ["red 1, red 2, red 3, red 4 / "]
    assert turned(played)[2:] == [
        (True, [("red 1", 0), ("red 2", 1)]), (True, [("red 6", 1)]), (False, [("red 5", 0), ("red 6", 1)]),
    ]  # fmt: skip


def test_face_down_is_what_is_not_face_up_and_both_can_be_denied() -> None:
    asked = 'let c = top of lane[1]\nlet d = bottom of lane[1]\nnote "{c is face up} {c is face down} {d is face up} '
    assert lying(asked + '{d is face down} {c is not face up} {d is not face down}"\n') == ["yes no no yes no no"]


def test_a_set_of_cards_is_turned_wherever_they_lie() -> None:
    """Those in a zone that everyone sees lie face up already, and are passed over."""
    body = "move bottom of lane[1] to table\nlet all = lane[1] union lane[2] union table\nflip all face up\n"
    played = laid(body + OPEN)
    assert played.notes == ["red 2, red 3, red 4 / red 5, red 6"]
    assert turned(played) == [(True, [("red 2", 0), ("red 3", 1), ("red 4", 2), ("red 5", 0), ("red 6", 1)])]
    words = played.vector[played.program.face_up : played.program.face_up + 2]
    assert words == [0b111110, 0]


def test_where_everyone_sees_the_faces_cards_always_lie_face_up() -> None:
    body = "move top of lane[1] to table\nlet c = top of table\nlet d = top of lane[1]\n"
    assert lying(body + 'note "{c is face up} {d is face up} {top of table is face down}"') == ["yes yes no"]


def test_in_a_hand_cards_lie_neither_way() -> None:
    said = lying('move top of lane[1] to hand[me]\nfor c in hand[me]: note "{c is face up} {c is face down}"')
    assert said == ["no yes"]


def test_the_top_of_a_shuffled_pile_is_drawn_to_be_turned_and_stays_there() -> None:
    body = "shuffle stock\nflip top of stock face up\nflip bottom of stock face up\nlet c = top of stock\n"
    body += 'let d = bottom of stock\nnote "{c is face up} {d is face up} {count(stock)}"\nflip d face down'
    played = laid(body)
    assert played.notes == ["yes yes 12"]
    assert [(up, place) for up, ((_, place),) in turned(played)] == [(True, 0), (True, 11), (False, 11)]


# ------------------------------------------------------------ how long it lasts


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("", "red 3, red 4 / red 5"),
        ("move top of lane[1] to lane[2]", "red 3 / red 5"),
        ("move top of lane[1] to bottom of lane[1]", "red 3 / red 5"),
        ("move bottom of lane[1] to top of lane[1]", "red 3, red 4 / red 5"),
        ("move top 2 of lane[1] to lane[2] at 1", " / red 5"),
        ("move (c for c in lane[1]) to lane[2]", " / red 5"),
        ("move all of lane[1] to lane[2]", " / red 5"),
        ("move all of lane[1] to lane[1]", "red 3, red 4 / red 5"),
        ("let i = 2\nmove all of lane[i] to lane[2]", "red 3, red 4 / red 5"),
        ("deal 1 from lane[1] to lane[2]", "red 3 / red 5"),
        ("swap top of lane[1] with bottom of lane[2]", "red 3 / "),
        ("swap bottom of lane[1] with top of lane[2]", "red 3, red 4 / red 5"),
        ("swap top of lane[1] with top of lane[1]", "red 3, red 4 / red 5"),
        ("swap lane[1] with lane[2]", "red 5 / red 3, red 4"),
        ("collect lane[1] to stock", " / red 5"),
        ("collect all cards to stock", " / "),
        ("move all of lane[1] to spent\nmove top of spent to lane[1]", " / red 5"),
    ],
)
def test_cards_lie_face_up_until_they_are_moved(body: str, left: str) -> None:
    assert lying(body + "\n" + OPEN) == [left]


PILE = "move all of lane[1] to spent\nmove all of lane[2] to spent\nflip all of spent face up\n"
SPENT = 'note "{(c for c in spent where c is face up)}"\n'
"""The pile holds red 1 to red 6, red 6 on top, all face up."""


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("", "red 1, red 2, red 3, red 4, red 5, red 6"),
        ("move top of stock to spent at 3", "red 1, red 2, red 3, red 4, red 5, red 6"),
        ("shuffle spent", ""),
        ("collect lane[1] to spent", ""),
        ("collect spent to spent", ""),
    ],
)
def test_in_a_pile_that_is_shuffled_none_lies_face_up(body: str, left: str) -> None:
    assert lying(PILE + body + "\nfor c in spent: total += 0\n" + SPENT) == [left]


@pytest.mark.parametrize(
    "take", ["move all of stock to table\nmove top of stock to table\n", "move top of over to table\n"]
)
def test_a_refill_turns_down_what_goes_and_not_what_stays(take: str) -> None:
    """What stays is the top of the pile."""
    body = 'note "{top of spent is face up} {count(c for c in all of over where c is face up)} {count(spent)}"'
    assert lying(PILE + take + SPENT + body) == ["red 6", "yes 0 1"]


def test_a_pile_that_needs_no_refill_keeps_its_open_cards() -> None:
    body = "deal 2 from stock to spent\nmove top of spent to over\nflip top of over face up\n"
    assert lying(body + 'let c = top of over\nnote "{c is face up} {count(over)}"') == ["yes 1"]


def test_a_card_put_somewhere_in_secret_turns_the_pile_down() -> None:
    """Where the open cards lie would tell where it went."""
    body = PILE + 'me secretly chooses n from 0..6 as "{n} deep"\nmove top of stock to spent at n\n' + SPENT
    assert laid(UP + body, choices=("2 deep",)).notes == [""]
    told_aloud = body.replace("secretly ", "")
    assert laid(UP + told_aloud, choices=("2 deep",)).notes == ["red 1, red 2, red 3, red 4, red 5, red 6"]


def test_places_of_a_board_that_are_swapped_keep_their_cards_as_they_lie() -> None:
    body = "move top of lane[1] to grid[1]\nmove top of lane[1] to grid[3]\n"
    body += "flip grid[3] face up\nswap grid[1] with grid[3]\n"
    asked = 'note "{top of grid[1] is face up} {top of grid[3] is face up} {count(c for c in grid where c is face up)}"'
    assert lying(body + asked) == ["yes no 1"]


# -------------------------------------------------------------- who knows, who may


def test_all_are_told_which_card_was_turned_and_remember_it_when_it_is_turned_down() -> None:
    played = laid(UP + "flip top of lane[1] face down\n")
    marks = played.vector[played.program.layout.place_base :][:6]
    assert marks == [0, 0, 0b111, 0b111, 0b111, 0]
    up, _, down = [event for event in played.events if isinstance(event, Turned)]
    for seat in range(3):
        assert observe(up, seat) == ObservedFaces(LYING_OPEN, (Face(2, 3, 2), Face(3, 3, 3)))
        assert observe(down, seat) == TurnedDown((Face(3, 3, 3),))


def test_who_sees_a_row_that_is_hers_sees_which_of_her_cards_all_see() -> None:
    body = 'deal 3 from stock to rack[me]\nflip top of rack[me] face up\nme chooses n from 1..2 as "{n}"\n'
    game = rulerun.load(with_body(LAID + body, zones=ZONES), players=2)
    state = game.new(1)
    mine, other = (state.view(seat).zone("rack of P1").cards for seat in range(2))
    assert [(c.name, c.face, c.face_up, c.remembered) for c in mine] == [
        ("green 1", True, False, False), ("green 2", True, False, False), ("green 3", True, True, False),
    ]  # fmt: skip
    assert [(c.name, c.face, c.face_up, c.remembered) for c in other] == [
        ("a card", False, False, False), ("a card", False, False, False), ("green 3", True, True, False),
    ]  # fmt: skip
    assert [card.as_dict().get("face_up") for card in other] == [None, None, True]
    assert state.story(ONLOOKER)[-1].endswith("Slot 3 of P1's rack is turned up: green 3.")


def test_a_choice_may_read_what_lies_face_up() -> None:
    body = UP + 'me chooses c from lane[1] where c is face up and c.number > 3 as "take {c}"\nmove c to table\n'
    assert laid(body).offered == [["take red 4"]]
    body = UP + 'me chooses i from 1..2 where (top of lane[1]).number > i + 2 as "lane {i}"\n'
    assert laid(body).offered == [["lane 1"]]
    body = UP + 'me chooses d from lane[1] where d is face down as "turn {d}"\nflip d face up\n' + OPEN
    played = laid(body)
    assert len(played.offered[0]) == 2
    assert played.notes == ["red 1, red 3, red 4 / red 5"]


def test_what_is_read_in_a_choice_and_lies_face_down_stops_the_game() -> None:
    machine = Machine(program_of(UP + 'me chooses c from lane[1] where c.number > 1 as "x"'), telling=True)
    with pytest.raises(rulerun.RulesFault) as fault:
        machine.options(machine.start(1))
    assert fault.value.code == "RR0612"


def test_what_was_seen_once_may_be_read_though_it_lies_face_down_again() -> None:
    asked = 'me chooses c from lane[1] where knows(me, c) and c.number > 3 as "take {c}"'
    machine = Machine(program_of(UP + "flip all of lane[1] face down\n" + asked), telling=True)
    vector = machine.start(1)
    assert [machine.key(vector, option) for option in machine.options(vector)] == [(0, 3)]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ('note "{top of lane[1]}"', ["RR0508"]),
        ('flip top of lane[1] face up\nnote "{(top of lane[1]).number}"', ["RR0508"]),
        ('let c = top of lane[1]\nnote "{c}"', ["RR0508"]),
        ('for c in lane[1]: if c is face up: note "{c}"', []),
        ('me chooses c from lane[1] where c.number > 1 as "x"', []),
        ('me chooses c from rack[next(me)] where c.number > 1 as "x"', ["RR0507"]),
        ('shuffle stock\nme chooses c from stock where c is face up as "x"', ["RR0507"]),
        ("flip top of table face down", ["RR0519"]),
        ("flip random of hand[me] face up", ["RR0519"]),
        ("flip 3 face up", ["RR0403"]),
        ("flip lane face up", ["RR0404"]),
        ("if lane[1] is face up: total = 1", ["RR0403"]),
        ("if me is face up: total = 1", ["RR0403"]),
        ("shuffle stock\nif top of stock is face up: total = 1", ["RR0502"]),
    ],
)
def test_what_is_refused(body: str, wanted: list[str]) -> None:
    turned_up = "flip top of lane[1] face up\n"
    assert codes(LAID + turned_up + body + "\n", zones=ZONES) == wanted


def test_where_cards_are_never_turned_up_faces_stay_hidden_from_choices() -> None:
    assert codes(LAID + 'me chooses c from lane[1] where c.number > 1 as "x"', zones=ZONES) == ["RR0507"]
    assert codes(LAID + 'me chooses c from lane[1] where c is face up and c.number > 1 as "x"', zones=ZONES) == []
    assert codes(LAID + 'flip rack[me] face up\nme chooses c from lane[1] where c.number > 1 as "x"', zones=ZONES) == [
        "RR0507"
    ]


def test_a_function_does_not_turn_cards_over() -> None:
    assert codes("total = worth(row)", functions="worth(Cards cs): |\n  flip cs face up\n  1") == ["RR0501"]


# --------------------------------------------------------------------- the house


def test_other_games_have_no_room_for_it() -> None:
    without = compiled(with_body(LAID, zones=ZONES), 3)
    assert without.face_up == -1
    assert not any(isinstance(op, Flip) for block in without.blocks for op in block.ops)
    speaking = compiled(with_body(LAID + 'note "{top of lane[1] is face up}"', zones=ZONES), 3)
    assert speaking.face_up == without.layout.frames
    assert speaking.layout.size == without.layout.size + 2


@pytest.mark.parametrize(
    ("open_", "aside", "problem"),
    [
        (1 << 7, 0, "card 7 lies face up, but has no place"),
        (1 << 4, 0, "card 4 lies face up in table, where that is not kept"),
        (1 << 0, 0, "card 0 lies face up, and not every seat knows it"),
        (1 << 3, 1 << 3, "something is left where it is worked out which cards lie face up"),
        (1 << 20, 0, "the cards that lie face up: its set names cards that do not exist"),
    ],
)
def test_a_saved_state_in_which_cards_lie_as_they_cannot_is_refused(open_: int, aside: int, problem: str) -> None:
    body = "shuffle stock\nmove bottom of lane[2] to table\nflip top of lane[1] face up\n"
    program = program_of(body + 'me chooses n from 1..2 as "{n}"')
    machine = Machine(program, telling=True)
    words = machine.start(1)
    assert machine.load(words) == words
    words[program.face_up : program.face_up + 2] = [open_, aside]
    with pytest.raises(ValueError, match=problem):
        machine.load(words)


def test_what_is_moved_is_turned_down_before() -> None:
    """Where no card can lie face up, nothing is done about it."""
    program = program_of("flip top of lane[1] face up\nmove bottom of lane[1] to table\nshuffle stock")
    text = show(program)
    assert f"v[{program.face_up}] the cards that lie face up" in text.splitlines()
    lines = [line.partition("  #")[0].strip() for line in text[text.index("flip ") :].splitlines()]
    open_, used = f"v[{program.face_up}]", lines[0].split()[1]
    assert lines[1:7] == [
        f"{open_} = ({open_} union {used})",
        f"clear {used} for 1",
        f"{open_} = ({open_} without {{head(lane[1])}})",
        "move head(lane[1]) -> table tail",
        "shuffle stock",
        "finish",
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", ["patience", "stud", "turned_trump"])
def test_games_with_open_cards_pass_the_suite(name: str) -> None:
    conforms(str(FOLDER / f"{name}.yaml"), games=1)


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"open_grid": "true"}])
def test_every_way_of_turning_passes_the_suite(options: dict[str, str]) -> None:
    conforms(str(FOLDER / "turning.yaml"), games=1, options=options, depth=40)


def test_a_card_turned_up_goes_on_open_until_it_is_drawn() -> None:
    """A trump under the deck: all see it lie there, and all see who draws it."""
    state = rulerun.load(FOLDER / "turned_trump.yaml", players=2).new(4)
    deck = state.view(0).zone("deck")
    assert [card.face_up for card in deck.cards] == [False] * 17 + [True]
    trump = deck.cards[-1].name
    while not state.is_over:
        index = next((i for i, option in enumerate(state.options) if option.label != "pass"), 0)
        state.choose(next((i for i, option in enumerate(state.options) if option.label == "pass"), index))
    drawn = [e for stretch in state.events() for e in stretch if isinstance(e, Moved)]
    deck_number = next(i for i, zone in enumerate(state.game.program.zones) if zone.name == "deck")
    last = [e for e in drawn if e.source == deck_number][-1]
    assert state.game.program.kind_names[last.kind] == trump
    assert last.seen == 0b11
