"""Variants and extending files: what they change, in which order, and how they clash."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_ruleset import SMALL, attempt, concise, ruleset_of

from rulerun import document
from rulerun.document.model import CsvDeck, Entries, Ruleset
from rulerun.document.overlay import Layer, find_layer
from rulerun.source import shipped
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.files import Folder, text_source
from rulerun.source.text import Span


def rules(ruleset: Ruleset) -> dict[str, str]:
    return {r.signature.text: r.body.text.strip() for r in ruleset.rules}


def options(ruleset: Ruleset) -> dict[str, object]:
    return {o.name.text: o.default.value for o in ruleset.options}


def faults(variant: str, name: str = "third") -> list[str]:
    return concise(SMALL + f"  {name}:\n    {variant}\n", [name])


def test_variants_on_offer() -> None:
    ruleset = ruleset_of()
    assert [(v.name, v.about) for v in ruleset.variants] == [("little ones", "without stings"), ("can't lose", "")]
    assert ruleset.applied == ()


@pytest.mark.parametrize("name", ["little ones", "little-ones", "LITTLE_ONES", "Little Ones"])
def test_names_match_loosely(name: str) -> None:
    ruleset = ruleset_of(variants=[name])
    assert ruleset.applied == ("little ones",)
    assert options(ruleset) == {"hands": 3, "sting": False}
    assert [t.name.text for t in ruleset.triggers] == ["second"]


def test_rules_are_replaced_by_name_and_added() -> None:
    ruleset = ruleset_of(variants=["cant-lose"])
    assert rules(ruleset) == {
        "play": "shuffle deck\n    raise stung(next(me))".replace("    ", ""),
        "turn(Player me, int n)": 'note "other turn"',
        "extra": 'note "extra"',
    }
    assert [t.name.text for t in ruleset.triggers] == ["zeroth", "red sting", "second"]


def test_both_at_once_in_the_order_given_each_once() -> None:
    text = SMALL.replace("ahead of: red sting", "ahead of: second")
    ruleset = ruleset_of(text, ["can't lose", "little ones", "little-ones"])
    assert ruleset.applied == ("can't lose", "little ones")
    assert [t.name.text for t in ruleset.triggers] == ["zeroth", "second"]


def test_settings() -> None:
    ruleset = ruleset_of(settings={"hands": "7", "sting": "false"})
    assert options(ruleset) == {"hands": 7, "sting": False}
    assert ruleset.settings == (("hands", "7"), ("sting", "false"))
    hands = ruleset.options[0]
    assert (hands.default.span.source.name, hands.default.piece.text) == ("--set", "7")
    assert hands.declared is not None
    assert hands.declared.value == 3
    assert hands.range is not None
    assert options(ruleset_of(variants=["little ones"], settings={"sting": "true"})) == {"hands": 3, "sting": True}


def test_unknown_setting() -> None:
    found = attempt(SMALL, settings={"hnads": "7"})[1].found
    assert [(d.code, d.message, d.help) for d in found] == [
        ("RR0127", "there is no option `hnads` to set", "did you mean `hands`?")
    ]


def test_options_are_changed_added_and_removed() -> None:
    text = SMALL + "  third:\n    options:\n      hands: {range: 1..20}\n      more: {default: 2}\n      sting: null\n"
    text = text.replace("if: sting", "if: true")
    ruleset = ruleset_of(text, ["third"])
    assert options(ruleset) == {"hands": 3, "more": 2}
    hands = ruleset.options[0]
    assert hands.range is not None
    assert (hands.range.text, hands.about) == ("1..20", "how many hands")


def test_every_section_can_be_changed() -> None:
    text = SMALL + (
        "  third:\n"
        "    players: 2..3\n"
        "    sources: null\n"
        "    types: {Colour: [green], Size: [big]}\n"
        "    cards: {name: plain, face: {sides: null, wild: bool}, deck: french52}\n"
        "    zones: {meld: null, spent: {kind: row, seen_by: nobody}}\n"
        "    state: {best: null, lap: int}\n"
        "    tables: {points: {of: Rank, else: 0}}\n"
        "    functions: {twice: null, thrice(int n): 3 * n}\n"
        '    events: {stung(Player victim): note "x"}\n'
        "    result: {winner: [lowest score]}\n"
        "    limit: {decisions: 9}\n"
    )
    ruleset = ruleset_of(text, ["third"])
    assert (ruleset.players, ruleset.sources) == ((2, 3), ())
    assert [(t.name.text, [v.text for v in t.values]) for t in ruleset.types] == [
        ("Colour", ["green"]),
        ("Rank", ["low", "high"]),
        ("Size", ["big"]),
    ]
    assert [f.name.text for f in ruleset.cards.fields] == ["mark", "colour", "flowers", "wild"]
    assert ruleset.cards.name is not None
    assert (ruleset.cards.name.text, len(ruleset.cards.deck)) == ("plain", 1)
    assert [(z.name.text, z.kind.text) for z in ruleset.zones] == [("deck", "pile"), ("spent", "row"), ("hand", "hand")]
    assert [s.name.text for s in ruleset.state] == ["total", "lap"]
    assert [(t.name.text, len(t.entries)) for t in ruleset.tables] == [("points", 0), ("pairs", 2)]
    assert [f.signature.text for f in ruleset.functions] == ["thrice(int n)"]
    assert ruleset.events[0].body.text == 'note "x"'
    assert ruleset.result is not None
    assert [w.text for w in ruleset.result.winner] == ["lowest score"]
    assert ruleset.result.score.body.text == "total[p]\n"
    assert ruleset.limit is not None
    assert (ruleset.limit.decisions.value, ruleset.limit.then_draw) == (9, True)
    assert ruleset_of(SMALL + "  third: {limit: null}\n", ["third"]).limit is None


def test_a_section_that_the_base_lacks_can_be_added() -> None:
    text = SMALL.replace("limit: {decisions: 500, then: draw}\n", "")
    assert ruleset_of(text + "  third: {limit: {decisions: 9}}\n", ["third"]).limit is not None


@pytest.mark.parametrize(
    ("variant", "told"),
    [
        ("options: {hadns: 3}", "small.yaml:69:15: error[RR0125] there is no option `hadns` to change or take away"),
        (
            "options: {no: {range: 1..2}}",
            "small.yaml:69:15: error[RR0125] there is no option `no` to change or take away",
        ),
        ("zones: {mled: null}", "small.yaml:69:13: error[RR0125] there is no zone `mled` to change or take away"),
        ("rules: {trun: null}", "small.yaml:69:13: error[RR0125] there is no rule `trun` to change or take away"),
        (
            "cards: {face: {sids: null}}",
            "small.yaml:69:20: error[RR0125] there is no `cards.face.sids` to change or take away",
        ),
        (
            "triggers: {secnd: null}",
            "small.yaml:69:16: error[RR0125] there is no trigger `secnd` to change or take away",
        ),
        ("result: {winner: null}", "small.yaml:51:3: error[RR0112] `winner` is missing here"),
        ("after: litle ones", "small.yaml:69:12: error[RR0126] there is no other variant `litle ones` to come after"),
        ("after: third", "small.yaml:69:12: error[RR0126] there is no other variant `third` to come after"),
    ],
)
def test_faults(variant: str, told: str) -> None:
    assert faults(variant) == [told]


def test_unknown_variant_says_what_there_is() -> None:
    found = attempt(SMALL, ["litle ones"])[1].found
    assert [(d.code, d.help, d.expected) for d in found] == [
        ("RR0123", "did you mean `little ones`?", ("little ones", "can't lose"))
    ]


CLASHING = SMALL + "  third: {options: {sting: true}}\n  fourth: {options: {hands: 4}, triggers: {red sting: null}}\n"


def test_clashes_name_both_places() -> None:
    found = attempt(CLASHING, ["third", "little ones"])[1].found
    assert [(d.code, d.message, str(d.span), str(d.notes[0].span)) for d in found] == [
        (
            "RR0124",
            "the variants `third` and `little ones` both change the option `sting`",
            "small.yaml:59:15",
            "small.yaml:68:21",
        )
    ]


def test_equal_changes_do_not_clash() -> None:
    ruleset = ruleset_of(CLASHING, ["fourth", "little ones"])
    assert ruleset.applied == ("fourth", "little ones")
    assert options(ruleset) == {"hands": 4, "sting": False}
    assert [t.name.text for t in ruleset.triggers] == ["second"]


def test_after_settles_a_clash_and_the_order() -> None:
    text = SMALL + "  third: {after: little-ones, options: {sting: true, hands: 1}}\n"
    for order in (["third", "little ones"], ["little ones", "third"]):
        ruleset = ruleset_of(text, order)
        assert ruleset.applied == ("little ones", "third")
        assert options(ruleset) == {"hands": 1, "sting": True}
    assert ruleset_of(text, ["third"]).applied == ("third",)


def extending(tmp_path: Path, text: str, variants: list[str] | None = None) -> Ruleset:
    (tmp_path / "base.yaml").write_text(SMALL)
    return ruleset_of(text, variants or [], folder=tmp_path)


def test_extending_file(tmp_path: Path) -> None:
    ruleset = extending(
        tmp_path,
        'extends: base.yaml\ngame: Other\nabout: another game\noptions: {hands: 5}\n'
        'rules:\n  turn(Player me): |\n    note "mine"\n'
        "variants:\n  mine: {options: {hands: 6}}\n",
        ["mine", "little ones"],
    )
    assert (ruleset.game.text, ruleset.about) == ("Other", "another game")
    assert options(ruleset) == {"hands": 6, "sting": False}
    assert [v.name for v in ruleset.variants] == ["little ones", "can't lose", "mine"]
    assert rules(ruleset)["turn(Player me)"] == 'note "mine"'
    assert str(ruleset.rules[1].body.span(0)) == "small.yaml:7:5"
    assert ruleset.rules[0].body.source.name == str(tmp_path / "base.yaml")


def test_files_of_a_base_lie_beside_it(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "cards.csv").write_text("n\n1\n2\n")
    text = (
        SMALL[: SMALL.index("cards:")]
        + "cards: {face: {n: int}, deck: {csv: cards.csv}}\n"
        + SMALL[SMALL.index("zones:") :]
    )
    (inner / "base.yaml").write_text(text)
    ruleset = ruleset_of("extends: inner/base.yaml\n", folder=tmp_path)
    assert isinstance(ruleset.cards.deck[0], CsvDeck)
    assert len(ruleset.cards.deck[0].rows) == 2


def test_faults_lie_in_the_file_that_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(SMALL.replace("kind: hand", "kind: hnad"))
    told = concise("extends: base.yaml\nzones: {meld: {kind: rwo}}\n", folder=tmp_path)
    assert [line.replace(f"{tmp_path}/", "") for line in told] == [
        "small.yaml:2:22: error[RR0113] `rwo` is not a value of `kind`",
    ]
    told = concise("extends: base.yaml\n", folder=tmp_path)
    assert [line.replace(f"{tmp_path}/", "") for line in told] == [
        "base.yaml:22:16: error[RR0113] `hnad` is not a value of `kind`"
    ]


def test_a_chain_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(SMALL)
    for i in range(12):
        below = "base" if i == 0 else f"f{i - 1}"
        (tmp_path / f"f{i}.yaml").write_text(f"extends: {below}.yaml\ngame: G{i}\n")
    assert ruleset_of("extends: f5.yaml\n", folder=tmp_path).game.text == "G5"
    assert [line.split(": ", 1)[1] for line in concise("extends: f11.yaml\n", folder=tmp_path)] == [
        "error[RR0122] more than 8 files extend each other"
    ]


def test_variants_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(SMALL)
    told = concise("extends: base.yaml\nvariants:\n  Little-Ones: {about: x}\n", folder=tmp_path)
    assert told == ["small.yaml:3:3: error[RR0128] the name `Little-Ones` does not tell this variant from another"]


def test_a_shipped_ruleset_can_be_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "plain.yaml").write_text(SMALL)
    monkeypatch.setattr(shipped, "_root", lambda: tmp_path)
    assert shipped.shipped_names() == ["plain"]
    for name in ("plain", "plain.yaml"):
        assert ruleset_of(f"extends: {name}\ngame: Other\n").game.text == "Other"
    assert shipped.find_shipped("../plain") is None
    assert shipped.find_shipped("other") is None
    found = attempt("extends: plian\n")[1].found
    assert [(d.code, d.message, d.help) for d in found] == [
        ("RR0120", "there is no shipped ruleset `plian`", "did you mean `plain`?")
    ]
    found = attempt("extends: ../x.yaml\n", folder=tmp_path)[1].found
    assert [(d.code, d.message) for d in found] == [
        ("RR0120", "../x.yaml is not the name of a file in or below the folder of the ruleset")
    ]


EXTENDING = """\
extends: small.yaml
{after}options: {{hands: 7}}
functions: {{extra(int n): n}}
variants:
  my own: {{options: {{hands: 8}}}}
"""


def extended(folder: Path, variants: list[str], after: str = "") -> tuple[Ruleset | None, Diagnostics]:
    (folder / "small.yaml").write_text(SMALL + "  more:\n    options: {hands: 9}\n")
    found = Diagnostics()
    source = text_source("mine.yaml", EXTENDING.format(after=after))
    return document.read(source, folder=Folder(folder), variants=variants, found=found), found


def test_an_extending_file_clashes_with_a_variant_of_its_base(tmp_path: Path) -> None:
    ruleset, found = extended(tmp_path, ["more"])
    assert ruleset is None
    assert [(d.code, d.message, str(d.span), d.help) for d in found] == [
        (
            "RR0124",
            "`mine.yaml` and the variant `more` both change the option `hands`",
            "mine.yaml:2:11",
            "leave the variant off, or say in `mine.yaml` that the file comes last: `after: more`",
        )
    ]


@pytest.mark.parametrize(
    ("variants", "after", "hands"),
    [
        ([], "", 7),
        (["little ones"], "", 7),
        (["more"], "after: more\n", 7),
        (["more"], "after: [more, can't lose]\n", 7),
        (["my own"], "", 8),
        (["my own", "more"], "after: more\n", None),
    ],
)
def test_who_comes_last(tmp_path: Path, variants: list[str], after: str, hands: int | None) -> None:
    ruleset, found = extended(tmp_path, variants, after)
    if hands is None:
        assert [d.message for d in found] == ["the variants `my own` and `more` both change the option `hands`"]
    else:
        assert ruleset is not None
        assert options(ruleset)["hands"] == hands


def test_a_file_comes_only_after_variants_of_its_base(tmp_path: Path) -> None:
    assert [(d.code, d.message) for d in extended(tmp_path, [], "after: my own\n")[1]] == [
        ("RR0126", "there is no variant `my own` of a file before this one to come after")
    ]


def test_a_variant_is_found_by_a_part_of_its_name_that_no_other_has() -> None:
    span = Span(text_source("a.yaml", "a"), 0, 1)
    layers = [Layer(name, Entries((), span), span) for name in ("if you can't beat 'em", "calm sea", "calm air")]

    def named(name: str) -> str | None:
        layer = find_layer(name, layers)
        return layer.name if layer else None

    assert named("cant-beat-em") == "if you can't beat 'em"
    assert named("SEA") == "calm sea"
    assert named("calm") is None  # two hold it
    assert named("Calm-Air") == "calm air"
    assert named("-") is None


USUAL = (
    SMALL
    + """\
  third:
    rules: {turn(Player p): as usual}
    functions: {twice(int n): as usual + 1}
    result: {score(Player p): as usual}
  fourth:
    after: third
    rules: {turn: null}
    functions: {twice(int k): 3}
  fifth:
    after: [fourth, third]
    rules: {turn(Player p): as usual}
    events: {stung(Player v): as usual}
  twin:
    rules: {turn(Player q): as usual}
"""
)


def below(ruleset: Ruleset, section: str) -> list[list[str]]:
    """The texts of each procedure of a section, the topmost first."""
    result = []
    for decl in getattr(ruleset, section):
        texts = []
        while decl is not None:
            texts.append(f"{decl.signature.text}: {decl.body.text.strip()}")
            decl = decl.replaced
        result.append(texts)
    return result


def test_what_a_layer_replaces_stays_below_it() -> None:
    ruleset = ruleset_of(USUAL, ["third"])
    assert below(ruleset, "functions") == [["twice(int n): as usual + 1", "twice(int n): 2 * n"]]
    assert below(ruleset, "rules")[1] == ["turn(Player p): as usual", 'turn(Player me): note "turn"']
    assert below(ruleset, "events") == [['stung(Player victim): note "ouch"']]
    assert ruleset.result is not None
    assert ruleset.result.score.replaced is not None
    assert ruleset.result.score.replaced.body.text == "total[p]\n"


def test_what_was_taken_away_is_below_nothing() -> None:
    ruleset = ruleset_of(USUAL, ["third", "fourth", "fifth"])
    assert below(ruleset, "functions") == [["twice(int k): 3", "twice(int n): as usual + 1", "twice(int n): 2 * n"]]
    assert below(ruleset, "rules")[1] == ["turn(Player p): as usual"]
    assert below(ruleset, "events") == [["stung(Player v): as usual", 'stung(Player victim): note "ouch"']]


def test_variants_that_say_the_same_are_one_layer() -> None:
    assert below(ruleset_of(USUAL, ["third", "twin"]), "rules")[1] == [
        "turn(Player q): as usual",
        'turn(Player me): note "turn"',
    ]
