"""What is wrong with the shape of a document, told by the JSON schema ``grammar/ruleset.schema.json``.

Importing jsonschema and loading the schema costs about 60 ms, a sixth of what `rulerun check` may take, and almost
every document that is read has the right shape. So the quick walk that builds the document anyway decides *whether*
its shape is right, and only where it is not jsonschema (`Draft7Validator`, imported late) finds *all* that is wrong.
A test holds the two against each other. The schema dispatches by ``if``/``then`` only, so every error is a leaf
that blames the branch that was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from rulerun.document import take
from rulerun.document.model import Entries, Items, Scalar, Value, Word
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.spell import nearest
from rulerun.source.text import Span

MOST_TOLD = 100
NAMES = "a name has letters, digits and `_` and does not begin with a digit"


def schema_text() -> str:
    """The JSON schema of rulesets (draft-07), for editors; ``rulerun schema`` prints it."""
    from importlib.resources import files

    return files("rulerun.grammar").joinpath("ruleset.schema.json").read_text(encoding="utf-8")


def explain_shape(root: Entries, found: Diagnostics) -> bool:
    """Adds what the schema finds wrong with `root`; whether it found anything."""
    from jsonschema import Draft7Validator

    schema = json.loads(schema_text())
    before = len(found.found)
    missing: dict[tuple[str | int, ...], _Teller] = {}
    meant: set[tuple[tuple[str | int, ...], str]] = set()  # what misspelt keys should have been: not missing besides
    told: set[tuple[int, str, str]] = set()  # state variables on one line share what the line says: it is told once
    errors = islice(Draft7Validator(schema).iter_errors(take.plain(root)), MOST_TOLD)
    tellers = sorted((_Teller(root, schema, error, found) for error in errors), key=_Teller.position)
    for teller in tellers:
        error = teller.error
        fault = (id(teller.value), str(error.validator), str(error.message))
        if fault in told:
            continue
        told.add(fault)
        if error.validator == "required":
            missing.setdefault(tuple(teller.path), teller).lacks(error)
        else:
            teller.tell()
            meant.update((tuple(teller.path), name) for name in teller.suggested)
    for path, teller in missing.items():
        teller.lacking = [name for name in teller.lacking if (path, name) not in meant]
        teller.tell_lacking()
    return len(found.found) > before


class _Teller:
    """One error of jsonschema, put into our words at its place."""

    def __init__(self, root: Entries, schema: Any, error: Any, found: Diagnostics) -> None:
        self.schema = schema
        self.error = error
        self.found = found
        self.value: Value = root
        self.key: Word | None = None
        self.lacking: list[str] = []
        self.suggested: list[str] = []
        self.path = list(error.absolute_path)
        self.wants: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
        for step in self.path:
            match self.value:
                case Entries(entries=entries):
                    self.key, self.value = next((k, v) for k, v in entries if k.text == step)
                case Items(items=items):
                    self.value = items[step]
                case Scalar():
                    break

    def position(self) -> int:
        """Where its key stands: jsonschema finds faults in no certain order."""
        return self.key.span.start if self.key is not None else -1

    @property
    def name(self) -> str:
        return f"`{self.key.text}`" if self.key is not None else "the ruleset"

    def place(self) -> Span:
        """The value where it stands on one line, else its key."""
        span = self.value.span
        if span.end > span.start and "\n" not in span.source.text[span.start : span.end]:
            return span
        return self.key.span if self.key is not None else self.start()

    def start(self) -> Span:
        match self.value:
            case Entries(entries=((first, _), *_)):
                return first.span
            case _:
                return Span(self.value.span.source, self.value.span.start, self.value.span.start)

    def tell(self) -> None:
        match self.error.validator:
            case "additionalProperties":
                self.unknown_keys()
            case "type":
                self.wrong_type()
            case "enum":
                self.not_one_of([str(v) for v in self.error.validator_value])
            case "pattern":
                self.not_a_name()
            case "minimum" | "maximum":
                low, high = self.wants.get("minimum"), self.wants.get("maximum")
                self.found.error("RR0112", f"{self.name} must be a number from {low} to {high}", self.place())
            case "minItems":
                self.found.error("RR0112", f"{self.name} lists nothing", self.place(), help=self.description())
            case "minProperties":
                if isinstance(self.value, Entries) and self.value.entries:
                    self.tell_missing(
                        "score(Player p)", "write how a player's score is worked out: `score(Player p): |`"
                    )
            case "maxProperties":
                message = "the result has one `score` and one `winner`"
                self.found.error("RR0112", message, self.start(), help=self.description())
            case _:
                self.out_of_place()

    def description(self) -> str | None:
        text = self.wants.get("description")
        return f"expected: {text}" if text else None

    def unknown_keys(self) -> None:
        known = list(self.wants.get("properties", {}))
        patterns = list(self.wants.get("patternProperties", {}))
        assert isinstance(self.value, Entries)
        if self.wants.get("title") == "templates" and all(take.is_null(v) for _, v in self.value.entries):
            take.not_a_text("name", self.value, self.found)
            return
        keys = [k for k, _ in self.value.entries if k.text not in known]
        bare = {k for k, v in self.value.entries if take.is_null(v) and " " in k.text}
        for key in islice((k for k in keys if not any(re.search(p, k.text) for p in patterns)), MOST_TOLD):
            shown = [*known, "score(Player p)"] if patterns else known
            place = f"in {self.name}" if self.key is not None else "in a ruleset"
            message = f"`{key.text}` is not known {place}"
            way = self.way_out(key, shown)
            if way is None and key in bare:
                way = "inside `{…}` a `,` ends an entry: put the text before it in quotes if this belongs to it"
            self.found.error("RR0110", message, key.span, help=way, expected=tuple(shown))

    def way_out(self, key: Word, known: list[str]) -> str | None:
        near = nearest(key.text, known)
        if near is not None:
            self.suggested.append(near)
            return f"did you mean `{near}`?"
        sections = self.schema["definitions"]["ruleset"]["properties"]
        if self.key is not None and key.text in sections:
            return f"`{key.text}` is a section of the ruleset: let it begin at the left margin"
        if self.key is None and "(" in key.text:
            return "a text with parameters stands, indented, below `functions:`, `rules:` or `events:`"
        return None

    def lacks(self, error: Any) -> None:
        """Remembers the key that `error` misses here: all that one mapping lacks is told at once."""
        match = re.match(r"'(.*)' is a required property", error.message)
        self.lacking.append(match.group(1) if match else "a key")

    def tell_lacking(self) -> None:
        if not self.lacking:
            return
        if self.wants.get("title") == "timing":
            what = "name the event it hangs on: `before:`, `instead of:` or `after: EVENT(NAMES)`"
            self.tell_missing("after", what, f"the trigger {self.name} does not say when it acts")
            return
        *others, last = self.lacking
        if not others:
            self.tell_missing(last, self.meaning(last))
            return
        where = f" in {self.name}" if self.key is not None else ""
        names = ", ".join(f"`{n}`" for n in others)
        help_ = "\n".join(f"`{n}`: {self.meaning(n)}" for n in self.lacking)
        place = self.key.span if self.key is not None else self.start()
        self.found.error("RR0111", f"{names} and `{last}` are missing{where}", place, help=help_)

    def meaning(self, name: str) -> str | None:
        wanted = self.wants.get("properties", {}).get(name, {})
        description: str | None = self.resolved(wanted).get("description")
        return description

    def resolved(self, wanted: Mapping[str, Any]) -> Mapping[str, Any]:
        if "description" not in wanted and "$ref" in wanted:
            return self.schema["definitions"][wanted["$ref"].rsplit("/", 1)[-1]]  # type: ignore[no-any-return]
        return wanted

    def tell_missing(self, name: str, what: str | None, message: str | None = None) -> None:
        where = f" in {self.name}" if self.key is not None else ""
        place = self.key.span if self.key is not None else self.start()
        help_ = f"`{name}`: {what}" if what and message is None else what
        self.found.error("RR0111", message or f"`{name}` is missing{where}", place, help=help_)

    def wrong_type(self) -> None:
        title = self.wants.get("title")
        if title == "rule text":
            take.rule_text(self.key.text if self.key else "text", self.value, self.found)
            return
        allowed = self.error.validator_value
        names = [allowed] if isinstance(allowed, str) else list(allowed)
        wanted = _type_words(names, title)
        is_ = take.what_is(self.value)
        where = f"an entry of {self.name}" if self.path and isinstance(self.path[-1], int) else self.name
        help_ = NAMES if title == "name" else self.description()
        if title == "name" and self.key is not None and self.key.text == "one_of":
            help_ = f"{NAMES}; a choice of numbers is a `range`"
        source = self.value.span.source
        if isinstance(self.value, Entries) and title == "text" and source.text.startswith("{", self.value.span.start):
            help_ = "a text that begins with `{` must stand in quotes"
        self.found.error("RR0112", f"{where} must be {wanted}, not {is_}", self.place(), help=help_)

    def not_one_of(self, words: Iterable[str]) -> None:
        known = tuple(words)
        said = self.value.piece.text if isinstance(self.value, Scalar) else take.what_is(self.value)
        near = nearest(said, known)
        help_ = f"did you mean `{near}`?" if near else None
        shown = f"`{said}`" if isinstance(self.value, Scalar) and said else "this"
        message = f"{shown} is not a value of {self.name}"
        self.found.error("RR0113", message, self.place(), help=help_, expected=known)

    def not_a_name(self) -> None:
        said = str(self.error.instance)
        span = self.value.span
        if isinstance(self.value, Entries):
            span = next((k.span for k, _ in self.value.entries if k.text == said), span)
        if self.wants.get("title") == "signature":
            message = f"`{said}` is not a name with its parameters"
            help_ = "write a name of letters, digits and `_`, then the parameters: `turn(Player me)`"
        else:
            message = f"`{said}` cannot be a name"
            help_ = NAMES
            if "," in said:
                help_ += "; only variables of the `state` can share a line"
            elif " " in said or "-" in said:
                help_ += f": `{re.sub(r'[ -]+', '_', said)}`"
        self.found.error("RR0131", message, span, help=help_)

    def out_of_place(self) -> None:
        """A key that is known, but not beside what else stands here (the schema says `not`)."""
        place = self.key.span if self.key is not None else self.value.span
        what = "does not go with this `kind` of zone"
        if self.key is not None and self.key.text in ("before", "instead of", "after"):
            what = "is one too many: a trigger has one of `before`, `instead of` and `after`"
        self.found.error("RR0110", f"{self.name} {what}", place, help="take it out")


def _type_words(names: list[str], title: str | None) -> str:
    if title == "number":
        return "a number"
    if title in ("text", "name"):
        return "a text" if title == "text" else "a name"
    words = {"object": "a mapping", "array": "a list", "integer": "a whole number", "boolean": "`true` or `false`"}
    said = [words[n] for n in names if n in words]
    return " or ".join(said) if said else "something else"
