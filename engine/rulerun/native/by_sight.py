"""Cards as elements of a choice in the order of what its chooser sees of them, in machine code; see
`ir.endings.Binder.by_sight` and `run.sight`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulerun.ir import nodes as ir
from rulerun.ir.program import CHOOSER
from rulerun.native.counting import UNMETERED, Rate
from rulerun.native.domains import Item, bind, each, single
from rulerun.native.expressions import Emitter
from rulerun.native.text import Writer

Words = list[str]


class Sighted:
    """Cards by their names, in an array of ``name * cards + card``. To whoever goes through a set of them it is an
    order of cards, as `WordSets` is the one by number."""

    def __init__(self, e: Emitter) -> None:
        self.e = e
        self.cards = e.cards.cards
        w = e.w
        self.held = w.slot(words=self.cards + 1)
        self.length = w.slot("0")
        up = e.program.face_up
        self.face_up = [] if up < 0 else [e.read(up + i) for i in range(e.cards.width)]
        self.seat = e.read(CHOOSER)

    def put(self, card: str) -> None:
        """One more card, at its place."""
        w, cards = self.e.w, self.e.cards
        up = w.number(cards.contains(w, self.face_up, card)) if self.face_up else "0"
        name = cards.call(w, "sight", [self.seat, card, up])[0]
        entry = w.add(w.mul(name, str(self.cards)), card)
        at = w.slot(w.get(self.length))
        w.put(self.length, w.add(w.get(at), "1"))
        with w.loop() as loop:
            here = w.get(at)
            loop.leave_if(w.compare("eq", here, "0"))
            before = w.load(self.held, w.sub(here, "1"))
            loop.leave_if(w.compare("slt", before, entry))
            w.store(self.held, here, before)
            w.put(at, w.sub(here, "1"))
        w.store(self.held, w.get(at), entry)

    def put_all(self, words: Words) -> None:
        """All cards of a set."""
        self.e.cards.each_card(self.e.w, words, self.put)

    def each(self, body: Callable[[str, str, str], None]) -> None:
        """A loop over the cards, in order, with their names and whether a card is the first of its name."""
        w = self.e.w
        before = w.slot("-1")
        with w.counting("0", w.get(self.length)) as at:
            entry = w.load(self.held, at)
            name = w.op(f"udiv i64 {entry}, {self.cards}")
            first = w.compare("ne", name, w.get(before))
            w.put(before, name)
            body(w.sub(entry, w.mul(name, str(self.cards))), name, first)

    def each_card(self, w: Writer, words: Sequence[str], body: Callable[[str], None]) -> None:
        """A loop over a part of them."""

        def one(card: str, _name: str, _first: str) -> None:
            with w.when(self.e.cards.contains(w, words, card)):
                body(card)

        self.each(one)

    def first(self, w: Writer, words: Sequence[str]) -> str:
        """The first of a part of them that is not empty."""
        found = w.slot("-1")

        def one(card: str) -> None:
            with w.when(w.compare("slt", w.get(found), "0")):
                w.put(found, card)

        self.each_card(w, words, one)
        return w.get(found)

    def standing(self, chosen: Words) -> Words:
        """The set that stands for all with the same names as ``chosen``: the first cards of each name."""
        w, cards = self.e.w, self.e.cards
        result = cards.hold(w, ["0"] * cards.width)
        begin, taken, at = w.slot("0"), w.slot("0"), w.slot("0")

        def one(card: str, _name: str, first: str) -> None:
            with w.when(first):
                w.put(begin, w.get(at))
                w.put(taken, "0")
            with w.when(cards.contains(w, chosen, card)):
                entry = w.load(self.held, w.add(w.get(begin), w.get(taken)))
                cards.include(w, result, w.op(f"urem i64 {entry}, {self.cards}"))
                w.put(taken, w.add(w.get(taken), "1"))
            w.put(at, w.add(w.get(at), "1"))

        self.each(one)
        return cards.held(w, result)


def each_by_sight(
    e: Emitter, domain: ir.Domain, body: Callable[[Item, Words, str], None], rate: Rate = UNMETERED
) -> None:
    """A loop over a domain of cards, or of sets of cards. ``body`` gets an element, what those with its name share (the
    name, or the set that stands for all), and whether it is surely the first of them."""
    w = e.w
    match domain:
        case ir.FilteredDomain(local, inner, where):

            def filtered(item: Item, alike: Words, first: str) -> None:
                bind(e, local, item, inner)
                with w.when(e.test(where)):
                    body(item, alike, first)

            each_by_sight(e, inner, filtered, rate)
        case ir.SubsetDomain() | ir.GroupDomain() | ir.RunDomain():
            order = Sighted(e)

            def of_cards(item: Item) -> None:
                standing = order.standing(item)
                same = "true"
                for one, other in zip(item, standing, strict=True):
                    same = w.all_of(same, w.compare("eq", one, other))
                body(item, standing, same)

            each(e, domain, of_cards, rate, order)
        case _:
            order = Sighted(e)
            each(e, domain, lambda item: order.put(single(item)), rate)
            order.each(lambda card, name, first: body([card], [name], first))
