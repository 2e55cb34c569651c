"""Games of bidding, trumps and partners against OpenSpiel's, decision by decision."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pyspiel
import pytest
from lockstep import RANKS, SUITS, Adapter, load

import rulerun

LETTERS = dict(zip("23456789TJQKA", RANKS, strict=True)) | dict(zip("CDHS", SUITS, strict=True))
SHORT = {word: letter for letter, word in LETTERS.items()}


def long_name(short: str) -> str:
    """``ten of diamonds`` for ``DT``."""
    return f"{LETTERS[short[1]]} of {LETTERS[short[0]]}"


def short_name(name: str) -> str:
    """``DT`` for ``ten of diamonds``."""
    rank, suit = name.split(" of ")
    return SHORT[suit] + SHORT[rank]


@cache
def beside(name: str, players: int) -> rulerun.Game:
    """One of the overlays beside this file, compiled once."""
    return rulerun.load(Path(__file__).parent / name, players=players)


class Tricks(Adapter):
    """Cards are told by two letters in both directions; a label is a verb and what it is done with."""

    def theirs_for(self, text: str) -> int:
        """OpenSpiel's offered action with this text."""
        seat = self.theirs.current_player()
        for action in self.theirs.legal_actions():
            if self.theirs.action_to_string(seat, action) == text:
                return action
        raise AssertionError(f"OpenSpiel does not offer {text}:\n{self.theirs}")

    def action(self, label):
        return (self.theirs_for(short_name(" ".join(label.split()[-3:]))),)


class Spades(Tricks):
    """A single deal; the first bidder is the first seat, so the last one has dealt."""

    def __init__(self) -> None:
        self.game = beside("spades_of_openspiel.yaml", 4)
        self.theirs = pyspiel.load_game("spades").new_initial_state()
        self.dealt = []

    def chance(self, action):
        self.dealt.append(self.theirs.action_to_string(0, action))
        if len(self.dealt) == 52:
            yield "3"
            for seat in range(4):
                yield from (long_name(card) for card in self.dealt[seat::4])

    def action(self, label):
        if label.startswith("bid"):
            return (self.theirs_for("Nil" if label == "bid 0" else label.removeprefix("bid ")),)
        return super().action(label)


def test_spades(run):
    assert run(Spades) == 56


class Euchre(Tricks):
    """A single deal. OpenSpiel asks for going alone after the discard, and the dealer keeps the card ordered up."""

    def __init__(self) -> None:
        self.game = load("euchre", 4, target=1, alone_later=True, keep_upcard=True)
        self.theirs = pyspiel.load_game("euchre").new_initial_state()
        self.dealt = []

    def chance(self, action):
        if not self.dealt:
            self.dealer = action
            self.dealt.append("")
            yield str(action)
            return
        self.dealt.append(self.theirs.action_to_string(0, action))
        if len(self.dealt) == 22:
            cards = self.dealt[1:]
            for place in (1, 2, 3, 0):  # the dealer is dealt the first card there, and the last hand here
                yield from (long_name(card) for card in cards[place:20:4])
            yield long_name(cards[20])

    def action(self, label):
        offered = [self.theirs.action_to_string(0, action) for action in self.theirs.legal_actions()]
        if "Alone" in offered:
            others = [text for text in offered if text != "Alone"]
            return (self.theirs_for("Alone" if label == "play alone" else others[0]),)
        if label == "pass":
            return (self.theirs_for("Pass"),)
        if label.startswith(("order up", "call")):
            return (self.theirs_for(label.split()[-1].capitalize()),)
        return super().action(label)

    def returns(self, result):
        return [float(result.scores[seat] - result.scores[(seat + 1) % 4]) for seat in range(4)]


def test_euchre(run):
    assert 16 < run(Euchre) < 24


class Skat(Tricks):
    """The first seat is forehand, so the third has dealt. Tops, prices and announcements are not in OpenSpiel."""

    def __init__(self) -> None:
        self.game = beside("skat_of_openspiel.yaml", 3)
        self.theirs = pyspiel.load_game("skat").new_initial_state()
        self.dealt = []

    def chance(self, action):
        self.dealt.append(self.theirs.action_to_string(0, action))
        if len(self.dealt) == 32:
            yield "2"
            d = self.dealt
            for packets in (d[0:3] + d[11:15] + d[23:26], d[3:6] + d[15:19] + d[26:29], d[6:9] + d[19:23] + d[29:32]):
                yield from map(long_name, packets)
            yield from map(long_name, d[9:11])

    def action(self, label):
        if label == "pass":
            return (self.theirs_for("unknown/pass"),)
        if " of " not in label:
            return (self.theirs_for(label.removeprefix("play ")),)
        return super().action(label)

    def returns(self, result):
        return [score / 240 for score in result.scores]


def test_skat(run):
    assert 20 < run(Skat) < 35


@pytest.mark.parametrize("short", ["C2", "DT", "SA"])
def test_names_there_and_back(short):
    assert short_name(long_name(short)) == short
