"""Rules and events that lead back to themselves (`nested`), and triggers that are run for each of something (`for`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from language_games import LAY_OUT, codes, compiled, findings, play, with_body

import rulerun
from rulerun.facts.faults import RulesFault
from rulerun.ir.printer import show
from rulerun.ir.verifier import verify
from rulerun.run.machine import Machine
from rulerun.run.restored import check_words

CHAINS = Path(__file__).parent / "chains.yaml"

# --------------------------------------------------------------------------- nested

DIG = """\
play: |
  let n = dig(3)
  note "{n}"
dig(int deep):
  nested: 4
  do: |
    if deep == 0: return 100
    let mine = deep * 10
    for c in top 2 of row:
      mine += c.number
    let below = dig(deep - 1)
    note "{deep}: {mine} {below}"
    return below + mine
"""


def rules(text: str) -> str:
    """The host with other rules; the row is laid out before they begin."""
    return with_body("stop", rules=text.replace("play: |\n", f"play: |\n  {LAY_OUT}", 1))


def test_every_depth_has_names_of_its_own_and_values_come_back() -> None:
    assert play("stop", rules=DIG.replace("play: |\n", f"play: |\n  {LAY_OUT}")).notes == [
        "1: 21 100", "2: 31 121", "3: 41 152", "193",
    ]  # fmt: skip


def test_what_lies_between_is_kept_too() -> None:
    between = """\
    play: |
      let n = up(2, 1)
      note "{n}"
    up(int n, int factor): |
      let mine = 7 * n + factor
      let got = down(n, factor)
      note "up {n}: {mine}"
      return got + mine
    down(int n, int factor):
      nested: 3
      do: |
        if n == 0: return 0
        let mine = n
        for p in players where n == 2:
          mine += 1
        let got = up(n - 1, factor * 10)
        return got * 2 + mine
    """
    # up 2 = 15 + down 2; down 2 = 2 * up 1 + 5; up 1 = 17 + down 1; down 1 = 2 * up 0 + 1; up 0 = 100
    assert play("stop", rules=between).notes == ["up 0: 100", "up 1: 17", "up 2: 15", "456"]


def test_the_type_of_what_is_returned_is_found_wherever_it_is_said_first() -> None:
    text = """\
    play: |
      let found = seek(2)
      note "{found is none}"
    seek(int n):
      nested: 3
      do: |
        if n > 0:
          let found = seek(n - 1)
          return found
        let none_yet: Card or none = none
        return none_yet
    """
    assert play("stop", rules=text).notes == ["yes"]


def test_a_rule_that_never_says_what_it_returns() -> None:
    text = "play: |\n  let n = f(1)\n  note \"{n}\"\nf(int n):\n  nested: 2\n  do: |\n    let m = f(n)\n    return m\n"
    assert codes("stop", rules=text) == ["RR0511"]


@pytest.mark.parametrize("deep", [3, 4])
def test_one_time_more_than_allowed_is_a_fault(deep: int) -> None:
    text = rules(DIG.replace("nested: 4", f"nested: {deep}"))
    if deep == 4:
        assert Machine(compiled(text, 2)).start(1)
        return
    with pytest.raises(RulesFault) as told:
        Machine(compiled(text, 2)).start(1)
    assert (told.value.code, told.value.message) == (
        "RR0617", "`dig` is in progress 3 times already, as often as its `nested: 3` allows",
    )  # fmt: skip
    assert told.value.origin is not None
    assert told.value.origin.text == "let below = dig(deep - 1)"


def test_events_answer_each_other_and_their_triggers_may_say_how_often() -> None:
    text = {
        "rules": "play: |\n  raise rung(3)\n  note \"{total}\"\n",
        "events": "rung(int n): |\n  total += n\n",
        "triggers": "again:\n  after: rung(n)\n  nested: 4\n  if: n > 0\n"
        '  do: |\n    raise rung(n - 1)\n    note "{n}"',
    }
    assert play("stop", **text).notes == ["1", "2", "3", "6"]
    shallow = {**text, "triggers": text["triggers"].replace("nested: 4", "nested: 2")}
    assert codes("stop", **shallow) == []
    with pytest.raises(RulesFault, match="RR0617"):
        play("stop", **shallow)
    without = {**text, "triggers": text["triggers"].replace("  nested: 4\n", "")}
    assert codes("stop", **without) == ["RR0503"]
    event = {**without, "events": "rung(int n):\n  nested: 4\n  do: |\n    total += n\n"}
    assert play("stop", **event).notes == ["1", "2", "3", "6"]


def test_the_own_text_of_an_event_may_raise_it_again() -> None:
    text = {
        "rules": "play: |\n  raise doubled(2)\n  note \"{total}\"\n",
        "events": "doubled(int n):\n  nested: 3\n  do: |\n    let mine = n\n    if n > 0: raise doubled(n - 1)\n"
        "    total = total * 10 + mine\n",
        "triggers": "twice:\n  instead of: doubled(n)\n  if: n == 1\n  do: |\n    as usual\n    as usual\n",
    }
    # the event of 1 runs its own text twice, and each time it raises the event of 0
    assert play("stop", **text).notes == ["1012"]


def test_only_a_cycle_past_all_who_say_nested_is_refused() -> None:
    rules_ = "play: a(1)\na(int n):\n  nested: 3\n  do: |\n    if n > 0: b(n)\nb(int n): |\n  a(n - 1)\n  {}\n"
    assert codes("stop", rules=rules_.format("total += 1")) == []
    assert codes("stop", rules=rules_.format("if total > 3: b(n)")) == ["RR0503"]


def test_play_begins_once_whatever_it_says() -> None:
    assert codes("stop", rules="play:\n  nested: 2\n  do: |\n    play()\n") == ["RR0510"]


@pytest.mark.parametrize(
    ("number", "code"), [("1", "RR0346"), ("65", "RR0346"), ("0", "RR0346"), ("some", "RR0310"), ("true", "RR0305")]
)
def test_a_number_that_cannot_be(number: str, code: str) -> None:
    assert codes("stop", rules=f"play: a()\na():\n  nested: {number}\n  do: a()\n") == [code]


def test_the_form_wants_both_its_words() -> None:
    for text in ("nested: 3", "do: total += 1", "nested: 3\n  do: total += 1\n  else: 1"):
        _, found = findings(with_body("stop", rules=f"play: a()\na():\n  {text}\n"), 2)
        assert [d.code for d in found] in (["RR0111"], ["RR0110"])


def test_the_program_says_so_and_keeps_its_promises() -> None:
    program = compiled(CHAINS.read_text(), 3)
    depth = {p.name: p.nested for p in program.procedures}
    assert depth == {"play": 1, "dig": 4, "sideways": 5, "played": 8}
    assert "nested 4, kept at v[" in show(program)
    shallow = tuple(replace(p, nested=1) if p.name == "sideways" else p for p in program.procedures)
    assert "program: procedure sideways leads back to itself, and keeps no frames" in verify(
        replace(program, procedures=shallow)
    )


# ------------------------------------------------------------------ in the middle of it


def in_the_middle(seed: int, steps: int) -> rulerun.State:
    """A position three calls deep."""
    state = rulerun.load(CHAINS, players=3).new(seed)
    for _ in range(steps):
        state.choose(0)
    return state


def kept(state: rulerun.State) -> dict[str, int]:
    return {p.name: state.vector[p.kept] for p in state.game.program.procedures if p.nested > 1}


def test_a_choice_three_calls_deep_is_undone_saved_and_restored() -> None:
    state = in_the_middle(2, 2)
    assert kept(state) == {"dig": 2, "sideways": 0, "played": 0}
    vector, records = list(state.vector), [state.record(seat) for seat in range(3)]
    random = Random(1)
    for _ in range(9):
        state.choose(random.randrange(len(state.options)))
    for _ in range(9):
        state.undo()
    assert list(state.vector) == vector
    again = state.game.restore(state.to_bytes())
    assert list(again.vector) == vector
    assert [again.record(seat) for seat in range(3)] == records
    assert [o.key for o in again.options] == [o.key for o in state.options]


def test_a_world_three_calls_deep_is_the_same_to_its_seat() -> None:
    state = in_the_middle(5, 2)
    seat = state.seat
    assert seat is not None
    seen = state.view(seat)
    hands = set()
    for number in range(6):
        world = state.resample(seat, number)
        assert kept(world) == kept(state)
        assert world.view(seat) == seen
        assert world.record(seat) == state.record(seat)
        hands.add(tuple(world.view(other).zone(f"hand of P{other + 1}") for other in range(3) if other != seat))
    assert len(hands) > 1


def test_an_option_is_named_the_same_at_every_depth() -> None:
    """Site and values, not how deep the rule is that asks."""
    state = in_the_middle(7, 0)
    sites = []
    for _ in range(4):
        sites.append({option.key.split(":")[0] for option in state.options[:-1]})
        state.choose(len(state.options) - 1)
    assert kept(state)["dig"] == 1
    assert sites == [{"s1"}, {"s1"}, {"s1"}, {"s2"}]


def test_a_vector_whose_kept_frames_make_no_sense_is_not_restored() -> None:
    state = in_the_middle(2, 2)
    machine = Machine(state.game.program)
    dig = next(p for p in state.game.program.procedures if p.name == "dig")
    sound = list(state.vector)[: state.game.program.layout.size]
    assert check_words(machine, sound) == sound
    first = dig.kept + 1
    place = dig.return_place - dig.frame
    for word, value, message in (
        (dig.kept, 4, "the frames kept of dig in the state make no sense"),
        (dig.kept, -1, "the frames kept of dig in the state make no sense"),
        (dig.kept, 1, "the frames kept of dig in the state make no sense"),
        (first + place, 3, "the state returns from dig to nowhere"),
        (first + dig.params[0] - dig.frame, 9, "`me` in the state is 9"),
        (dig.end - 1, 1, "the frames kept of dig in the state make no sense"),
    ):
        with pytest.raises(ValueError, match=message):
            check_words(machine, [value if i == word else old for i, old in enumerate(sound)])


# ------------------------------------------------------------------------------ for

EVENT = {
    "rules": f"play: |\n  {LAY_OUT}  raise rung(2, red)\n  note \"own {{total}}\"\n",
    "events": "rung(int n, Colour c): |\n  total += n\n  note \"rung {n}\"\n",
}


def with_trigger(text: str, **more: str) -> list[str]:
    return play("stop", triggers=text, **{**EVENT, **more}).notes


def test_before_and_after_are_run_for_each_in_turn() -> None:
    text = """\
    first:
      before: rung(n, c)
      for: x in row where x.number < 4
      if: x.number != n
      do: note "before {x}"
    last:
      after: rung(n, c)
      for: p in players
      do: note "after {p}"
    """
    assert with_trigger(text) == [
        "before red 1", "before red 3", "rung 2", "after P1", "after P2", "after P3", "own 2",
    ]  # fmt: skip


def test_the_condition_is_looked_at_when_its_turn_comes_and_the_elements_are_settled_before() -> None:
    text = """\
    fall:
      after: rung(n, c)
      for: x in row
      if: x in row and x.number % 2 == total % 2
      do: |
        note "{x}"
        total += 1
        move x to pile
        if row is not empty: move top of row to pile
    """
    # 6 goes with 2; 5 with 3; 4 is gone when its turn comes
    assert with_trigger(text) == ["rung 2", "red 2", "red 3", "red 4", "own 5"]


def test_instead_the_first_takes_over_for_which_it_holds() -> None:
    text = """\
    a card takes it:
      instead of: rung(n, c)
      for: x in row
      if: x.number > n
      do: |
        let seen = 0
        for y in row:
          seen += 1
          if y == x:
            note "{x} after {seen}"
            return
    another:
      instead of: rung(n, c)
      do: note "never"
    behind it:
      after: rung(n, c)
      for: y in 4..n
      do: note "never"
    """
    assert with_trigger(text) == ["red 3 after 3", "own 0"]
    nobody = text.replace("x.number > n", "x.number > 9")
    assert with_trigger(nobody) == ["never", "own 0"]


def test_as_usual_runs_the_own_text_for_the_one_that_took_over() -> None:
    text = """\
    twice:
      instead of: rung(n, c)
      for: k in 3..1 by -1
      if: k <= n
      do: |
        n = k * 10
        as usual
        as usual
    """
    assert with_trigger(text) == ["rung 20", "rung 20", "own 40"]


def test_return_leaves_the_text_for_one_and_skip_goes_on_with_the_next() -> None:
    text = """\
    odd:
      after: rung(n, c)
      for: x in row
      do: |
        skip to next if x.number == 1
        for y in row:
          if y.number == x.number: return
          if y.number > x.number - 2: note "{x}"
    """
    # of each but the first: the one before it is noted; a loop that is left begins anew for the next card
    assert with_trigger(text) == ["rung 2", "red 2", "red 3", "red 4", "red 5", "red 6", "own 2"]


def test_several_in_a_line_are_loops_in_one_another() -> None:
    text = """\
    all:
      before: rung(n, c)
      for: p in players after (first q in players where true) for x in row where x.number <= n
      do: note "{p} {x}"
    """
    assert with_trigger(text)[:4] == ["P2 red 1", "P2 red 2", "P3 red 1", "P3 red 2"]


def test_who_leaves_meanwhile_has_no_turn_any_more() -> None:
    text = "out:\n  after: rung(n, c)\n  for: p in players\n  do: |\n    note \"{p}\"\n    next(p) leaves\n"
    assert with_trigger(text) == ["rung 2", "P1", "P3", "own 2"]


@pytest.mark.parametrize(
    ("loop", "code"),
    [
        ("x in raw", "RR0401"),
        ("n in row", "RR0402"),
        ("x in total", "RR0403"),
        ("x in row where x.size > 1", "RR0405"),
        ("x", "RR0220"),
        ("x in", "RR0220"),
        ("players", "RR0220"),
        ("5", "RR0220"),
    ],
)
def test_what_cannot_be_run_for(loop: str, code: str) -> None:
    trigger = f"t:\n  after: rung(n, c)\n  for: {loop}\n  do: total += 1\n"
    assert codes("stop", triggers=trigger, **EVENT) == [code]


def test_a_fault_in_what_it_is_run_for_is_told_once_and_the_text_is_still_looked_at() -> None:
    trigger = "t:\n  after: rung(n, c)\n  for: x in raw\n  if: x.number > 1\n"
    trigger += "  do: |\n    total = x.number\n    totel = 1\n"
    assert codes("stop", triggers=trigger, **EVENT) == ["RR0401", "RR0401"]


def test_a_variant_puts_its_own_in_and_ahead_and_takes_one_away(tmp_path: Path) -> None:
    text = with_body("stop", triggers="base:\n  after: rung(n, c)\n  for: x in row where x.number < 3\n  do: |\n"
                     "    note \"base {x}\"\n", **EVENT)  # fmt: skip
    text += """\
variants:
  ahead:
    triggers:
      early:
        after: rung(n, c)
        for: p in players
        ahead of: base
        do: |
          note "early {p}"
  without:
    triggers:
      base: null
"""
    file = tmp_path / "variants.yaml"
    file.write_text(text)
    notes = []
    for variants in ((), ("ahead",), ("ahead", "without")):
        game = rulerun.load(file, players=2, variants=variants)
        told = [line for passage in game.new(1).passages() for line in passage.sentences]
        notes.append([line.removesuffix(".") for line in told if line.startswith(("Early", "Base"))])
    assert notes == [
        ["Base red 1", "Base red 2"],
        ["Early P1", "Early P2", "Base red 1", "Base red 2"],
        ["Early P1", "Early P2"],
    ]
