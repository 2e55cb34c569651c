"""Variants and extending files laid over a document, part by part, before anything is built from it.

A *part* is what has a name of its own: an option, a zone, a rule, a trigger, a field of the cards. A layer replaces
parts, adds them, removes them with ``null``. The values keep their places, so a fault in a laid-on part is told in the
file that its text came from. Documents that come in here have the right shape; this file knows the sections, not their
insides, and builds no declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from rulerun.document import take
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.spell import nearest
from rulerun.source.text import Span

PROCEDURES = ("functions", "rules", "events")
NAMED = ("options", "types", "zones", "state", "tables", *PROCEDURES, "triggers")
"""Sections whose entries are parts."""
KEYED = ("cards", "result", "limit")
"""Sections that are laid on key by key."""
PRINTED = ("face", "back")

NOUNS = {
    "options": "option",
    "types": "type",
    "zones": "zone",
    "state": "state variable",
    "tables": "table",
    "functions": "function",
    "rules": "rule",
    "events": "event",
    "triggers": "trigger",
}

PartId = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Layer:
    """A variant, or the text of a file that extends another (then `name` is empty). `after`: behind whom it comes.
    `file`: where it stands in the chain of files, of which the base is 0.
    """

    name: str
    entries: Entries
    span: Span
    about: str = ""
    after: tuple[Word, ...] = ()
    file: int = 0

    def changes(self) -> Iterator[tuple[PartId, Word, Value]]:
        """The parts that this layer changes, in file order."""
        for section, value in self.entries.entries:
            if section.text in NAMED or section.text in KEYED:
                if not isinstance(value, Entries):
                    if section.text == "limit" and take.is_null(value):
                        yield ("limit", ""), section, value
                    continue
                for key, part in value.entries:
                    if section.text == "cards" and key.text in PRINTED and isinstance(part, Entries):
                        for name, type_ in part.entries:
                            yield ("cards", f"{key.text}.{name.text}"), name, type_
                    else:
                        yield (section.text, part_name(section.text, key)), key, part
            elif section.text == "about" and self.name:
                continue  # it is about the variant, not about the game
            elif section.text not in ("after", "extends", "variants", "rulerun"):
                yield (section.text, ""), section, value


def part_name(section: str, key: Word) -> str:
    """What a part is known by: the leading word of a signature, else the key itself."""
    return (
        take.leading_word(key).text if section in PROCEDURES or (section == "result" and "(" in key.text) else key.text
    )


def loosely(name: str) -> str:
    """A variant's name without case, spaces, hyphens and apostrophes: by this it is found."""
    return "".join(c for c in name.casefold() if c.isalnum())


def layers_of(section: Value | None, found: Diagnostics, known: Sequence[Layer] = (), file: int = 0) -> list[Layer]:
    """The variants of the ``variants`` section of a file, after those that are `known` already."""
    layers = list(known)
    named = {loosely(layer.name): layer for layer in layers}
    for name, value in section.entries if isinstance(section, Entries) else ():
        if not isinstance(value, Entries):
            continue
        about, after = value.get("about"), value.get("after")
        words = _words(after)
        short = loosely(name.text)
        twin = named.get(short)
        if twin is not None or not short:
            notes = (Note("the other one", twin.span),) if twin else ()
            message = f"the name `{name.text}` does not tell this variant from another"
            help_ = "case, spaces, hyphens and apostrophes do not count in the name of a variant"
            found.error("RR0128", message, name.span, notes=notes, help=help_)
            continue
        named[short] = Layer(name.text, value, name.span, take.text(about) if about is not None else "", words, file)
        layers.append(named[short])
    return layers


def extending_layer(root: Entries, file: int) -> Layer:
    """The text of a file that extends another, as a layer."""
    return Layer("", root, root.span, after=_words(root.get("after")), file=file)


def _words(after: Value | None) -> tuple[Word, ...]:
    return tuple(take.word(a) for a in take.items(after)) if after is not None else ()


def find_layer(name: str, layers: Sequence[Layer]) -> Layer | None:
    """The layer that a name means: by the whole name, or by a part of it that only one layer's name holds
    (``cant-beat-em`` for *if you can't beat 'em*)."""
    wanted = loosely(name)
    whole = next((layer for layer in layers if layer.name and loosely(layer.name) == wanted), None)
    if whole is not None or not wanted:
        return whole
    holding = [layer for layer in layers if wanted in loosely(layer.name)]
    return holding[0] if len(holding) == 1 else None


def said_after(layers: Sequence[Layer], found: Diagnostics) -> dict[str, frozenset[str]]:
    """By variant those that it says ``after:`` of. A name that means no other goes to `found`."""
    behind: dict[str, frozenset[str]] = {}
    for layer in layers:
        named: set[str] = set()
        for word in layer.after:
            other = find_layer(word.text, layers)
            if other is None or other is layer:
                near = nearest(word.text, [x.name for x in layers if x is not layer])
                help_ = f"did you mean `{near}`?" if near else _offer([x.name for x in layers if x is not layer])
                found.error("RR0126", f"there is no other variant `{word.text}` to come after", word.span, help=help_)
            else:
                named.add(other.name)
        behind[layer.name] = frozenset(named)
    return behind


def in_order(chosen: Sequence[Layer], behind: Mapping[str, frozenset[str]], found: Diagnostics) -> list[Layer]:
    """`chosen` in the order given, but each after those that it is `behind`. Clashes go to `found`."""
    waiting, order = list(chosen), list[Layer]()
    while waiting:
        names = {x.name for x in waiting}
        ready = next((x for x in waiting if not behind[x.name] & names), None)
        if ready is None:
            notes = tuple(Note(f"`{x.name}` waits too", x.span) for x in waiting[1:])
            message = f"`{waiting[0].name}` says `after:` of a variant that itself comes after it"
            found.error("RR0126", message, waiting[0].span, notes=notes, help="take one `after:` away")
            return []
        waiting.remove(ready)
        order.append(ready)
    _tell_clashes(order, behind, found)
    return order


def among_files(
    files: Sequence[Layer], chosen: Sequence[Layer], layers: Sequence[Layer], found: Diagnostics
) -> list[Layer]:
    """The extending `files` in their order, the base's first, and the `chosen` variants behind them; but a file that
    says ``after:`` of a variant comes behind that one. Clashes between a file and a variant go to `found`.
    """
    order: list[Layer] = []
    for file in files:
        earlier = [layer for layer in layers if layer.file < file.file]
        named: set[str] = set()
        for word in file.after:
            other = find_layer(word.text, earlier)
            if other is None:
                near = nearest(word.text, [x.name for x in earlier])
                help_ = f"did you mean `{near}`?" if near else _offer([x.name for x in earlier])
                message = f"there is no variant `{word.text}` of a file before this one to come after"
                found.error("RR0126", message, word.span, help=help_)
            else:
                named.add(other.name)
        _tell_overlaid(file, [v for v in chosen if v.file < file.file and v.name not in named], found)
        wanted = set(named)
        for variant in reversed(chosen):  # each stands behind those that it comes after
            if variant.name in wanted:
                wanted.update(loosely(word.text) for word in variant.after)
        order += [v for v in chosen if v not in order and (v.name in wanted or loosely(v.name) in wanted)]
        order.append(file)
    return order + [v for v in chosen if v not in order]


def _tell_overlaid(file: Layer, variants: Sequence[Layer], found: Diagnostics) -> None:
    """A file that extends another, and a variant of that other, which change one part to different things."""
    mine = {part: (word, value) for part, word, value in file.changes() if part != ("game", "")}
    name = PurePath(file.span.source.name).name
    for variant in variants:
        for part, word, value in variant.changes():
            if part in mine and take.plain(mine[part][1]) != take.plain(value):
                found.error(
                    "RR0124",
                    f"`{name}` and the variant `{variant.name}` both change {describe(part)}",
                    mine[part][0].span,
                    notes=(Note(f"`{variant.name}` changes it here", word.span),),
                    help=f"leave the variant off, or say in `{name}` that the file comes last: `after: {variant.name}`",
                )


def _above(layer: Layer, other: Layer) -> bool:
    """Whether a layer is meant to lie on top of another: both are files, or it says so."""
    return not (layer.name or other.name) or any(find_layer(word.text, [other]) for word in layer.after)


def _offer(names: list[str]) -> str:
    return "there are: " + ", ".join(f"`{n}`" for n in names) if names else "there are no others"


def _tell_clashes(order: list[Layer], behind: Mapping[str, frozenset[str]], found: Diagnostics) -> None:
    """Two variants that change one part to different things, and neither says that it comes after the other."""
    first: dict[PartId, list[tuple[Layer, Word, Value]]] = {}
    for layer in order:
        for part, word, value in layer.changes():
            for other, earlier, was in first.setdefault(part, []):
                if other is layer or other.name in behind[layer.name] or take.plain(was) == take.plain(value):
                    continue
                found.error(
                    "RR0124",
                    f"the variants `{other.name}` and `{layer.name}` both change {describe(part)}",
                    word.span,
                    notes=(Note(f"`{other.name}` changes it here", earlier.span),),
                    help=f"leave one of them off, or say in `{layer.name}` which comes last: `after: {other.name}`",
                )
            first[part].append((layer, word, value))


def describe(part: PartId) -> str:
    """A part in words: "the rule `play`"."""
    section, name = part
    if section in NOUNS:
        return f"the {NOUNS[section]} `{name}`"
    return f"`{section}.{name}`" if name else f"`{section}`"


@dataclass
class Working:
    """A document being laid over. Sections of named parts are open, the others whole."""

    found: Diagnostics
    sections: dict[str, tuple[Word, Value]] = field(default_factory=dict)
    parts: dict[str, dict[str, tuple[Word, Value]]] = field(default_factory=dict)
    span: Span | None = None
    removed: set[PartId] = field(default_factory=set)
    declared: dict[str, Scalar] = field(default_factory=dict)
    """The first defaults of options that have been set to something else."""
    replaced: dict[PartId, tuple[tuple[Word, Value], ...]] = field(default_factory=dict)
    """Of functions, rules, events and what the result says: what stood there before, the nearest layer first."""
    authors: dict[PartId, Layer] = field(default_factory=dict)
    """The layer that last wrote a part."""

    @staticmethod
    def of(root: Entries, found: Diagnostics) -> Working:
        """The document `root`, not yet laid over."""
        work = Working(found, span=root.span)
        for section, value in root.entries:
            if section.text == "variants":
                continue
            work.sections[section.text] = (section, value)
            if section.text in NAMED or (section.text in KEYED and isinstance(value, Entries)):
                inside = value.entries if isinstance(value, Entries) else ()
                work.parts[section.text] = {part_name(section.text, k): (k, v) for k, v in inside}
        for key, value in list(work.parts.get("triggers", {}).values()):
            work.move_ahead(key, value)
        return work

    def root(self) -> Entries:
        """The document as it now is."""
        assert self.span is not None
        entries = []
        for name, (section, value) in self.sections.items():
            if name in self.parts:
                value = Entries(tuple(self.parts[name].values()), value.span)
            entries.append((section, value))
        return Entries(tuple(entries), self.span)

    def lay(self, layer: Layer) -> None:
        """Lays `layer` on. What it removes or changes but is not there goes to `found`."""
        for part, key, value in layer.changes():
            self.change(part, key, value, layer)
            if take.is_null(value):
                self.removed.add(part)
        triggers = layer.entries.get("triggers")
        for key, value in triggers.entries if isinstance(triggers, Entries) else ():
            self.move_ahead(key, value)

    def change(self, part: PartId, key: Word, value: Value, layer: Layer) -> None:
        section, name = part
        if name == "":
            self.whole(section, key, value)
        else:
            written, section_value = next((k, v) for k, v in layer.entries.entries if k.text == section)
            self.sections.setdefault(section, (written, section_value))
            inside = self.parts.setdefault(section, {})
            if section == "cards" and "." in name:
                self.printed(inside, name, key, value)
            elif section == "options":
                self.option(inside, key, value)
            else:
                self.keep(part, inside.get(name), value, layer)
                self.named(inside, section, name, key, value)

    def keep(self, part: PartId, was: tuple[Word, Value] | None, value: Value, layer: Layer) -> None:
        """Remembers what `layer` replaces. Two variants that say the same change it once, unless one says that it
        comes after the other."""
        if part[0] not in (*PROCEDURES, "result"):
            return
        other = self.authors.get(part)
        self.authors[part] = layer
        if was is None or take.is_null(value):
            self.replaced.pop(part, None)
        elif other is None or take.plain(was[1]) != take.plain(value) or _above(layer, other):
            self.replaced[part] = (was, *self.replaced.get(part, ()))

    def whole(self, section: str, key: Word, value: Value) -> None:
        if take.is_null(value):
            if section not in self.sections:
                self.tell_absent((section, ""), key, list(self.sections))
            self.sections.pop(section, None)
            self.parts.pop(section, None)
        else:
            self.sections[section] = (key, value)

    def named(self, inside: dict[str, tuple[Word, Value]], section: str, name: str, key: Word, value: Value) -> None:
        if not take.is_null(value):
            inside[name] = (key, value)
        elif inside.pop(name, None) is None:
            self.tell_absent((section, name), key, list(inside))

    def printed(self, inside: dict[str, tuple[Word, Value]], name: str, key: Word, value: Value) -> None:
        """A field of the cards, on one side."""
        side, field_name = name.split(".", 1)
        written = inside.get(side)
        fields: dict[str, tuple[Word, Value]] = {}
        if written is not None and isinstance(written[1], Entries):
            fields = {k.text: (k, v) for k, v in written[1].entries}
        if not take.is_null(value):
            fields[field_name] = (key, value)
        elif fields.pop(field_name, None) is None:
            self.tell_absent(("cards", name), key, list(fields))
        span = written[1].span if written else key.span
        inside[side] = (written[0] if written else Word(side, key.span), Entries(tuple(fields.values()), span))

    def option(self, inside: dict[str, tuple[Word, Value]], key: Word, value: Value) -> None:
        """A scalar sets the default of an option that is there; a mapping changes what it says, or adds an option."""
        was = inside.get(key.text)
        match value:
            case Entries():
                if was is None and value.get("default") is None:
                    self.tell_absent(("options", key.text), key, list(inside))
                    return
                kept = {k.text: (k, v) for k, v in was[1].entries} if was and isinstance(was[1], Entries) else {}
                kept.update({k.text: (k, v) for k, v in value.entries})
                inside[key.text] = (was[0] if was else key, Entries(tuple(kept.values()), value.span))
                if value.get("default") is not None:
                    self.declared.pop(key.text, None)
            case _ if take.is_null(value):
                self.named(inside, "options", key.text, key, value)
            case _ if was is None:
                self.tell_absent(("options", key.text), key, list(inside))
            case Scalar() | Items():
                self.set_default(inside, was, value)

    def set_option(self, name: Word, value: Scalar) -> None:
        """What ``--set`` says."""
        inside = self.parts.get("options", {})
        was = inside.get(name.text)
        if was is None:
            near = nearest(name.text, inside)
            help_ = (
                f"did you mean `{near}`?"
                if near
                else _offer(list(inside)).replace("no others", "no options in this ruleset")
            )
            self.found.error("RR0127", f"there is no option `{name.text}` to set", name.span, help=help_)
            return
        self.set_default(inside, was, value)

    def set_default(self, inside: dict[str, tuple[Word, Value]], was: tuple[Word, Value], value: Value) -> None:
        """Another default for an option; its type is still told by the one that it was declared with."""
        name, option = was
        assert isinstance(option, Entries)
        before = option.get("default")
        if isinstance(before, Scalar):
            self.declared.setdefault(name.text, before)
        entries = tuple((k, value if k.text == "default" else v) for k, v in option.entries)
        inside[name.text] = (name, Entries(entries, option.span))

    def move_ahead(self, key: Word, value: Value) -> None:
        """``ahead of: NAME`` puts a trigger before that one."""
        ahead = value.get("ahead of") if isinstance(value, Entries) else None
        if not isinstance(ahead, Scalar):
            return
        triggers = self.parts["triggers"]
        other = ahead.piece.text
        if other not in triggers or other == key.text:
            near = nearest(other, [t for t in triggers if t != key.text])
            help_ = f"did you mean `{near}`?" if near else _offer([t for t in triggers if t != key.text])
            self.found.error("RR0125", f"there is no other trigger `{other}` to come ahead of", ahead.span, help=help_)
            return
        mine = triggers.pop(key.text)
        moved = {}
        for name, part in triggers.items():
            if name == other:
                moved[key.text] = mine
            moved[name] = part
        self.parts["triggers"] = moved

    def tell_absent(self, part: PartId, key: Word, there: list[str]) -> None:
        """There is nothing to change or take away, unless another layer has just taken the same away."""
        if part in self.removed:
            return
        section, name = part
        near = nearest(name.rpartition(".")[2], there) if name else None
        what = describe(part).removeprefix("the ")
        help_ = f"did you mean `{near}`?" if near else _offer(there)
        if section == "options" and near is None:
            help_ += "; a new option needs a `default`"
        self.found.error("RR0125", f"there is no {what} to change or take away", key.span, help=help_)
