"""What statements mean: bodies are compiled and played, and the state is looked at."""

from __future__ import annotations

from rule_texts import compiled, lowered, ruleset

from rulerun.ir.program import Program
from rulerun.run.machine import Machine


def value(program: Program, v: list[int], name: str, index: int = 0) -> int:
    variable = next(x for x in program.variables if x.name == name and x.unit < 0)
    return v[variable.offset + index]


class Table:
    """A game of `play` with this body, played with chosen options."""

    def __init__(self, body: str, functions: str = "", players: int = 2, seed: int = 1) -> None:
        self.program = lowered(body, functions, players)
        self.machine = Machine(self.program)
        self.v = self.machine.start(seed)

    def labels(self) -> list[str]:
        result = []
        for option in self.machine.options(self.v):
            parts = self.machine.label(self.v, option)
            result.append("".join(p if isinstance(p, str) else str(p[0]) for p in parts))
        return result

    def pick(self, index: int) -> None:
        self.machine.choose(self.v, index)

    def __getitem__(self, name: str) -> int:
        return value(self.program, self.v, name)

    def at(self, name: str, index: int) -> int:
        return value(self.program, self.v, name, index)

    @property
    def over(self) -> bool:
        return self.machine.is_over(self.v)

    @property
    def chooser(self) -> int:
        return self.machine.chooser(self.v)


def test_arithmetic_and_assignment() -> None:
    t = Table("round = 7 // 2 + -7 // 2 * 10 + 7 % 3\nround += 5\nround -= 1\nround *= 2")
    assert t["round"] == (3 + -4 * 10 + 1 + 5 - 1) * 2
    assert t.over


def test_if_elif_else() -> None:
    body = "for n in 1..3:\n  if n == 1:\n    round += 1\n  elif n == 2:\n    round += 10\n  else:\n    round += 100"
    assert Table(body)["round"] == 111


def test_for_where_stop_and_skip() -> None:
    assert (
        Table("for n in 1..10 where n % 2 == 0:\n  skip to next if n == 4\n  stop if n > 8\n  round += n")["round"]
        == 2 + 6 + 8
    )
    assert Table("for p in players:\n  skip to next if p == leader\n  total[p] = 5", players=3).at("total", 0) == 0
    t = Table("for p in players where p != leader:\n  total[p] = 5\n  stop if p == next(leader)", players=3)
    assert [t.at("total", i) for i in range(3)] == [0, 5, 0]


def test_a_loop_runs_over_a_snapshot() -> None:
    t = Table("deal 5 from stock to table\nfor c in table:\n  move c to heap\n  round += 1\nopen = table is empty")
    assert (t["round"], t["open"]) == (5, 1)


def test_repeat_counts_once() -> None:
    assert Table("let n = 3\nrepeat n times:\n  n += 1\n  round += 1")["round"] == 3
    assert Table("repeat 0 - 4 times:\n  round += 1")["round"] == 0
    assert (
        Table("repeat 9 times:\n  repeat 5 times:\n    stop if round % 4 == 3\n    round += 1\n  stop if round > 2")[
            "round"
        ]
        == 3
    )


def test_players_after_and_starting_with() -> None:
    body = "leader = next(leader)\nfor p in players {}:\n  round = round * 10 + total[p]"
    setup = "for p in players:\n  round += 1\n  total[p] = round\nround = 0\n"
    assert Table(setup + body.format("after leader"), players=4)["round"] == 341
    assert Table(setup + body.format("starting with leader"), players=4)["round"] == 2341
    assert Table(setup + body.format("before leader"), players=4)["round"] == 143


def test_rules_return_values() -> None:
    t = Table("round = ask(leader, 3)\nlet more = ask(next(leader), 2)\nround += more")
    assert t.labels() == ["0", "1", "2", "3"]
    t.pick(3)
    assert (t.chooser, t.labels()) == (1, ["0", "1", "2"])
    t.pick(2)
    assert (t["round"], t.over) == (5, True)


def test_return_leaves_all_loops() -> None:
    assert Table("repeat 3 times:\n  for p in players:\n    round += 1\n    return\nround = 100")["round"] == 1


def test_end_game_unwinds_calls() -> None:
    text = ruleset("for p in players:\n  deep(p)\n  round += 100").replace(
        "  helper: |", "  deep(Player p): |\n    round += 1\n    end game\n  helper: |"
    )
    program, found = compiled(text)
    assert found == []
    assert program is not None
    v = Machine(program).start(1)
    assert v[0] == 0
    assert value(program, v, "round") == 1
    assert not any(v[program.layout.frames : program.layout.zone_base])


def test_deal_falls_short_and_draws_differ() -> None:
    t = Table(
        "deal 100 from stock to table\nround = count(table)\ndeal 3 from stock to heap\nopen = heap is empty\n"
        "kept = all of table"
    )
    assert (t["round"], t["open"]) == (12, 1)
    assert t["kept"] == (1 << 12) - 1


def test_deal_of_a_negative_number() -> None:
    t = Table("deal count(table) - 3 from stock to heap\nround = count(heap)\ndeal 0 from stock to heap")
    assert t["round"] == 0


def test_move_all_keeps_the_order() -> None:
    body = (
        "deal 4 from stock to table\nlet t = top of table\nlet b = bottom of table\nmove all of table to heap\n"
        "open = top of heap == t and bottom of heap == b"
    )
    # a row's last place is its top; a packet from a row goes onto a pile first place first
    assert Table(body)["open"] == 1


def test_moves_to_ends_and_places() -> None:
    body = "deal 3 from stock to table\nlet c = top of stock\nmove c to {}\n"
    body += "for d in table:\n  round += 1\n  stop if d == c"
    assert Table(body.format("table"))["round"] == 4
    assert Table(body.format("bottom of table"))["round"] == 1
    assert Table(body.format("table at 2"))["round"] == 2
    assert Table(body.format("top of table"))["round"] == 4


def test_top_n_and_show() -> None:
    t = Table(
        "deal 2 from stock to heap\nlet c = top of heap\nmove top 1 of heap to table\nopen = c in table\n"
        "show top 3 of stock to leader\nmove top 2 of stock to table\nround = count(table)"
    )
    assert (t["open"], t["round"]) == (1, 3)


def test_draws_of_a_whole_shuffled_pile() -> None:
    t = Table("for c in stock:\n  round += c.number\nreveal all of stock\nmove all of stock to table")
    assert t["round"] == 3 * (1 + 2 + 3 + 4)


def test_swap_and_collect() -> None:
    t = Table(
        "deal 2 from stock to hand[leader]\ndeal 3 from stock to hand[next(leader)]\nswap hand[leader] with "
        "hand[next(leader)]\nround = count(hand[leader])\ncollect all of hand to heap\nopen = count(heap) == 5"
    )
    assert (t["round"], t["open"]) == (3, 1)


def test_a_menu_with_bindings_and_guards() -> None:
    body = """
    deal 2 from stock to table
    leader chooses:
      c from table as "take it":
        move c to hand[leader]
        round = 1
      "never" if round > 5:
        round = 2
      "pass on" if round == 0:
        round = 3
    """
    t = Table(body)
    assert t.labels() == ["take it", "take it", "pass on"]
    t.pick(2)
    assert (t["round"], t.over) == (3, True)
    t = Table(body)
    t.pick(0)
    assert t["round"] == 1


def test_otherwise_of_may_and_of_a_plain_choice() -> None:
    t = Table('leader may "do it":\n  round = 1\notherwise:\n  round = 2')
    assert len(t.labels()) == 2
    assert t.labels()[0] == "do it"
    t.pick(1)
    assert t["round"] == 2
    t = Table('leader chooses c from heap as "{c}":\n  round = 1\notherwise:\n  round = 2')
    assert (t["round"], t.over) == (2, True)


def test_a_set_is_chosen() -> None:
    t = Table(
        'deal 4 from stock to hand[leader]\nleader chooses 2 gone from hand[leader] as "throw"\n'
        "move gone to heap\nround = count(heap)"
    )
    assert len(t.labels()) == 6
    t.pick(0)
    assert (t["round"], t.over) == (2, True)
    t = Table('deal 3 from stock to table\nleader chooses some cs from table where count(cs) != 2 as "x"\nkept = cs')
    assert len(t.labels()) == 4


def test_two_binders() -> None:
    t = Table(
        'deal 2 from stock to table\nleader chooses c from table, i from 1..3 where i != 2 as "{i}":\n'
        "  move c to lane[leader, i]\n  round = i"
    )
    assert t.labels() == ["1", "3", "1", "3"]
    t.pick(3)
    assert t["round"] == 3


def test_an_unseen_card_is_picked_by_chance() -> None:
    t = Table(
        'deal 5 from stock to hand[next(leader)]\nleader chooses c from hand[next(leader)] as "steal"\n'
        "move c to hand[leader]\nround = count(hand[leader])"
    )
    assert len(t.labels()) == 1
    t.pick(0)
    assert (t["round"], t.over) == (1, True)


def test_a_place_of_a_shuffled_pile_is_drawn() -> None:
    t = Table(
        'leader chooses c from stock as "dig"\nround = count(stock)\nmove c to table\nlast = top of table\n'
        "open = last == c"
    )
    assert len(t.labels()) == 12
    t.pick(7)
    assert (t["round"], t["open"], t.over) == (12, 1, True)


def test_a_window_begins_again_after_a_reaction() -> None:
    body = """
    any player p in players starting with next(leader) may "react":
      total[p] += 1
    otherwise:
      round = 9
    """
    t = Table(body, players=3)
    asked = [t.chooser]
    t.pick(1)
    asked.append(t.chooser)
    t.pick(0)  # the second reacts: the round begins again
    asked.append(t.chooser)
    for _ in range(3):
        assert not t.over
        t.pick(1)
    assert asked == [1, 2, 1]
    assert (t["round"], t.at("total", 2), t.over) == (9, 1, True)


def test_stop_leaves_a_window_without_otherwise() -> None:
    t = Table('any player p may "react":\n  total[p] += 1\n  stop\notherwise:\n  round = 9\nopen = true')
    t.pick(0)
    assert (t.at("total", 0), t["round"], t["open"], t.over) == (1, 0, 1, True)


def test_a_window_at_random_asks_everybody() -> None:
    for seed in range(4):
        t = Table('any player p at random may "react":\n  total[p] += 1', players=3, seed=seed)
        asked = set()
        while not t.over:
            asked.add(t.chooser)
            t.pick(1)
        assert asked == {0, 1, 2}


def test_choices_at_once_are_carried_out_afterwards() -> None:
    body = """
    each player p at once chooses n from 1..3 as "bid {n}":
      total[p] = n + round
      round += 10
    """
    t = Table(body, players=3)
    assert t.labels() == ["bid 1", "bid 2", "bid 3"]
    t.pick(2)
    t.pick(0)
    assert [t.at("total", i) for i in range(3)] == [0, 0, 0]
    t.pick(1)
    assert [t.at("total", i) for i in range(3)] == [3, 11, 22]
    assert t.over


def test_at_once_menu_with_passes() -> None:
    body = """
    each player p at once may choose:
      n from 1..2 as "bid {n}":
        total[p] = n
      "fold":
        total[p] = 50
    otherwise:
      total[p] = 99
    """
    t = Table(body, players=3)
    t.pick(1)
    t.pick(2)
    t.pick(3)
    assert [t.at("total", i) for i in range(3)] == [2, 50, 99]


TRIGGERS = """\
triggers:
  first:
    before: taken(w, c)
    if: round < 5
    do: |
      round += 1
  second:
    before: taken(w, c)
    do: |
      round = round * 10
      if open:
        w = next(w)
  replaced:
    instead of: taken(w, c)
    if: mood == blue
    do: |
      round += 3
      as usual
      as usual
  never:
    instead of: taken(w, c)
    if: mood == blue
    do: |
      round = 9999
  last_one:
    after: taken(w, c)
    do: |
      total[w] += 1
      return
"""


def played(body: str, own: str = "round += 2\n    return") -> Table:
    text = ruleset(body).replace("result:\n", TRIGGERS + "result:\n").replace("move what to heap", own)
    program, found = compiled(text)
    assert [(d.code, d.message) for d in found] == []
    assert program is not None
    t = Table.__new__(Table)
    t.program, t.machine = program, Machine(program)
    t.v = t.machine.start(1)
    return t


def test_the_chain_of_an_event() -> None:
    t = played("deal 1 from stock to table\nraise taken(leader, top of table)")
    assert (t["round"], t.at("total", 0), t.at("total", 1)) == ((0 + 1) * 10 + 2, 1, 0)


def test_before_changes_a_parameter_for_the_rest() -> None:
    t = played("open = true\ndeal 1 from stock to table\nraise taken(leader, top of table)")
    assert (t.at("total", 0), t.at("total", 1)) == (0, 1)


def test_instead_of_and_as_usual() -> None:
    t = played("mood = blue\ndeal 1 from stock to table\nraise taken(leader, top of table)")
    assert t["round"] == 10 + 3 + 2 + 2


def test_functions_with_loops() -> None:
    functions = """
    sum_to(int n): |
      let s = 0
      for i in 1..n:
        skip to next if i % 2 == 0
        s += i
        stop if s > 20
      s
    first_rich(): |
      for p in players starting with next(leader):
        if total[p] > 3:
          return p
      return none
    reds(): |
      let found = 0
      for c in table where c.colour == red:
        found += 1
      found
    """
    body = "total[leader] = 4\nround = sum_to(10)\ncaller = first_rich()\n"
    body += "move all of stock to table\nround += 100 * reds()"
    t = Table(body, functions, players=3)
    assert t["round"] == 1 + 3 + 5 + 7 + 9 + 400
    assert t["caller"] == 0


def test_nested_folds() -> None:
    body = (
        "move all of stock to table\nround = sum(c.number for k in Colour for c in table where c.colour == k)\n"
        "total[leader] = count(c for n in 1..2 for c in table where c.number == n)\n"
        "open = max(c.number * n for n in 2..3 for c in table where c.number < n) == 6"
    )
    t = Table(body)
    assert (t["round"], t["total"], t["open"]) == (30, 6, 1)


def test_min_over_an_outer_element_without_inner_ones() -> None:
    body = "deal 1 from stock to hand[next(leader)]\nround = min(c.number + 5 for p in players for c in hand[p])"
    assert 6 <= Table(body)["round"] <= 9


def test_sets() -> None:
    body = (
        "move all of stock to table\nkept = (c for c in table where c.number == 1) union (c for c in table where "
        "c.number == 2)\nkept = kept without (c for c in table where c.colour == red)\nround = count(kept)\n"
        "open = same(c.number for c in kept) or distinct(c.colour for c in kept) != 2"
    )
    t = Table(body)
    assert (t["round"], t["open"]) == (4, 0)


def test_best_and_first() -> None:
    body = (
        "total[next(leader)] = 5\ncaller = best p in players by total[p]\n"
        "let f = first p in players where total[p] > 9 or else none\nopen = f is none"
    )
    t = Table(body, players=3)
    assert (t["caller"], t["open"]) == (1, 1)


def test_tables_and_constants() -> None:
    assert Table("round = points[green] * 10 + points[mood]")["round"] == 31
