"""What happened, as English sentences: told to one seat (from what it is told, no more) or by one who knows all.

Generic and compact: cards that go the same way are told together, moves that a choice has already named are left out.
May not import check, syntax or document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulerun.ir.nodes import Announce, Choose, Label, Local, Pick
from rulerun.ir.types import INT, NONE, Type
from rulerun.run.events import Chose, Event, Moved, Offered, Shown, Swapped, Told, told
from rulerun.run.machine import Machine
from rulerun.run.ranges import is_card, type_of
from rulerun.view.labels import HOLE, fill, open_label
from rulerun.view.names import Namer, join
from rulerun.view.table import Table, bits

EVERYONE = (1 << 62) - 1
NOBODY = 61
"""A seat that no game has: who knows all is told things as this one, of events opened to everyone."""


class Teller:
    """Collects the story of a stretch of a game for ``seat`` (None: one who knows all). Feed it in order, then read
    `sentences`."""

    def __init__(self, machine: Machine, namer: Namer, backs: Sequence[int], seat: int | None) -> None:
        self._machine = machine
        self._namer = namer
        self._backs = backs
        self._seat = seat
        self._done: list[str] = []
        self._moves: list[Told] = []
        self._speaker = -1
        self._phrases: list[str] = []

    def sentences(self) -> list[str]:
        """All that was told, one sentence an element."""
        self._end_moves()
        self._end_speech()
        return self._done

    def tell(self, events: Iterable[Event]) -> None:
        """Tells events among which no choice is (or only choices told late, after sealed ones)."""
        for event in events:
            entry = self._entry(event)
            if entry is None or isinstance(event, Offered):
                continue
            if isinstance(event, Chose):
                self._speak(event.seat, self._from_key(entry))
            elif isinstance(event, Moved):
                self._end_speech()
                self._moves.append(entry)
            else:
                self._end_moves()
                self._end_speech()
                self._say(self._sentence(entry))

    def step(self, before: list[int], index: int, events: Sequence[Event]) -> None:
        """Tells a choice, taken in the position ``before``, and what followed."""
        table = Table(self._namer.program, before)
        chose = next((e for e in events if isinstance(e, Chose)), None)
        label, rest = self._chosen(before, index, chose), [e for e in events if e is not chose]
        moved = next((e for e in rest if not isinstance(e, Offered | Shown)), None)
        entry = self._entry(moved) if isinstance(moved, Moved) else None
        if moved is not None and entry is not None and entry[1] >= 0:
            name = self._namer.kind(entry[1])
            if HOLE in label:
                label = fill(label, (name,))
            if label.endswith(f" {name}"):  # the choice has said it
                rest.remove(moved)
        self._speak(table.chooser, fill(label, ()))
        self.tell(rest)

    def _chosen(self, before: list[int], index: int, chose: Chose | None) -> str:
        option = self._machine.options(before)[index]
        seat = self._seat
        if chose is None or seat is None or seat == chose.seat or chose.full >> seat & 1:
            return open_label(self._machine, self._namer, before, option, seat)
        if chose.told >> seat & 1:
            return self._redacted(chose.site, chose.others[0], before, index)
        return "(makes a choice)"

    def _say(self, sentence: str) -> None:
        end = "" if sentence.endswith((".", "!", "?", "…")) else "."
        self._done.append(sentence[:1].upper() + sentence[1:] + end)

    # ---------------------------------------------------------------- choices

    def _speak(self, seat: int, phrase: str) -> None:
        self._end_moves()
        if self._speaker != seat:
            self._end_speech()
        self._speaker = seat
        self._phrases.append(phrase)

    def _end_speech(self) -> None:
        if self._phrases:
            self._say(f"{self._namer.player(self._speaker)}: {', '.join(self._phrases)}")
        self._phrases = []
        self._speaker = -1

    def _from_key(self, entry: Told) -> str:
        """The label of a choice from its key as told: binders by their values, all else is left open."""
        if len(entry) < 4:
            return "(makes a choice)"
        line = entry[3]
        if line < 0:
            return "pass" if line == -1 else "done"
        label, names = self._template(entry[2], line)
        if label is None or len(names) != len(entry) - 4:
            return "(makes a choice)"
        told_values = dict(zip(names, entry[4:], strict=True))
        texts = []
        for part in label.parts:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Local) and part.index in told_values:
                texts.append(self._told_value(told_values[part.index], part.type))
            else:
                texts.append("…")
        return "".join(texts)

    def _redacted(self, site: int, line: int, before: list[int], index: int) -> str:
        """The label as a seat may read it that was not told all: what cards tell beyond their own names is left out."""
        label, _ = self._template(site, line) if line >= 0 else (None, [])
        parts = [p for p in label.parts if not isinstance(p, str)] if label else []
        if label is not None and any(not is_card(type_of(p)) and reads_cards(p) for p in parts):
            return "".join(p if isinstance(p, str) else (HOLE if is_card(type_of(p)) else "…") for p in label.parts)
        return open_label(self._machine, self._namer, before, self._machine.options(before)[index], self._seat)

    def _template(self, site: int, line: int) -> tuple[Label | None, list[int]]:
        for block in self._namer.program.blocks:
            if isinstance(block.end, Choose) and block.end.site == site:
                chosen = block.end.lines[line]
                return chosen.label, [binder.local for binder in chosen.binders]
        return None, []

    def _told_value(self, value: int, type_: Type) -> str:
        if is_card(type_):
            return self._namer.kind(value) if value >= 0 else "a card"
        return self._namer.value(Table(self._namer.program, ()), value, type_, self._seat)

    # ----------------------------------------------------------------- events

    def _entry(self, event: Event) -> Told | None:
        if self._seat is not None:
            return told(event, self._seat, self._backs)
        match event:
            case Moved():
                event = replace(event, seen=EVERYONE, source_told=EVERYONE, target_told=EVERYONE)
            case Swapped():
                event = replace(event, left_seen=EVERYONE, right_seen=EVERYONE)
            case Chose():
                event = replace(event, full=EVERYONE, told=EVERYONE)
            case Shown(cards, to):
                return (7, to, *(number for card in cards for number in card))
            case _:
                pass
        return told(event, NOBODY, self._backs)

    def _sentence(self, entry: Told) -> str:
        zone = self._namer.zone
        match entry[0]:
            case 2:
                left = self._spot(entry[1], entry[2], entry[3])
                right = self._spot(entry[4], entry[5], entry[6])
                return f"{left} and {right} change places."
            case 3:
                return f"{zone(entry[1])} and {zone(entry[2])} are exchanged."
            case 4:
                if entry[1] < 0:
                    return f"All cards are gathered in {zone(entry[2])}."
                return f"{_number(entry[3])} of {zone(entry[1])} {_are(entry[3])} gathered in {zone(entry[2])}."
            case 5:
                return f"{zone(entry[1])} is shuffled."
            case 6:
                how = "shuffled" if entry[4] else "turned over"
                return f"{_number(entry[3])} of {zone(entry[2])} {_are(entry[3])} {how} into {zone(entry[1])}."
            case 7:
                return self._shown(entry)
            case 8:
                return self._said(entry)
            case 11:
                return f"Chance picks {self._told_value(entry[2], self._picked_type(entry[1]))}."
            case _:
                return self._ended(entry)

    def _shown(self, entry: Told) -> str:
        cards = [(entry[i], entry[i + 1], entry[i + 2]) for i in range(2, len(entry), 3)]
        players = self._namer.program.players
        seats = bits(entry[1] & (1 << players) - 1)
        if len(seats) == players:
            return f"{join([self._spot(*card, between=' shows ') for card in cards])}."
        spots = join([self._spot(*card) for card in cards])
        if self._seat in seats:
            return f"You are shown {spots}."
        return f"{join([self._namer.player(s) for s in seats])} look{'s' if len(seats) == 1 else ''} at {spots}."

    def _spot(self, kind: int, zone: int, place: int, between: str = "") -> str:
        """A card with where it lies: ``slot 2 of layout of P1 (ace of spades)``, or with ``between`` where and face."""
        where = self._namer.zone(zone)
        lies = f"{self._namer.place(zone, place)} of {where}" if place >= 0 else f"a card of {where}"
        if kind >= 0 and between:
            return f"{lies if place >= 0 else where}{between}{self._namer.kind(kind)}"
        if kind >= 0:
            return f"{lies} ({self._namer.kind(kind)})" if place >= 0 else f"{self._namer.kind(kind)} of {where}"
        return lies

    def _said(self, entry: Told) -> str:
        label = self._note(entry[1])
        if label is None:
            return "…"
        values = iter(entry[2:])
        texts = [p if isinstance(p, str) else self._told_value(next(values, NONE), type_of(p)) for p in label.parts]
        return "".join(texts)

    def _note(self, at: int) -> Label | None:
        for block in self._namer.program.blocks:
            for op in block.ops:
                if isinstance(op, Announce) and op.at == at:
                    return op.text
        return None

    def _picked_type(self, at: int) -> Type:
        for block in self._namer.program.blocks:
            if isinstance(block.end, Pick) and block.end.at == at:
                return block.end.into.type
        return INT

    def _ended(self, entry: Told) -> str:
        player = self._namer.player
        scores = ", ".join(f"{player(seat)} {score}" for seat, score in enumerate(entry[2:]))
        winners = [player(seat) for seat in bits(entry[1])]
        wins = "nobody wins" if not winners else f"{join(winners)} {'wins' if len(winners) == 1 else 'share the win'}"
        return f"The game is over: {scores}; {wins}."

    # ------------------------------------------------------------------ moves

    def _end_moves(self) -> None:
        """Tells the moves held back: those from one zone together, group by target."""
        moves, self._moves = self._moves, []
        while moves:
            _, _, source, _, target, _ = moves[0]
            run = run_of([move[2] == source and move[4] != source for move in moves])
            gathered = run_of([move[4] == target and move[1] >= 0 and move[2] != target for move in moves])
            if gathered > run:
                names = join([self._namer.kind(move[1]) for move in moves[:gathered]])
                self._say(f"{names} go to {self._namer.zone(target)}")
                run = gathered
            else:
                for sentence in self._moved(moves[: max(run, 1)]):
                    self._say(sentence)
            moves = moves[max(run, 1) :]

    def _moved(self, moves: Sequence[Told]) -> list[str]:
        targets: dict[int, list[Told]] = {}
        for move in moves:
            targets.setdefault(move[4], []).append(move)
        source = moves[0][2]
        counts = {len(group) for group in targets.values()}
        if len(targets) > 1 and len(counts) == 1 and all(move[1] < 0 for move in moves):
            each = _number(len(moves) // len(targets))
            names = ", ".join(self._namer.zone(z) for z in targets)
            return [f"{each} each from {self._namer.zone(source)} to {names}."]
        return [self._went(source, target, group) for target, group in targets.items()]

    def _went(self, source: int, target: int, moves: Sequence[Told]) -> str:
        namer = self._namer
        known = [namer.kind(move[1]) for move in moves if move[1] >= 0]
        unknown = [move for move in moves if move[1] < 0]
        names = list(known)
        if unknown:
            backs = {namer.hidden(move[1]) for move in unknown}
            if len(unknown) == 1 and len(moves) == 1:
                place = unknown[0][3]
                row = place >= 0 and namer.place(source, place).startswith("slot")
                names.append(namer.place(source, place) if row else next(iter(backs)))
            else:
                names.append(_number(len(unknown)))
        verb = "goes" if len(moves) == 1 else "go"
        if source == target:
            return f"{join(names)} {verb} to another place in {namer.zone(target)}."
        return f"{join(names)} {verb} from {namer.zone(source)} to {namer.zone(target)}."


def run_of(fits: Sequence[bool]) -> int:
    """How many of the first are true."""
    return next((i for i, fit in enumerate(fits) if not fit), len(fits))


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def reads_cards(expr: object) -> bool:
    """Whether a field of a card or the cards of a zone are read anywhere in an expression."""
    if type(expr).__name__ in ("CardField", "ZoneCards", "ZoneDomain", "CallFunction"):
        return True
    if isinstance(expr, tuple):
        return any(reads_cards(item) for item in expr)
    slots = getattr(type(expr), "__dataclass_fields__", {})
    return any(reads_cards(getattr(expr, name)) for name in slots)
