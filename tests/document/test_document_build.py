"""From text to the typed document: every section, in every form that is accepted."""

from __future__ import annotations

from small_ruleset import SMALL, attempt, concise, ruleset_of

from rulerun.document.model import CardsDecl, Items, RowDeck, Scalar, StandardDeck


def changed(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new)


def cards(text: str) -> CardsDecl:
    start, end = SMALL.index("cards:"), SMALL.index("zones:")
    return ruleset_of(SMALL[:start] + text + SMALL[end:]).cards


def test_head() -> None:
    ruleset = ruleset_of()
    assert (ruleset.game.text, str(ruleset.game.span)) == ("Small", "small.yaml:2:7")
    assert (ruleset.language, ruleset.players, str(ruleset.players_span)) == (1, (2, 4), "small.yaml:3:10")
    assert (ruleset.about, ruleset.sources) == ("", ("the book", "a page"))
    assert ruleset_of(changed("players: 2..4", "players: 3")).players == (3, 3)
    assert ruleset_of(changed("sources: [the book, a page]", "sources: the book\nabout: It is small.")).sources == (
        "the book",
    )


def test_options() -> None:
    hands, sting = ruleset_of().options
    assert (hands.name.text, hands.default.value, hands.about) == ("hands", 3, "how many hands")
    assert hands.range is not None
    assert (hands.range.text, str(hands.range.span())) == ("1..9", "small.yaml:5:30")
    assert (sting.default.value, sting.type, sting.range, sting.about) == (True, None, None, "")


def test_an_option_lists_its_choices() -> None:
    text = changed("{default: true}", "{one_of: [left, no, on], default: no}")
    sting = ruleset_of(text).options[1]
    assert sting.choices is not None
    assert [str(c) for c in sting.choices] == ["left", "no", "on"]  # YAML 1.1 would read two of them as switches
    assert (sting.type, sting.default.value) == (None, "no")


def test_types() -> None:
    colour, rank = ruleset_of().types
    assert (colour.ordered, [v.text for v in colour.values]) == (False, ["red", "blue"])
    assert (rank.ordered, [str(v.span) for v in rank.values]) == (True, ["small.yaml:9:20", "small.yaml:9:25"])


def test_rows() -> None:
    made = ruleset_of().cards
    assert [(f.name.text, f.type.text, f.printed_on) for f in made.fields] == [
        ("mark", "int", "back"),
        ("colour", "Colour", "face"),
        ("flowers", "int per Colour", "face"),
        ("sides", "set of Side", "face"),
    ]
    assert made.name is not None
    assert made.name.text == "{colour}"
    (row,) = made.deck
    assert isinstance(row, RowDeck)
    assert [k.text for k, _ in row.each] == ["colour"]
    assert [k.text for k, _ in row.cells] == ["mark"]
    assert row.copies is not None
    assert row.where is not None
    assert (row.copies.value, row.where.text) == ("2 if colour == red else 1", "colour == red")


def test_decks() -> None:
    (deck,) = cards("cards: {deck: french52}\n").deck
    assert isinstance(deck, StandardDeck)
    assert (deck.name.text, deck.where, deck.jokers, deck.copies) == ("french52", None, None, None)
    text = "cards: {deck: {standard: french52, where: rank != ace, jokers: 2, copies: 2}}\n"
    (deck,) = cards(text).deck
    assert isinstance(deck, StandardDeck)
    assert deck.where is not None
    assert deck.jokers is not None
    assert (deck.name.text, deck.where.text, deck.jokers.value) == ("french52", "rank != ace", 2)
    (deck,) = cards("cards: {deck: {standard: french52, ranks: [ace, two..king]}}\n").deck
    assert isinstance(deck, StandardDeck)
    assert deck.ranks is not None
    assert [(r.text, r.span.line, r.span.column) for r in deck.ranks] == [("ace", 10, 44), ("two..king", 10, 49)]
    (row,) = cards("cards: {face: {n: int}, deck: {n: 1}}\n").deck
    assert isinstance(row, RowDeck)
    kinds = [type(p).__name__ for p in cards("cards:\n  deck: [french52, {suit: stars}, {standard: tarot78}]\n").deck]
    assert kinds == ["StandardDeck", "RowDeck", "StandardDeck"]


def test_zones() -> None:
    deck, spent, hand, meld = ruleset_of().zones
    assert deck.seen_by is not None
    assert (deck.kind.text, deck.per, deck.seen_by.text, deck.columns) == ("pile", (), "nobody", None)
    assert deck.start is not None
    assert deck.refill is not None
    assert deck.refill.keep is not None
    assert (deck.start.value, deck.refill.source.text, deck.refill.keep.value) == ("deck", "spent", 1)
    assert deck.refill.shuffle
    assert (spent.start, spent.refill) == (None, None)
    assert (hand.seen_by, [p.text for p in hand.per]) == (None, ["player"])
    assert ([p.text for p in meld.per], meld.columns, meld.about) == (["player", "1..7"], 2, "laid down")


def test_state() -> None:
    total, best = ruleset_of().state
    assert (total.type.text, total.start) == ("int per Player", None)
    assert best.start is not None
    assert (best.type.text, best.start.value) == ("int per Player", 999)


def test_tables() -> None:
    points, pairs = ruleset_of().tables
    assert ([o.text for o in points.of], points.type) == (["Rank"], None)
    assert [k.text for k, _ in points.entries] == ["low"]
    assert isinstance(points.otherwise, Scalar)
    assert points.otherwise.value == 5
    assert pairs.type is not None
    assert ([o.text for o in pairs.of], pairs.type.text) == (["Rank", "Rank"], "int")
    assert [k.text for k, _ in pairs.entries] == ["low", "high"]


def test_procedures() -> None:
    ruleset = ruleset_of()
    (twice,) = ruleset.functions
    assert (twice.name.text, twice.signature.text, twice.body.text) == ("twice", "twice(int n)", "2 * n")
    assert str(twice.signature.span(6, 9)) == "small.yaml:31:9"
    assert [r.name.text for r in ruleset.rules] == ["play", "turn"]
    assert ruleset.rules[0].body.text == "shuffle deck\nraise stung(next(me))\n"
    assert str(ruleset.rules[0].body.span(13)) == "small.yaml:35:5"
    assert [e.signature.text for e in ruleset.events] == ["stung(Player victim)"]


def test_triggers() -> None:
    red, second = ruleset_of().triggers
    assert (red.name.text, red.timing, red.event.text, red.body.text) == (
        "red sting",
        "after",
        "stung(p)",
        'note "again"\n',
    )
    assert red.condition is not None
    assert (red.condition.text, second.timing, second.condition) == ("sting", "instead of", None)


def test_result_and_limit() -> None:
    ruleset = ruleset_of()
    assert ruleset.result is not None
    assert ruleset.limit is not None
    assert (ruleset.result.score.name.text, ruleset.result.score.signature.text) == ("score", "score(Player p)")
    assert [w.text for w in ruleset.result.winner] == ["highest score", "lowest best"]
    assert (ruleset.limit.decisions.value, ruleset.limit.then_draw) == (500, True)
    text = changed("limit: {decisions: 500, then: draw}\n", "").replace("[highest score, lowest best]", "highest score")
    ruleset = ruleset_of(text)
    assert ruleset.result is not None
    assert (ruleset.limit, [w.text for w in ruleset.result.winner]) == (None, ["highest score"])


def test_accented_names_are_composed() -> None:
    text = changed("spent", "de\u0301fausse")
    assert ruleset_of(text).zones[1].name.text == "d\u00e9fausse"


def test_lists_of_rows_keep_their_values() -> None:
    made = cards("cards:\n  face: {sides: set of Side}\n  deck:\n    - {sides: [left, on]}\n")
    (row,) = made.deck
    assert isinstance(row, RowDeck)
    value = row.cells[0][1]
    assert isinstance(value, Items)
    assert [s.value for s in value.items if isinstance(s, Scalar)] == ["left", "on"]


def test_an_empty_section_is_no_section() -> None:
    start, end = SMALL.index("tables:"), SMALL.index("functions:")
    assert ruleset_of(SMALL[:start] + "tables:\n" + SMALL[end:]).tables == ()


def test_faults_of_variants_are_found_without_laying_them_on() -> None:
    assert concise(SMALL + "  third: {zones: {deck: {kind: pille}}, rules: {play: }, optoins: {}}\n") == [
        "small.yaml:68:32: error[RR0113] `pille` is not a value of `kind`",
        "small.yaml:68:58: error[RR0110] `optoins` is not known in `third`",
    ]


def test_several_faults_of_shape_are_told_at_once() -> None:
    text = changed("kind: hand", "knid: hand").replace("decisions: 500", "decisions: [5]").replace("rulerun: 1\n", "")
    assert concise(text) == [
        "small.yaml:1:1: error[RR0111] `rulerun` is missing",
        "small.yaml:21:10: error[RR0110] `knid` is not known in `hand`",
        "small.yaml:53:20: error[RR0112] `decisions` must be a text, not a list",
    ]


def test_comments_after_rule_text_are_comments() -> None:
    text = changed("do: as usual", "do: as usual   # the text of the event")
    assert ruleset_of(text).triggers[1].body.text == "as usual"


def test_nothing_is_raised_for_a_document_of_the_wrong_shape() -> None:
    for text in (
        "rulerun: 1",
        "rules: 3",
        "cards: []",
        "variants: [a]",
        "extends: [a]",
        "extends:",
        "options: {a: {}}",
    ):
        assert attempt(text)[0] is None
