"""`as usual` in a rule, function, event or score that a variant replaces: what it replaces is run, or is the value."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_games import HOST, LAY_OUT, compiled, findings, play_text, with_body

import rulerun
from rulerun.check import check_ruleset
from rulerun.document import read
from rulerun.document.model import Ruleset
from rulerun.facts.faults import RulesFault
from rulerun.ir.printer import show
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder
from rulerun.source.text import Source

SECTIONS = {
    "functions": "worth(int n): n * 2\n",
    "rules": 'play: |\n  turn(first p in players where true, 3)\n  note "{total}"\n'
    'turn(Player me, int n): |\n  note "turn {me} {n}"\n'
    "draw(int n): |\n  total += n\n  return n + 1\n",
    "events": 'taken(Player p, int n): |\n  note "taken {n}"\n',
}


def text(variants: str, base: dict[str, str] | None = None) -> str:
    """The host with these sections, and variants behind."""
    indented = "".join(f"  {line}\n" if line else "\n" for line in variants.splitlines())
    return with_body("stop", HOST, **{**SECTIONS, **(base or {})}) + "variants:\n" + indented


def notes(variants: str, *with_: str, base: dict[str, str] | None = None) -> list[str]:
    return play_text(text(variants, base), variants=with_).notes


def codes(variants: str, *with_: str, base: dict[str, str] | None = None) -> list[str]:
    return [d.code for d in findings(text(variants, base), 3, with_)[1]]


SLOW = """\
slow:
  rules:
    turn(Player who, int k): |
      note "look"
      as usual
      note "after"
"""


def test_something_before_and_after_what_a_rule_does() -> None:
    assert notes(SLOW) == ["turn P1 3", "0"]
    assert notes(SLOW, "slow") == ["look", "turn P1 3", "after", "0"]


def test_it_gets_the_parameters_as_they_are_when_it_is_said() -> None:
    variant = SLOW.replace('note "look"', "as usual\n      k += 4\n      who = next(who)")
    assert notes(variant, "slow") == ["turn P1 3", "turn P2 7", "after", "0"]


def test_the_text_below_changes_its_own_parameters_only() -> None:
    base = {"rules": SECTIONS["rules"].replace('  note "turn {me} {n}"', "  n += 1\n  total = n")}
    variant = SLOW.replace('note "after"', 'note "{k} {total}"')
    assert notes(variant, "slow", base=base) == ["look", "3 4", "4"]


def test_return_in_the_text_below_leaves_that_text_only() -> None:
    base = {"rules": SECTIONS["rules"].replace('  note "turn', '  if n == 3: return\n  note "turn')}
    assert notes(SLOW, "slow", base=base) == ["look", "after", "0"]


def test_a_game_goes_on_behind_the_play_that_is_replaced() -> None:
    variant = 'slow:\n  rules:\n    play: |\n      note "first"\n      as usual\n      note "last"\n'
    assert notes(variant, "slow") == ["first", "turn P1 3", "0", "last"]
    leaving = {"rules": SECTIONS["rules"].replace('  note "{total}"', '  if total == 0: return\n  note "never"')}
    assert notes(variant, "slow", base=leaving) == ["first", "turn P1 3", "last"]


TURN = "  turn(first p in players where true, 3)"
DRAW = {"rules": SECTIONS["rules"].replace(TURN, "  let n = draw(5)\n  total *= n")}


def test_what_a_rule_returns_can_be_named_and_returned() -> None:
    variant = """\
slow:
  rules:
    draw(int many): |
      let got = as usual
      many = got * 10
      got = as usual
      if total > 100: return got
      return as usual
"""
    assert notes(variant, "slow", base=DRAW) == [str((5 + 60 + 60) * 61)]
    assert notes(variant, base=DRAW) == ["30"]


def test_in_a_function_it_is_a_value_like_any_other() -> None:
    base = {"rules": 'play: |\n  note "{worth(1)} {worth(5)}"\n'}
    variant = "slow:\n  functions:\n    worth(int m): |\n      if m > 2: return 100 - as usual * 3\n      as usual\n"
    assert notes(variant, "slow", base=base) == ["2 70"]
    short = "slow:\n  functions:\n    worth(int m): as usual + 1 if m > 2 and as usual < 20 else -as usual\n"
    assert notes(short, "slow", base=base) == ["-2 11"]


def test_the_score_and_whether_it_is_won() -> None:
    base = {"result": "score(Player p): points[p] + 1\nwinner: [highest score]\n"}
    variant = "slow:\n  result:\n    score(Player q): as usual * 10\n"
    assert play_text(text(variant, base), variants=("slow",)).scores == (10, 10, 10)
    base = {"result": "score: total + 1\nwon: total > 5\n", "functions": "won_by(int n): n\n"}
    variant = "slow:\n  result:\n    won: not as usual\n    score: as usual + as usual\n"
    assert play_text(text(variant, base)).winners == ()
    played = play_text(text(variant, base), variants=("slow",))
    assert (played.scores, played.winners) == ((2, 2, 2), (0, 1, 2))


RAISING = {"rules": 'play: |\n  raise taken(first p in players where true, 2)\n  note "{total}"\n'}
OWN = """\
slow:
  events:
    taken(Player q, int k): |
      k = k + 1
      as usual
      if k > 0: return
      note "never"
"""


def test_the_text_of_an_event() -> None:
    assert notes(OWN, "slow", base=RAISING) == ["taken 3", "0"]
    after = "late:\n  triggers:\n    late:\n      after: taken(p, n)\n      do: |\n        total += n\n"
    assert notes(OWN + after, "slow", "late", base=RAISING) == ["taken 3", "3"]


def test_a_trigger_instead_of_the_event_runs_the_text_that_the_variant_gave_it() -> None:
    trigger = "odd:\n  triggers:\n    odd:\n      instead of: taken(p, n)\n"
    trigger += '      do: |\n        note "odd {n}"\n        as usual\n'
    assert notes(OWN + trigger, "odd", base=RAISING) == ["odd 2", "taken 2", "0"]
    assert notes(OWN + trigger, "slow", "odd", base=RAISING) == ["odd 2", "taken 3", "0"]


# --------------------------------------------------------------------------- layers

LAYERS = (
    SLOW
    + """\
slower:
  after: slow
  rules:
    turn(Player them, int m): |
      note "slower {m}"
      as usual
cut:
  after: [slow, slower]
  rules:
    turn(Player me, int n): note "cut"
on top:
  after: [cut, slow, slower]
  rules:
    turn(Player me, int n): |
      as usual
      note "on top"
"""
)


def test_each_layer_runs_the_one_below() -> None:
    assert notes(LAYERS, "slower", "slow") == ["slower 3", "look", "turn P1 3", "after", "0"]
    assert notes(LAYERS, "slower") == ["slower 3", "turn P1 3", "0"]
    assert notes(LAYERS, "on top", "slow") == ["look", "turn P1 3", "after", "on top", "0"]


def test_a_layer_that_does_not_say_it_ends_the_chain() -> None:
    assert notes(LAYERS, "slow", "slower", "cut") == ["cut", "0"]
    assert notes(LAYERS, "slow", "slower", "cut", "on top") == ["cut", "on top", "0"]
    program = compiled(text(LAYERS), 3, ("slow", "slower", "cut", "on top"))
    names = [p.name for p in program.procedures]
    assert names == ["play", "turn", "turn (as usual)", "draw", "taken"]


def test_two_variants_that_say_the_same_change_it_once() -> None:
    twin = SLOW + SLOW.replace("slow:", "twin:", 1)
    assert notes(twin, "slow", "twin") == ["look", "turn P1 3", "after", "0"]
    above = twin.replace("twin:", "twin:\n  after: slow")
    assert notes(above, "twin", "slow") == ["look", "look", "turn P1 3", "after", "after", "0"]


def test_two_variants_still_clash() -> None:
    clashing = LAYERS.replace("slower:\n  after: slow\n", "slower:\n")
    assert codes(clashing, "slow", "slower") == ["RR0124"]


def test_what_was_taken_away_is_there_no_more() -> None:
    away = SLOW + "away:\n  after: slow\n  rules:\n    draw: null\n"
    back = "back:\n  after: away\n  rules:\n    draw(int n): |\n      let x = as usual\n      return x\n"
    assert codes(away + back, "away", "back") == ["RR0514"]
    assert codes(away + back, "back") == []


def extending(folder: Path, *texts: str) -> Ruleset | None:
    """A chain of files, each of which extends the one before."""
    (folder / "f0.yaml").write_text(text("none: {}\n"), encoding="utf-8")
    for number, more in enumerate(texts, 1):
        whole = f"rulerun: 1\nextends: f{number - 1}.yaml\n{more}"
        (folder / f"f{number}.yaml").write_text(whole, encoding="utf-8")
    found = Diagnostics()
    source = Source("top.yaml", (folder / f"f{len(texts)}.yaml").read_text(encoding="utf-8"))
    return read(source, folder=Folder(folder), found=found)


TWICE = 'rules:\n  turn(Player me, int n): |\n    note "once more"\n    as usual\n'


def test_a_file_upon_a_file_upon_a_file(tmp_path: Path) -> None:
    ruleset = extending(tmp_path, TWICE, TWICE)
    assert ruleset is not None
    turn = next(r for r in ruleset.rules if r.name.text == "turn")
    assert turn.replaced is not None
    assert turn.replaced.replaced is not None
    assert turn.replaced.replaced.replaced is None
    assert [d.body.span().source.name.rpartition("/")[2] for d in (turn, turn.replaced, turn.replaced.replaced)] == [
        "top.yaml",
        "f1.yaml",
        "f0.yaml",
    ]
    game = rulerun.load(tmp_path / "f2.yaml", players=2)
    assert game.new(1).story()[:3] == ["Once more.", "Once more.", "Turn P1 3."]


def test_a_fault_in_the_text_below_is_told_in_its_file(tmp_path: Path) -> None:
    rules = "play: turn(first p in players where true)\nturn(Player me): |\n  total = 8 // total\n"
    (tmp_path / "base.yaml").write_text(text("none: {}\n", {"rules": rules}), encoding="utf-8")
    (tmp_path / "top.yaml").write_text(
        "rulerun: 1\nextends: base.yaml\nrules:\n  turn(Player p): |\n    total = 0\n    as usual\n", encoding="utf-8"
    )
    with pytest.raises(RulesFault) as caught:
        rulerun.load(tmp_path / "top.yaml", players=2).new(1)
    assert caught.value.origin is not None
    assert Path(caught.value.origin.file).name == "base.yaml"


# --------------------------------------------------------------------------- what goes along


DIG = """\
play: |
  dig(2)
  note "{total}"
dig(int n):
  nested: 3
  do: |
    total = total * 10 + n
    if n > 0: dig(n - 1)
    total = total * 10 + n
"""
DEEP = """\
deep:
  rules:
    dig(int m): |
      note "dig {m}"
      as usual
      note "up {m}"
"""


def test_a_rule_that_leads_back_to_itself_keeps_its_depth() -> None:
    base = {"rules": DIG}
    assert notes(DEEP, "deep", base=base) == ["dig 2", "dig 1", "dig 0", "up 0", "up 1", "up 2", "210012"]
    with pytest.raises(RulesFault, match="RR0617"):
        notes(DEEP, "deep", base={"rules": DIG.replace("nested: 3", "nested: 2")})
    circle = DEEP.replace('note "up {m}"', "if m > 0: dig(m - 1)")
    straight = DIG.replace("  nested: 3\n  do: |\n", "").replace("dig(int n):", "dig(int n): |")
    assert codes(circle, "deep", base={"rules": straight.replace("    if n > 0: dig(n - 1)\n", "")}) == ["RR0503"]
    assert codes(DEEP, "deep", base={"rules": straight}) == ["RR0503"]


def test_a_choice_in_the_text_below() -> None:
    base = {
        "rules": "play: |\n"
        + "".join(f"  {line}\n" for line in LAY_OUT.splitlines())
        + "  turn(first p in players where true)\n"
        'turn(Player me): |\n  me chooses c from row where c.number < 3 as "take {c}"\n  move c to hand[me]\n'
    }
    variant = (
        'slow:\n  rules:\n    turn(Player who): |\n      as usual\n      as usual\n      note "{count(hand[who])}"\n'
    )
    played = play_text(text(variant, base), variants=("slow",), choices=("take red 2", "take red 1"))
    assert played.notes == ["2"]
    assert played.offered == [["take red 1", "take red 2"], ["take red 1"]]


def test_the_program_says_what_is_run() -> None:
    printed = show(compiled(text(SLOW), 3, ("slow",)))
    assert "rule p2 turn (as usual)(" in printed
    assert "call p2 turn (as usual)(" in printed
    assert "(as usual)" not in show(compiled(text(SLOW), 3))


def unused(variants: str, *with_: str, base: dict[str, str]) -> list[str]:
    found = Diagnostics()
    ruleset = read(Source("ruleset.yaml", text(variants, base)), folder=Folder(None), variants=with_, found=found)
    assert ruleset is not None
    check_ruleset(ruleset, found)
    return [d.message for d in found if d.code == "RR0341"]


def test_what_only_the_text_below_uses_is_used() -> None:
    base = {
        "functions": "none_here(): 0\n",
        "events": 'over: note "over"\n',
        "rules": "play: |\n  turn()\n  raise over()\nturn: helper()\nhelper: total += none_here()\n",
    }
    variant = "slow:\n  rules:\n    turn: |\n      {}\n"
    assert "the rule `helper` is never used" not in unused(variant.format("as usual"), "slow", base=base)
    assert "the rule `helper` is never used" in unused(variant.format("total = 1"), "slow", base=base)
    assert not [m for m in unused(variant.format("as usual"), "slow", base=base) if "usual" in m]


# --------------------------------------------------------------------------- where it cannot be


@pytest.mark.parametrize(
    ("variant", "code"),
    [
        ("rules:\n    turn(Player me): as usual\n", "RR0521"),
        ("rules:\n    turn(int n, Player me): as usual\n", "RR0521"),
        ("rules:\n    new(Player me): |\n      as usual\n", "RR0514"),
        ("rules:\n    turn(Player me, int n): let x = as usual\n", "RR0517"),
        ("rules:\n    draw(int n): |\n      return as usual + 1\n", "RR0518"),
        ("rules:\n    draw(int n): |\n      if as usual > 1: return 2\n      return 1\n", "RR0518"),
        ("events:\n    taken(Player p, int n): let x = as usual\n", "RR0517"),
        ("functions:\n    worth(int n): |\n      as usual\n      n\n", "RR0413"),
        ("functions:\n    worth(Player n): as usual\n", "RR0521"),
        ("functions:\n    worth(int n): as usual in players\n", "RR0411"),
    ],
)
def test_faults_are_told_once(variant: str, code: str) -> None:
    assert codes(f"slow:\n  {variant}", "slow") == [code]


def test_what_may_be_none_below_may_be_given_what_is_there() -> None:
    base = {"functions": "worth(Player or none p): 0 if p is none else 1\n", "rules": 'play: note "{worth(none)}"\n'}
    variant = "slow:\n  functions:\n    worth(Player or none q): as usual + as usual\n"
    assert notes(variant, "slow", base=base) == ["0"]
    narrow = {**base, "rules": 'play: note "{worth(first p in players where true)}"\n'}
    assert notes(variant.replace("Player or none q", "Player q"), "slow", base=narrow) == ["2"]


def test_as_and_usual_stay_names() -> None:
    base = {"rules": 'play: |\n  let usual = 2\n  note "{usual + usual}"\n'}
    assert notes("none: {}\n", base=base) == ["4"]
