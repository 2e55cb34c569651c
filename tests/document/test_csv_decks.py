"""CSV decks: what the checker sees is what rows would have given, and faults are told in the CSV file."""

from __future__ import annotations

from pathlib import Path

from small_ruleset import SMALL, concise, ruleset_of

from rulerun.document.csvfile import read_csv
from rulerun.document.model import CsvDeck, Entries, Items, Scalar, Value
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.render import render
from rulerun.source.text import Source


def plain(value: Value) -> object:
    match value:
        case Scalar():
            return value.value
        case Items():
            return [plain(v) for v in value.items]
        case Entries():
            return {k.text: plain(v) for k, v in value.entries}


def rows(text: str, *sets: str) -> list[dict[str, object]]:
    found = Diagnostics()
    made = read_csv(Source("cards.csv", text), frozenset(sets), found)
    assert render(found) == ""
    return [{name.text: plain(value) for name, value in row} for row in made]


def faults(text: str) -> list[str]:
    found = Diagnostics()
    read_csv(Source("cards.csv", text), frozenset(), found)
    return render(found, "concise").splitlines()


def test_cells() -> None:
    assert rows("n, colour ,copies\n1,red,2\n -2 , on ,\n") == [
        {"n": 1, "colour": "red", "copies": 2},
        {"n": -2, "colour": "on"},
    ]


def test_sets_and_parts_of_fields() -> None:
    text = "needles,flowers.red,flowers.blue,animal\nleft top,1,,snake\n,,2,\n"
    assert rows(text, "needles") == [
        {"needles": ["left", "top"], "flowers": {"red": 1}, "animal": "snake"},
        {"flowers": {"blue": 2}},
    ]


def test_quotes_comments_blank_lines_and_semicolons() -> None:
    assert rows('# of ours\n\nname,n\n"a ""b"", c",1\n  # more\n"2",3\n') == [
        {"name": 'a "b", c', "n": 1},
        {"name": "2", "n": 3},
    ]
    assert rows("a;b\n1;x,y\n") == [{"a": 1, "b": "x,y"}]
    assert rows("a,b,\n1,2,\n") == [{"a": 1, "b": 2}]


def test_places() -> None:
    source = Source("cards.csv", 'name,sides\n"x ""y""", left  top\n')
    ((name, sides),) = read_csv(source, frozenset({"sides"}), Diagnostics())
    assert str(name[0].span) == "cards.csv:1:1"
    assert isinstance(name[1], Scalar)
    assert "".join(source.text[o] for o in name[1].piece.offsets) == 'x "y""'
    assert isinstance(sides[1], Items)
    assert [str(w.span) for w in sides[1].items] == ["cards.csv:2:12", "cards.csv:2:18"]
    assert [source.text[w.span.start : w.span.end] for w in sides[1].items] == ["left", "top"]


def test_faults() -> None:
    assert faults("a,b\n1\n1,2,3\n") == [
        "cards.csv:2:1: error[RR0121] this row has 1 cell, but the header names 2 fields",
        "cards.csv:3:5: error[RR0121] this row has 3 cells, but the header names 2 fields",
    ]
    assert faults("a,a\n1,2\n") == ["cards.csv:1:3: error[RR0104] there are two columns `a`"]
    assert faults("a.x,a\n1,2\n") == [
        "cards.csv:1:5: error[RR0121] `a` has a column for the whole field and one for a part of it"
    ]
    assert faults('a\n"b"c\n') == ["cards.csv:2:4: error[RR0121] after a closing quote the cell must end"]
    assert faults("a.,b\n") == ["cards.csv:1:1: error[RR0121] this column has no name"]
    assert faults("\n") == ["cards.csv:1:1: error[RR0121] this CSV file is empty"]
    assert faults("a\n" + "1\n" * 2001) == ["cards.csv:2002:1: error[RR0121] this CSV file has more than 2,000 rows"]
    assert faults(",".join(f"c{i}" for i in range(300))) == [
        "cards.csv:1:891: error[RR0121] more than 200 cells are too many here"
    ]


def test_in_a_ruleset(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("colour,sides,flowers.red,copies\nred,left,2,3\n")
    text = SMALL[: SMALL.index("    - {each")] + "    - csv: cards.csv\n" + SMALL[SMALL.index("zones:") :]
    (deck,) = ruleset_of(text, folder=tmp_path).cards.deck
    assert isinstance(deck, CsvDeck)
    assert [{k.text: plain(v) for k, v in row} for row in deck.rows] == [
        {"colour": "red", "sides": ["left"], "flowers": {"red": 2}, "copies": 3}
    ]
    assert concise(text) == [
        "small.yaml:18:12: error[RR0120] cards.csv cannot be read: "
        "this ruleset was not read from a file, so no file lies beside it"
    ]
