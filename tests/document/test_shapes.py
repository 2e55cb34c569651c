"""The quick walk over shapes and the JSON schema are two tellers of one truth: here they are held together."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from small_ruleset import SMALL, concise

from rulerun.document import read, take
from rulerun.document.shape import explain_shape, schema_text
from rulerun.document.yaml import read_yaml
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder, text_source
from rulerun.source.render import render

SCHEMA: dict[str, Any] = json.loads(schema_text())

SHAPE_CODES = {"RR0110", "RR0111", "RR0112", "RR0113", "RR0131"}


def test_the_schema_is_a_schema_without_one_of() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert "oneOf" not in schema_text()
    assert "anyOf" not in schema_text()
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"


def test_every_reference_leads_somewhere() -> None:
    references = [
        line.split('"#/definitions/', 1)[1].split('"', 1)[0] for line in schema_text().split("$ref")[1:] if line
    ]
    assert set(references) == set(SCHEMA["definitions"])


def test_jsonschema_is_imported_for_faults_only() -> None:
    program = """
import sys
from rulerun.document import read
from rulerun.source.files import Folder, text_source
from rulerun.source.diagnostic import Diagnostics
text = sys.stdin.read()
for more in ("", "x: 1"):
    read(text_source("a", text + more), folder=Folder(None), found=Diagnostics())
    print("jsonschema" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], input=SMALL, capture_output=True, text=True, check=True)
    assert done.stdout == "False\nTrue\n"


def verdicts(text: str) -> tuple[bool, bool] | None:
    """Whether the quick walk and the schema find the shape of `text` right; None where YAML cannot read it."""
    source = text_source("a.yaml", text)
    root = read_yaml(source, Diagnostics())
    if root is None:
        return None
    found = Diagnostics()
    read(source, folder=Folder(None), found=found)
    if any(d.code == "RR0108" for d in found):  # YAML misread a text: the walk says so before it asks for the shape
        return None
    walked = not any(d.code in SHAPE_CODES for d in found)
    errors = list(Draft7Validator(SCHEMA).iter_errors(take.plain(root)))
    # Rule text that is not there is a matter of text for the walk and of shape for the schema.
    errors = [e for e in errors if not (isinstance(e.schema, dict) and e.schema.get("title") == "rule text")]
    return walked, not errors


VALUES = [
    "3",
    "x",
    "[a, b]",
    "[1, [2]]",
    "{a: 1}",
    "{kind: pile}",
    "{type: int}",
    "true",
    "null",
    "''",
    "{of: A}",
    "1.5",
]
LINES = SMALL.splitlines()


KEYED = [
    number
    for number, line in enumerate(LINES)
    if ":" in line and not line.strip().startswith(("-", "shuffle", "raise", "note"))
]
"""The lines that are a key of YAML with what it holds."""


def test_walk_and_schema_agree() -> None:
    ends: Counter[str] = Counter()

    @given(st.sampled_from(KEYED), st.sampled_from(VALUES), st.sampled_from(["value", "drop", "rename"]))
    @settings(max_examples=250, deadline=None)
    def try_change(number: int, value: str, how: str) -> None:
        key, _, rest = LINES[number].partition(":")
        changed = {"value": [f"{key}: {value}"], "drop": [], "rename": [f"{key}x:{rest}"]}[how]
        told = verdicts("\n".join([*LINES[:number], *changed, *LINES[number + 1 :]]) + "\n")
        ends["no YAML" if told is None else "sound" if told[0] else "faulty"] += 1
        assert told is None or told[0] == told[1]

    try_change()
    assert min(ends["sound"], ends["faulty"]) >= 30, ends


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("zones: {d: {kind: pile, columns: 0}}", "`columns` does not go with this `kind` of zone"),
        ("zones: {d: {kind: row, columns: 0}}", "`columns` must be a number from 1 to 100"),
        ("zones: {d: {kind: hand, refill: {from: x}}}", "`refill` does not go with this `kind` of zone"),
        ("zones: {d: {kind: 3}}", "`3` is not a value of `kind`"),
        (
            "zones: {d: {kind: pile, refill: {from: x, shuffle: maybe}}}",
            "`shuffle` must be `true` or `false`, not a text",
        ),
        ("triggers: {t: {before: e(), instead of: e(), do: x}}", "`instead of` is one too many: a trigger has one of"),
        ("limit: {decisions: 3, then: win}", "`win` is not a value of `then`"),
        ("types: {A: {sorted: [a]}}", "`sorted` is not known in `A`"),
        ("cards: {deck: [3, [a]]}", "an entry of `deck` must be a text, not a list"),
        ("cards: {deck: {csv: a.csv, copies: 3}}", "`copies` is not known in `deck`"),
        ("cards: {deck: {standard: french52, joker: 3}}", "`joker` is not known in `deck`"),
        ("result: {winner: []}", "`winner` lists nothing"),
        ("result: {score(Player p): 1, score: 2, winner: x}", "the result has one `score` and one `winner`"),
        ("variants: {a: {after: [[b]]}}", "an entry of `after` must be a text, not a list"),
        ("variants: {a: }", "`a` must be a mapping, not nothing"),
        ("options: {a b: {default: 1}}", "`a b` cannot be a name"),
        ("players: [2]", "`players` must be a text, not a list"),
    ],
)
def test_faults_of_shape(text: str, told: str) -> None:
    section = text.split(":", 1)[0]
    kept, inside = [], False
    for line in LINES:
        inside = line.startswith(f"{section}:") or (inside and line.startswith(" "))
        if not inside:
            kept.append(line)
    lines = concise("\n".join(kept) + f"\n{text}\n")
    assert [line for line in lines if told in line] != []


def test_the_walk_speaks_where_the_schema_is_silent() -> None:
    """2.0 is an integer for JSON schema but not here."""
    assert concise(SMALL.replace("columns: 2,", "columns: 2.0,")) == [
        "small.yaml:23:70: error[RR0112] a whole number is expected here, not a number"
    ]


def test_explaining_what_is_right_finds_nothing() -> None:
    found = Diagnostics()
    root = read_yaml(text_source("a.yaml", SMALL), found)
    assert root is not None
    assert not explain_shape(root, found)
    assert render(found) == ""


def test_many_faults_are_bounded() -> None:
    found = Diagnostics()
    text = "".join(f"k{i}: 1\n" for i in range(5000))
    read(text_source("a.yaml", text), folder=Folder(None), found=found)
    assert 100 <= len(found.found) <= 110


@pytest.mark.parametrize(
    "line",
    [
        "state: {a: int}",
        'state: {"a, b": int}',
        'state: {"a , b,c": {type: int}}',
        'state: {"a,": int}',
        'state: {"a, 2b": int}',
        "zones: {'a, b': {kind: pile}}",
        "options: {a: {one_of: [b, c], default: b}}",
        "options: {a: {one_of: b, default: b}}",
        "options: {a: {one_of: [1], default: b}}",
        "options: {a: {one_of: {b: c}, default: b}}",
        "options: {a: {one_of: [b-c], default: b}}",
        "options: {a: {one_of: [b]}}",
        "cards: {deck: {standard: french52, ranks: [ace, two..king]}}",
        "cards: {deck: {standard: french52, ranks: ace}}",
        "cards: {deck: {standard: french52, ranks: [[ace]]}}",
        "cards: {deck: {standard: french52, rank: ace}}",
        "zones: {a: {kind: pile, seen_by: everyone if b else owner}}",
        "zones: {a: {kind: pile, seen_by: everyone or owner}}",
        "zones: {a: {kind: pile, seen_by: [owner]}}",
    ],
)
@pytest.mark.parametrize("where", ["base", "variant"])
def test_walk_and_schema_agree_about_short_forms(line: str, where: str) -> None:
    section = line.partition(":")[0]
    if where == "variant":
        text = SMALL + f"  third: {{{line}}}\n"
    else:
        start = SMALL.index(f"\n{section}:") + 1
        end = SMALL.index("\n", start) + 1
        while SMALL[end] == " ":
            end = SMALL.index("\n", end) + 1
        text = SMALL[:start] + line + "\n" + SMALL[end:]
    told = verdicts(text)
    assert told is not None
    assert told[0] == told[1]


def test_what_variables_on_one_line_share_is_told_once() -> None:
    assert concise(SMALL.replace("total: int per Player", "total, sum_of, most: {typ: int}")) == [
        "small.yaml:25:25: error[RR0110] `typ` is not known in `total`"
    ]
