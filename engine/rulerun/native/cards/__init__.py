"""Cards in machine code: sets of them as words, the store of zones, and the operations that move them."""

from __future__ import annotations

from rulerun.native.cards import chance, moving, packets, sight
from rulerun.native.cards.store import CardStore
from rulerun.native.cards.words import WordSets

__all__ = ["CardStore", "WordSets", "chance", "moving", "packets", "sight"]
