"""A bot for Ouch! that counts the cards it has seen, against players that choose at random: python examples/bot.py"""

import random
from collections import Counter

import rulerun

SIDES = ("left", "right", "top", "bottom")
GAME = rulerun.load("ouch", players=3)
DECK = Counter(GAME.cards)  # which cards there are, anybody may look up


class CountingBot:
    side = ""  # by which the card it has picked is to be turned over

    def choose(self, view: rulerun.View, labels: list[str]) -> int:
        """The number of the option to take, from what its seat sees and the options it has: nothing else."""
        if labels[0].startswith("turn it over"):
            return SIDES.index(self.side)
        if not labels[0].startswith("pick"):
            return labels.index(min(labels))  # give up the smallest card; "pass" and never "take another turn"
        unseen = DECK - Counter(card.name for zone in view.zones for card in zone.cards if card.face)
        found = [(name[0], name.split("needles ")[1]) for name in unseen.elements()]

        def gain(label: str, side: str) -> float:  # flowers to expect from picking that card by that side
            needles = [sides for flowers, sides in found if f"({flowers}-flower" in label]
            return int(label.split("(")[1][0]) * sum(side not in sides for sides in needles) / len(needles)

        _, self.side, label = max((gain(label, side), side, label) for label in labels for side in SIDES)
        return labels.index(label)


bot, wins = CountingBot(), [0.0] * GAME.players
for seed in range(200):
    state, chance = GAME.new(seed), random.Random(seed)
    while not state.is_over:
        labels = [option.label for option in state.options]
        state.choose(bot.choose(state.view(0), labels) if state.seat == 0 else chance.randrange(len(labels)))
    wins = [won + (seat in state.winners) / len(state.winners) for seat, won in enumerate(wins)]
print("\n".join(f"P{seat + 1} {'random' if seat else 'counting':9}{won:6.1f} of 200" for seat, won in enumerate(wins)))
