"""A game with people at the keyboard: whose turn it is, what happened meanwhile, numbered options, taking back, saving.

All that a person reads comes from the view, the options and the story of that person's seat. With several people the
screen is cleared before it is handed on.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from rich.table import Table

from rulerun.faces.board import board
from rulerun.faces.gate import behind, is_terminal
from rulerun.faces.loading import again, program_name, shell_word
from rulerun.faces.result import header, score_table, winners_line
from rulerun.faces.saving import autosave_path, write_log
from rulerun.faces.screen import Screen
from rulerun.facts.faults import RulesFault
from rulerun.facts.rng import derive
from rulerun.play.bots import RandomBot
from rulerun.source.diagnostic import UsageError

if TYPE_CHECKING:
    from rulerun.game import Game, State

HELP = """\
  a number       take that option (its text works too; Enter takes the only one)
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
        self.screen = Screen()
        self.on_terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        self.told = dict.fromkeys(people, -1)
        """Per person: how many choices of the game were told; -1 if not even its beginning was."""
        self.looking = people[0] if len(people) == 1 else -1
        """Who sits before the screen."""
        self.asked_at = 0
        """How many choices had been made when that person was asked."""
        self.shown: list[str] = []
        """The table as it was last shown."""
        self.keeps_log = log_file is not None
        kept = autosave_path(game, seed)
        self.kept_at = log_file if log_file is not None else (str(kept) if kept is not None else None)
        if self.kept_at is None:
            why = "there is no folder for it (XDG_STATE_HOME may name one, or --log FILE the file)"
            click.echo(f"warning: the game is not kept: {why}", err=True)
        if resumed:
            self.screen.line(f"resumed after {len(state)} choices", "dim")

    # ---------------------------------------------------------------- the game

    def play(self) -> int:
        """Play to the end, or until the person leaves (0), or interrupts (130), or the rules break down (1)."""
        self.screen.line(header(self.game), "bold")
        seats = " and ".join(f"P{seat + 1}" for seat in self.people)
        self.screen.line(f"you are {seats}; seed {self.seed}; '?' for help", "dim")
        try:
            while not self.state.is_over:
                seat = self.state.seat
                assert seat is not None
                if seat in self.told:
                    self.turn(seat)
                    self.keep()
                else:
                    bot = RandomBot(derive(self.seed, len(self.state)))  # the same after a resumption
                    taken = bot.choose(self.state.view(seat), self.state.options)
                    self.state.choose(taken, seat=seat)
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
        self.screen.line()
        self.screen.put(score_table(self.state))
        self.screen.line(winners_line(self.state), "bold")
        self.screen.line(f"seed {self.seed}; to play it again: {self.command()}", "dim")
        if self.keeps_log:
            self.keep()
        else:
            self.forget()

    def leave(self) -> None:
        self.screen.line()
        if self.keep():
            self.screen.line(f"the game is kept; to go on: {self.resumption(self.kept_at or '')}")
        self.screen.line(f"seed {self.seed}; from the start: {self.command()}", "dim")

    def command(self) -> str:
        """The command line that begins the same game again."""
        return f"{again('play', self.game, self.seed)}{self.seat_words()}"

    def resumption(self, path: str) -> str:
        """The command line that goes on with a game that was saved at ``path``."""
        return f"{program_name()} play --resume {shell_word(path)}{self.seat_words()}"

    def seat_words(self) -> str:
        if self.people == [0]:
            return ""
        return "".join(f" --seat {seat + 1}" for seat in self.people)

    # ------------------------------------------------------------------ a turn

    def turn(self, seat: int) -> None:
        """Show what happened and ask until a choice is made (or taken back)."""
        self.hand_over(seat)
        self.tell_news(seat)
        self.asked_at = len(self.state)
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
            behind(sys.stdout).write(CLEAR)
            self.screen.line(f"P{seat + 1} is asked.", "bold")
            sys.stdout.write("Nobody else looking? Press Enter ")
            sys.stdout.flush()
            if not sys.stdin.readline():
                raise EOFError
            behind(sys.stdout).write(CLEAR)
        else:
            click.echo(f"\n=== P{seat + 1} ===")
        self.looking = seat

    def tell_news(self, seat: int) -> None:
        """What happened since this seat's last choice."""
        if len(self.state) > self.told[seat]:
            passages = self.state.passages(seat, since=self.told[seat] + 1)
            if self.state.is_over:
                passages = passages[:-1]  # the result follows as a table
            if passages:
                self.screen.line()
            self.screen.story(passages, "  ")
        self.told[seat] = len(self.state)

    def show(self, seat: int, *, always: bool = False) -> None:
        lines = self.screen.lines(board(self.state.view(seat), self.screen.width))
        if always or lines != self.shown:  # between two choices of one turn the table is often as it was
            self.screen.line()
            for line in lines:
                click.echo(line)
        self.shown = lines
        self.show_options(seat)

    def show_options(self, seat: int) -> None:
        labels = [option.label for option in self.state.options]
        self.screen.line()
        self.screen.line(f"P{seat + 1}, choose:", "bold")
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="cyan", width=len(str(len(labels))) + 2)
        table.add_column()
        for number, label in enumerate(labels, 1):
            table.add_row(str(number), label)
        self.screen.put(table)

    def ask(self, seat: int) -> str:
        last = len(self.state.options)
        prompt = f"P{seat + 1} [{'1 or Enter' if last == 1 else f'1-{last}'}, ?] "
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
            case "" if len(self.state.options) == 1:
                return self.take(seat, "1")
            case "":
                self.show_options(seat)
            case "?" | "help" | "h":
                click.echo(HELP)
            case "view" | "v" if not rest:
                self.show(seat, always=True)
            case "story" if not rest:
                self.screen.story(self.state.passages(seat), "  ")
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
        self.state.choose(index, seat=seat, at=self.asked_at)
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
        if not self.state.may_take_back(seat):
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
        click.echo(f"saved; to go on: {self.resumption(path)}")

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
