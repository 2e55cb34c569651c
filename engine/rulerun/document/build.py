"""From YAML values to the typed document: section by section, each part with its place.

The builder walks the shape as it goes (`document.take`). It is used in two ways: over a whole document, and over a
*part* of one (a variant, a file that extends another), where named parts may be ``null`` and nothing is required.
What names, types and texts mean is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulerun.document import take
from rulerun.document.cards import CsvReader, build_cards
from rulerun.document.model import (
    CardsDecl,
    Entries,
    LimitDecl,
    OptionDecl,
    ProcedureDecl,
    RefillDecl,
    ResultDecl,
    Ruleset,
    Scalar,
    StateDecl,
    TableDecl,
    TriggerDecl,
    TypeDecl,
    Value,
    VariantInfo,
    Word,
    ZoneDecl,
)
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Piece

LANGUAGE = 1
MOST_PLAYERS = 20

REQUIRED = ("rulerun", "game", "players", "cards", "zones", "rules", "result")
PART_SECTIONS = (
    "players",
    "teams",
    "sources",
    "options",
    "types",
    "cards",
    "zones",
    "state",
    "tables",
    "functions",
    "rules",
    "events",
    "triggers",
    "result",
    "limit",
)
SECTIONS = ("rulerun", "game", "about", *PART_SECTIONS, "variants")
NESTED = frozenset(("nested", "do"))
TIMINGS = ("before", "instead of", "after")
KINDS = ("pile", "row", "board", "hand")
SEEN_BY = ("everyone", "owner", "others", "nobody")
OPEN_QUESTION = re.compile(r"\sif\s")


@dataclass
class Builder:
    """`partial`: over a part of a document. `read_csv`: None where CSV files need not be read (a walk over shapes)."""

    found: Diagnostics
    partial: bool = False
    read_csv: CsvReader | None = None
    declared: Mapping[str, Scalar] = field(default_factory=dict)
    """The defaults that options were declared with, where a variant or a setting has changed them."""
    replaced: Mapping[tuple[str, str], Sequence[tuple[Word, Value]]] = field(default_factory=dict)
    """By section and name: the functions, rules and events that were there before, the nearest first."""

    # ------------------------------------------------------------ whole documents

    def ruleset(
        self,
        root: Entries,
        variants: tuple[VariantInfo, ...] = (),
        applied: tuple[str, ...] = (),
        settings: tuple[tuple[str, str], ...] = (),
    ) -> Ruleset:
        """The whole document `root`, into which all variants have been laid. Raises `MisshapenError`."""
        take.entries(root, SECTIONS, REQUIRED)
        parts = {k.text: v for k, v in root.entries}
        self.language(parts["rulerun"])
        return Ruleset(
            game=take.word(parts["game"]),
            about=take.text(parts["about"]) if "about" in parts else "",
            language=LANGUAGE,
            players=self.players(parts["players"]),
            players_span=parts["players"].span,
            teams=self.teams(parts.get("teams")),
            options=self.options(parts.get("options")),
            types=self.types(parts.get("types")),
            cards=self.cards(parts["cards"]),
            zones=self.zones(parts["zones"]),
            state=self.state(parts.get("state")),
            tables=self.tables(parts.get("tables")),
            functions=self.procedures(parts.get("functions"), "functions"),
            rules=self.procedures(parts["rules"], "rules"),
            events=self.procedures(parts.get("events"), "events"),
            triggers=self.triggers(parts.get("triggers")),
            result=self.result(parts["result"]),
            limit=self.limit(parts.get("limit")),
            variants=variants,
            applied=applied,
            sources=self.sources(parts.get("sources")),
            settings=settings,
        )

    def part(self, root: Value, keys: tuple[str, ...]) -> None:
        """Walks a part of a document: raises `MisshapenError`, tells rule text that cannot be used, builds nothing."""
        parts = {k.text: v for k, v in take.entries(root, keys).entries}
        for key in ("extends", "game", "about"):
            if key in parts:
                take.text(parts[key])
        if "rulerun" in parts:
            self.language(parts["rulerun"])
        if "players" in parts:
            self.players(parts["players"])
        self.teams(parts.get("teams"))
        self.sources(parts.get("sources"))
        self.options(parts.get("options"))
        self.types(parts.get("types"))
        if "cards" in parts:
            self.cards(parts["cards"])
        self.zones(parts.get("zones"))
        self.state(parts.get("state"))
        self.tables(parts.get("tables"))
        for key in ("functions", "rules", "events"):
            self.procedures(parts.get(key), key)
        self.triggers(parts.get("triggers"))
        if "result" in parts:
            self.result(parts["result"])
        self.limit(parts.get("limit"))

    def variants(self, value: Value | None) -> None:
        """Walks the ``variants`` section in the same way."""
        for _, variant in take.entries(value).entries if value is not None else ():
            self.part(variant, ("about", "after", *PART_SECTIONS))
            assert isinstance(variant, Entries)
            self.after(variant)

    def after(self, layer: Entries) -> None:
        """Walks what a variant or an extending file says of whom it comes behind."""
        after = layer.get("after")
        for other in take.items(after) if after is not None else ():
            take.word(other)

    # ------------------------------------------------------------ sections

    def named(self, value: Value | None, *, anything: bool = False) -> list[tuple[Word, Value]]:
        """The named parts of a section that is there; in a part of a document those that are not removed."""
        if value is None or take.is_null(value):
            return []
        kept = []
        for key, part in take.entries(value).entries:
            if not anything:
                take.name(key)
            if not (self.partial and take.is_null(part)):
                kept.append((key, part))
        return kept

    def language(self, value: Value) -> None:
        spoken = take.scalar(value)
        if spoken.value != LANGUAGE or isinstance(spoken.value, bool):
            message = f"this ruleset is written in version {spoken.piece.text} of the language, which is not known here"
            self.found.error(
                "RR0115", message, spoken.span, help=f"write `rulerun: {LANGUAGE}`, the version that is read here"
            )

    def players(self, value: Value) -> tuple[int, int]:
        written = take.scalar(value)
        parts = [p.strip() for p in written.piece.text.split("..")]
        if len(parts) in (1, 2) and all(p.isascii() and p.isdigit() and len(p) <= 6 for p in parts):
            low, high = int(parts[0]), int(parts[-1])
            if 1 <= low <= high <= MOST_PLAYERS:
                return low, high
        message = f"`{written.piece.text}` is not a number of players"
        help_ = f"write a number, `2`, or the fewest and the most, `2..5`, from 1 to {MOST_PLAYERS}"
        self.found.error("RR0116", message, written.span, help=help_)
        return 1, 1

    def sources(self, value: Value | None) -> tuple[str, ...]:
        if value is None or take.is_null(value):
            return ()
        return tuple(take.text(item) for item in take.items(value))

    def options(self, value: Value | None) -> tuple[OptionDecl, ...]:
        made = []
        for key, part in self.named(value):
            if self.partial and not isinstance(part, Entries):
                take.scalar(part)
                continue
            keys = ("default", "type", "one_of", "range", "about")
            option = take.entries(part, keys, () if self.partial else ("default",))
            default, type_, one_of, range_, about = (option.get(k) for k in keys)
            said = take.text(about) if about is not None else ""
            choices = tuple(take.name(take.word(v)) for v in take.items(one_of)) if one_of is not None else None
            type_text, range_text = self.piece(type_), self.piece(range_)
            if default is not None:
                declared = self.declared.get(key.text, take.scalar(default))
                value = take.scalar(default)
                made.append(OptionDecl(key, type_text, value, range_text, said, key.span, declared, choices))
        return tuple(made)

    def piece(self, value: Value | None) -> Piece | None:
        """A text for `syntax` on one line: a type, a range, a condition over a row."""
        return None if value is None else self.text("", value)

    def text(self, key: str, value: Value) -> Piece:
        taken = take.scalar(value)
        return take.rule_text(key, taken, self.found) if taken.folded else taken.piece

    def types(self, value: Value | None) -> tuple[TypeDecl, ...]:
        made = []
        for key, part in self.named(value):
            ordered = isinstance(part, Entries)
            listed = take.entries(part, ("ordered",), ("ordered",)).entries[0][1] if ordered else part
            values = tuple(take.name(take.word(item)) for item in take.items(listed))
            made.append(TypeDecl(key, values, ordered, key.span))
        return tuple(made)

    def cards(self, value: Value) -> CardsDecl:
        return build_cards(value, self.found, self.read_csv, partial=self.partial)

    def zones(self, value: Value | None) -> tuple[ZoneDecl, ...]:
        keys = ("kind", "per", "seen_by", "start", "refill", "columns", "about", "places")
        made = []
        for key, part in self.named(value):
            zone = take.entries(part, keys, ("kind",))
            kind, per, seen_by, start, refill, columns, about, places = (zone.get(k) for k in keys)
            assert kind is not None
            without = ((refill, ("hand", "board")), (columns, ("hand", "pile")), (places, ("hand", "pile", "row")))
            for unfit, kinds in without:
                if unfit is not None and take.word(kind).text in kinds:
                    raise take.MisshapenError("this does not go with this kind of zone", unfit.span)
            if places is None and take.word(kind).text == "board":
                raise take.MisshapenError("a board says which `places` it has", key.span)
            made.append(
                ZoneDecl(
                    key,
                    take.one_of(kind, KINDS),
                    tuple(take.scalar(p).piece for p in take.items(per)) if per is not None else (),
                    self.seen_by(seen_by) if seen_by is not None else None,
                    take.scalar(start) if start is not None else None,
                    self.refill(refill) if refill is not None else None,
                    take.number(columns, 1, 100) if columns is not None else None,
                    take.text(about) if about is not None else "",
                    key.span,
                    take.scalar(places).piece if places is not None else None,
                )
            )
        return tuple(made)

    def refill(self, value: Value) -> RefillDecl:
        written = take.entries(value, ("from", "keep", "shuffle"), ("from",))
        source, keep, shuffle = (written.get(k) for k in ("from", "keep", "shuffle"))
        assert source is not None
        return RefillDecl(
            take.word(source),
            take.scalar(keep) if keep is not None else None,
            take.truth(shuffle) if shuffle is not None else False,
            written.span,
        )

    def teams(self, value: Value | None) -> Scalar | None:
        return None if value is None or take.is_null(value) else take.scalar(value)

    def state(self, value: Value | None) -> tuple[StateDecl, ...]:
        made = []
        for key, part in self.named(value):
            if isinstance(part, Entries):
                written = take.entries(part, ("type", "start", "seen_by"), ("type",))
                type_, start, seen_by = (written.get(k) for k in ("type", "start", "seen_by"))
                assert type_ is not None
                seers = self.seen_by(seen_by) if seen_by is not None else None
                made.append(StateDecl(key, self.text(key.text, type_), start, key.span, seers))
            else:
                made.append(StateDecl(key, self.text(key.text, part), None, key.span))
        return tuple(made)

    def seen_by(self, value: Value) -> Piece:
        """Who sees it: one of the words, or a text over the options: ``owner if hidden else everyone``."""
        if not OPEN_QUESTION.search(take.scalar(value).piece.text):
            take.one_of(value, SEEN_BY)
        return self.text("seen_by", value)

    def tables(self, value: Value | None) -> tuple[TableDecl, ...]:
        made = []
        for key, part in self.named(value):
            table = take.entries(part, None, ("of",))
            of, type_ = table.get("of"), table.get("type")
            assert of is not None
            made.append(
                TableDecl(
                    key,
                    tuple(take.scalar(o).piece for o in take.items(of)),
                    take.scalar(type_).piece if type_ is not None else None,
                    tuple((k, self.cell(v)) for k, v in table.entries if k.text not in ("of", "type", "else")),
                    self.cell(otherwise) if (otherwise := table.get("else")) is not None else None,
                    key.span,
                )
            )
        return tuple(made)

    def cell(self, value: Value) -> Value:
        """An entry of a table: a scalar, or entries for the further keys."""
        if isinstance(value, Entries):
            for _, inner in value.entries:
                self.cell(inner)
            return value
        return take.scalar(value)

    def procedures(self, value: Value | None, section: str) -> tuple[ProcedureDecl, ...]:
        """Functions, rules or events: a text each, or ``{nested: N, do: TEXT}``."""
        made: list[ProcedureDecl] = []
        first: dict[str, Word] = {}
        for key, part in self.named(value, anything=True):
            name = take.leading_word(key)
            earlier = first.setdefault(name.text, name)
            if earlier is not name:
                self.tell_twice(name, earlier)
                continue
            made.append(self.procedure(section, name, key, part))
        return tuple(made)

    def procedure(self, section: str, name: Word, key: Word, part: Value) -> ProcedureDecl:
        """One of them, with those that it was written in place of."""
        made: ProcedureDecl | None = None
        for written, text in ((key, part), *self.replaced.get((section, name.text), ()))[::-1]:
            nested, text = self.nested(text, pure=section == "functions") if section != "result" else (None, text)
            body = take.rule_text(written.text, text, self.found)
            signature = take.piece_of_key(written)
            made = ProcedureDecl(take.leading_word(written), signature, body, written.span, nested, made)
        assert made is not None
        return made

    def nested(self, part: Value, *, pure: bool) -> tuple[Scalar | None, Value]:
        """How often a rule may be in progress at once, where it says so, and its text."""
        if not isinstance(part, Entries) or not NESTED & {k.text for k, _ in part.entries}:
            return None, part
        written = take.entries(part, NESTED, NESTED)
        nested, do = written.get("nested"), written.get("do")
        assert nested is not None
        assert do is not None
        if pure:
            self.found.error(
                "RR0129",
                "a function cannot call itself, so it has no `nested`",
                nested.span,
                help="make it a rule, or say it with a loop",
            )
        return take.scalar(nested), do

    def tell_twice(self, name: Word, earlier: Word) -> None:
        self.found.error(
            "RR0104",
            f"`{name.text}` stands here a second time, with other parameters",
            name.span,
            notes=(Note("it stands here first", earlier.span),),
            help="give one of them another name: a name means one thing, whatever its parameters",
        )

    def triggers(self, value: Value | None) -> tuple[TriggerDecl, ...]:
        made = []
        for key, part in self.named(value, anything=True):
            trigger = take.entries(part, (*TIMINGS, "for", "if", "do", "nested", "ahead of"), ("do",))
            timings = [(k, v) for k, v in trigger.entries if k.text in TIMINGS]
            if len(timings) != 1:
                raise take.MisshapenError("a trigger has one of `before`, `instead of` and `after`", key.span)
            timing, event = timings[0]
            condition, do, over = trigger.get("if"), trigger.get("do"), trigger.get("for")
            nested = trigger.get("nested")
            if (ahead := trigger.get("ahead of")) is not None:
                take.word(ahead)
            assert do is not None
            made.append(
                TriggerDecl(
                    key,
                    timing.text,
                    take.rule_text(timing.text, event, self.found),
                    take.rule_text("if", condition, self.found) if condition is not None else None,
                    take.rule_text("do", do, self.found),
                    key.span,
                    take.rule_text("for", over, self.found) if over is not None else None,
                    take.scalar(nested) if nested is not None else None,
                )
            )
        return tuple(made)

    def result(self, value: Value) -> ResultDecl | None:
        written = take.entries(value)
        score: ProcedureDecl | None = None
        winner: tuple[Piece, ...] | None = None
        won: ProcedureDecl | None = None
        for key, part in written.entries:
            if self.partial and take.is_null(part):
                continue
            if key.text == "winner":
                winner = tuple(take.rule_text("winner", w, self.found) for w in take.items(part))
            elif key.text == "won":
                won = self.procedure("result", take.leading_word(key), key, part)
            elif score is None and (name := take.leading_word(key)).text == "score":
                score = self.procedure("result", name, key, part)
            else:
                raise take.MisshapenError(f"`{key.text}` is not known here", key.span)
        if self.partial:
            return None
        common = score is not None and score.signature.text in ("score", "score()")
        if score is None or (not winner and not common):
            missing = "winner" if score else "score(Player p)"
            raise take.MisshapenError(f"`{missing}` is missing here", written.span)
        return ResultDecl(score, winner or (), written.span, won)

    def limit(self, value: Value | None) -> LimitDecl | None:
        if value is None or take.is_null(value):
            return None
        written = take.entries(value, ("decisions", "then"), () if self.partial else ("decisions",))
        then = written.get("then")
        if then is not None:
            take.one_of(then, ("draw",))
        decisions = written.get("decisions")
        if decisions is None:
            return None
        return LimitDecl(take.scalar(decisions), then is not None, written.span)
