"""A game with people at the keyboard: whose turn it is, what happened meanwhile, numbered options, taking back, saving.

All that a person reads comes from the view, the options and the story of that person's seat. With several people the
screen is cleared before it is handed on.
"""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from rulerun.faces.board import board
from rulerun.faces.colour import Paint, is_terminal, wants_colour
from rulerun.faces.loading import again
from rulerun.faces.result import header, score_table, winners_line
from rulerun.faces.saving import autosave_path, write_log
from rulerun.play.bots import RandomBot
from rulerun.play.takeback import may_take_back
from rulerun.run.faults import RulesFault
from rulerun.run.rng import derive
from rulerun.source.diagnostic import UsageError

if TYPE_CHECKING:
    from rulerun.game import Game, State

HELP = """\
  a number       take that option (its text works too)
  view           show the table again
  story          what has happened so far, as your seat was told it
  undo           take your last choice back, while nothing has come of it
  save FILE      save the game; 'rulerun play --resume FILE' goes on
  quit           leave; the game is kept
  ?              this help"""

CLEAR = "\x1b[2J\x1b[3J\x1b[H"


class _QuitError(Exception):
    """The person leaves the table."""


class Session:
    """One sitting. `play` runs it and gives the exit code."""

    def __init__(
        self, game: Game, state: State, seed: int, people: list[int], log_file: str | None, *, resumed: bool
    ) -> None:
        self.game = game
        self.state = state
        self.seed = seed
        self.people = people
        self.paint = Paint(wants_colour(sys.stdout))
        self.on_terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        self.told = dict.fromkeys(people, -1)
        """Per person: how many choices of the game were told; -1 if not even its beginning was."""
        self.looking = people[0] if len(people) == 1 else -1
        """Who sits before the screen."""
        self.shown: list[str] = []
        """The table as it was last shown."""
        self.keeps_log = log_file is not None
        kept = autosave_path(game, seed)
        self.kept_at = log_file if log_file is not None else (str(kept) if kept is not None else None)
        if resumed:
            click.echo(self.paint.faint(f"resumed after {len(state)} choices"))

    # ---------------------------------------------------------------- the game

    def play(self) -> int:
        """Play to the end, or until the person leaves (0), or interrupts (130), or the rules break down (1)."""
        click.echo(self.paint.strong(header(self.game)))
        seats = ", ".join(f"P{seat + 1}" for seat in self.people)
        click.echo(self.paint.faint(f"you are {seats}; seed {self.seed}; '?' for help"))
        try:
            while not self.state.is_over:
                seat = self.state.seat
                assert seat is not None
                if seat in self.told:
                    self.turn(seat)
                    self.keep()
                else:
                    bot = RandomBot(derive(self.seed, len(self.state)))  # the same after a resumption
                    self.state.choose(bot.choose(self.state.view(seat), self.state.options))
            self.finish()
            return 0
        except (_QuitError, EOFError):
            self.leave()
            return 0
        except KeyboardInterrupt:
            self.leave()
            return 130
        except RulesFault as fault:
            from rulerun.faces.faults import fault_text

            self.keep()
            click.echo(fault_text(fault), err=True)
            return 1

    def finish(self) -> None:
        if len(self.people) == 1:
            self.tell_news(self.people[0])
        click.echo()
        for line in score_table(self.state, self.paint):
            click.echo(line)
        click.echo(self.paint.strong(winners_line(self.state)))
        click.echo(self.paint.faint(f"seed {self.seed}; bots alone: {again('run', self.game, self.seed)}"))
        if self.keeps_log:
            self.keep()
        else:
            self.forget()

    def leave(self) -> None:
        click.echo()
        click.echo(f"seed {self.seed}")
        if self.keep():
            click.echo(f"the game is kept; to go on: rulerun play --resume {self.kept_at}{self.seat_words()}")

    def seat_words(self) -> str:
        if self.people == [0]:
            return ""
        return "".join(f" --seat {seat + 1}" for seat in self.people)

    # ------------------------------------------------------------------ a turn

    def turn(self, seat: int) -> None:
        """Show what happened and ask until a choice is made (or taken back)."""
        self.hand_over(seat)
        self.tell_news(seat)
        self.show(seat)
        while True:
            words = self.ask(seat)
            if self.obey(seat, words):
                return

    def hand_over(self, seat: int) -> None:
        """With several people at one screen: hide what the last one saw, and wait for the next."""
        if self.looking == seat:
            return
        self.shown = []
        if self.on_terminal:
            click.echo(CLEAR, nl=False)
            click.echo(self.paint.strong(f"P{seat + 1} is asked."))
            sys.stdout.write("Nobody else looking? Press Enter ")
            sys.stdout.flush()
            if not sys.stdin.readline():
                raise EOFError
            click.echo(CLEAR, nl=False)
        else:
            click.echo(f"\n=== P{seat + 1} ===")
        self.looking = seat

    def tell_news(self, seat: int) -> None:
        """What happened since this seat's last choice."""
        if len(self.state) > self.told[seat]:
            sentences = self.state.story(seat, since=self.told[seat] + 1)
            if sentences:
                click.echo()
            for sentence in sentences:
                click.echo(f"  {sentence}")
        self.told[seat] = len(self.state)

    def show(self, seat: int, *, always: bool = False) -> None:
        width = min(shutil.get_terminal_size((100, 24)).columns, 120)
        lines = board(self.state.view(seat), self.paint, width)
        if always or lines != self.shown:  # between two choices of one turn the table is often as it was
            click.echo()
            for line in lines:
                click.echo(line)
        self.shown = lines
        self.show_options(seat)

    def show_options(self, seat: int) -> None:
        labels = [option.label for option in self.state.options]
        click.echo()
        click.echo(self.paint.strong(f"P{seat + 1}, choose:"))
        width = len(str(len(labels)))
        for number, label in enumerate(labels, 1):
            click.echo(f"  {self.paint.name(f'{number:>{width}}')}  {label}")

    def ask(self, seat: int) -> str:
        last = len(self.state.options)
        prompt = f"P{seat + 1} [{'1' if last == 1 else f'1-{last}'}, ?] "
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not self.on_terminal:
            click.echo(line.strip())
        return " ".join(line.split())

    def obey(self, seat: int, words: str) -> bool:
        """Do what was said; whether the choice is made (or another is to be made)."""
        command, _, rest = words.partition(" ")
        match command.casefold():
            case "":
                self.show_options(seat)
            case "?" | "help" | "h":
                click.echo(HELP)
            case "view" | "v" if not rest:
                self.show(seat, always=True)
            case "story" if not rest:
                for sentence in self.state.story(seat):
                    click.echo(f"  {sentence}")
            case "quit" | "q" | "exit" if not rest:
                raise _QuitError
            case "save":
                self.save(rest)
            case "undo" | "u" if not rest:
                return self.take_back(seat)
            case _:
                return self.take(seat, words)
        return False

    def take(self, seat: int, words: str) -> bool:
        index = self.option_of(words)
        if index is None:
            return False
        self.state.choose(index)
        self.told[seat] = len(self.state) - 1
        return True

    def option_of(self, words: str) -> int | None:
        """The option that was named by number or by text; else says what can be said."""
        options = self.state.options
        if words.isdecimal() and len(words) < 6:
            if 1 <= int(words) <= len(options):
                return int(words) - 1
            click.echo(f"there is no option {words}: choose 1 to {len(options)}")
            return None
        labels = [option.label.casefold() for option in options]
        if words.casefold() in labels:
            return labels.index(words.casefold())
        from rulerun.source.spell import nearest

        near = nearest(words, [*labels, "undo", "save", "view", "story", "quit", "help"])
        click.echo(
            f"'{words}' is no option" + (f"; did you mean '{near}'?" if near else f": choose 1 to {len(options)}, or ?")
        )
        return None

    def take_back(self, seat: int) -> bool:
        if not may_take_back(self.state, seat):
            click.echo("nothing can be taken back: more is known now, or others have acted, than when you chose last")
            return False
        self.state.undo()
        self.told[seat] = min(self.told[seat], len(self.state))
        click.echo("taken back")
        return True

    # ------------------------------------------------------------------ saving

    def save(self, path: str) -> None:
        if not path:
            click.echo("save where? as in: save evening.jsonl")
            return
        try:
            write_log(self.state, path)
        except UsageError as error:
            click.echo(str(error))
            return
        click.echo(f"saved; to go on: rulerun play --resume {path}{self.seat_words()}")

    def keep(self) -> bool:
        """Keep the game where it can be resumed; whether that was possible. Says so once if not."""
        if self.kept_at is None:
            return False
        try:
            write_log(self.state, self.kept_at)
        except UsageError as error:
            click.echo(f"warning: the game is not kept: {error}", err=True)
            self.kept_at = None
            return False
        return True

    def forget(self) -> None:
        """The game is over: what was kept in case of a cut is of no use any more."""
        import contextlib
        import os

        if self.kept_at is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.kept_at)
