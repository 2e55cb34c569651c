"""A command line run in this process, with stdout and stderr apart; and a small game to run it on."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulerun.faces.cli import call

HIGH_CARD = """\
rulerun: 1
game: High Card
about: The higher card takes the trick.
players: 2..4
options:
  hand_size: {default: 2, range: 1..5, about: "cards dealt to each player"}
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..20}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
  hand: {kind: hand, per: player}
  table: {kind: row, seen_by: everyone, per: player}
  won: {kind: pile, seen_by: nobody, per: player}
state:
  leader: Player
rules:
  play: |
    shuffle deck
    for p in players:
      deal hand_size from deck to hand[p]
    leader = random of players
    repeat hand_size times:
      trick(leader)
  trick(Player first): |
    for p in players starting with first:
      p chooses card from hand[p] as "play {card}"
      move card to table[p]
    leader = best p in players by (top of table[p]).number
    for p in players:
      move all of table[p] to won[leader]
result:
  score(Player p): |
    count(won[p])
  winner: [highest score]
variants:
  long:
    about: five tricks
    options: {hand_size: 5}
"""

ENDLESS = """\
rulerun: 1
game: Endless
players: 2
cards:
  face: {number: int}
  name: "{number}"
  deck:
    - {each: {number: 1..3}}
zones:
  deck: {kind: pile, seen_by: nobody, start: deck}
state:
  turns: int
rules:
  play: |
    for p in players:
      p chooses n from 1..2 as "say {n}"
    repeat:
      turns = 1 - turns
      stop if turns > 1
result:
  score(Player p): |
    0
  winner: [highest score]
"""


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


class _Console(io.StringIO):
    """A captured stream that says of itself whether it is a terminal."""

    def __init__(self, text: str = "", terminal: bool = False) -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def rulerun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Outcome]:
    """Runs a command line in an empty folder that holds ``high.yaml`` and ``endless.yaml``."""
    (tmp_path / "high.yaml").write_text(HIGH_CARD)
    (tmp_path / "endless.yaml").write_text(ENDLESS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("RULERUN_DEBUG", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def run(*words: str, stdin: str = "", terminal: bool = False) -> Outcome:
        out, err = _Console(terminal=terminal), _Console(terminal=terminal)
        with monkeypatch.context() as patch:
            typed = _Console(stdin, terminal)
            typed.buffer = io.BytesIO(stdin.encode(errors="surrogatepass"))  # type: ignore[attr-defined]
            patch.setattr(sys, "stdin", typed)
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = call(list(words))
        return Outcome(code, out.getvalue(), err.getvalue())

    return run
