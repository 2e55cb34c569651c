"""The codes RR0101 to RR0199: how a file is written and put together, before anything in it is given a meaning."""

from __future__ import annotations

from rulerun.source.code import Code

DOCUMENT: dict[str, Code] = {
    "RR0101": Code(
        "a line that YAML cannot place",
        "YAML reads structure out of indentation and `name:`. A line that fits neither what stands above it nor what "
        "surrounds it could belong to anything, so it belongs to nothing.",
        "rules:\n  play: |\n    shuffle deck\n deal 1 from deck to hand",
        "rules:\n  play: |\n    shuffle deck\n    deal 1 from deck to hand",
    ),
    "RR0102": Code(
        "a tab in the indentation",
        "Editors show tabs as two, four or eight columns; YAML therefore counts spaces only.",
        "zones:\n\tdeck: {kind: pile}",
        "zones:\n  deck: {kind: pile}",
    ),
    "RR0103": Code(
        "a character that may not stand in a ruleset",
        "Control characters, unusual line ends and invisible marks cannot be seen by who reads the file.",
        'game: "bell\\a"',
        'game: "bell"',
    ),
    "RR0104": Code(
        "the same key twice",
        "Plain YAML lets the last one win without a word, so that a rule silently vanishes.",
        "zones:\n  deck: {kind: pile}\n  deck: {kind: row}",
        "zones:\n  deck: {kind: pile}\n  table: {kind: row}",
    ),
    "RR0105": Code(
        "an anchor, alias, tag or merge key",
        "They make a file of a few lines grow without bounds and hide what a value is. A ruleset says all it means.",
        "zones:\n  deck: &pile {kind: pile}\n  spent: *pile",
        "zones:\n  deck: {kind: pile}\n  spent: {kind: pile}",
    ),
    "RR0106": Code(
        "a second document or a directive",
        "A ruleset is one document; what follows a second `---` would never be read.",
        "game: One\n---\ngame: Two",
        "game: One",
    ),
    "RR0107": Code(
        "too large, too deep or too many values",
        "A ruleset is text from strangers and must not exhaust the machine that reads it. No game needs as much.",
        "sources: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ … ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "sources: [the rulebook]",
    ),
    "RR0108": Code(
        "a text that YAML cuts or misreads",
        "YAML keeps some signs for itself: a text cannot begin with `@`, `{`, `>`, `- ` or `#`, nor hold `: ` or ` #`, "
        "unless it stands in a `|` block or in quotes.",
        'rules:\n  play: note "hands: {count(hand)}"',
        'rules:\n  play: |\n    note "hands: {count(hand)}"',
    ),
    "RR0109": Code(
        "rule text in a folded text",
        "YAML joins the lines of a `>` block and of a text that runs on, so neither its lines nor the places of "
        "its faults can be told.",
        "rules:\n  play: >\n    shuffle deck",
        "rules:\n  play: |\n    shuffle deck",
    ),
    "RR0110": Code(
        "an unknown key",
        "A misspelt key would otherwise be left out of the game without a word.",
        "zones:\n  deck: {kind: pile, seen_bye: nobody}",
        "zones:\n  deck: {kind: pile, seen_by: nobody}",
    ),
    "RR0111": Code(
        "a missing key",
        "Without it the part cannot be understood, and a guess would be a different game.",
        "zones:\n  deck: {seen_by: nobody}",
        "zones:\n  deck: {kind: pile, seen_by: nobody}",
    ),
    "RR0112": Code(
        "a value of the wrong shape",
        "A list stands where a text is wanted, a text where a mapping is wanted, and the like.",
        "zones: [deck, hand]",
        "zones:\n  deck: {kind: pile, seen_by: nobody}",
    ),
    "RR0113": Code(
        "a word that is not one of those that can stand here",
        "The engine knows a few kinds of zones and of sight; anything else is a slip.",
        "zones:\n  deck: {kind: pille, seen_by: nobody, start: deck}",
        "zones:\n  deck: {kind: pile, seen_by: nobody, start: deck}",
    ),
    "RR0114": Code(
        "a file without sections",
        "It is empty, holds only comments, or is not a list of `name: value` at all.",
        "# to be written",
        "rulerun: 1\ngame: Mine",
    ),
    "RR0115": Code(
        "an unknown version of the language",
        "A ruleset keeps its meaning for ever within one version, so the version must be one that is known.",
        "rulerun: 7",
        "rulerun: 1",
    ),
    "RR0116": Code(
        "not a number of players",
        "It is a whole number, or the fewest and the most with two dots between.",
        "players: two to five",
        "players: 2..5",
    ),
    "RR0117": Code(
        "a key that is no text",
        "Keys are names and signatures on one line; in braces a comma ends an entry, also one that says nothing yet.",
        "zones:\n  [deck, hand]: {kind: pile}",
        "zones:\n  deck: {kind: pile}\n  hand: {kind: hand}",
    ),
    "RR0118": Code(
        "no rule text",
        "A rule without text would do nothing; most often its lines are not indented or were forgotten.",
        "rules:\n  play:",
        "rules:\n  play: |\n    shuffle deck",
    ),
    "RR0119": Code(
        "a quote or bracket that does not match",
        "What is opened and not closed swallows the lines that follow.",
        "zones:\n  deck: {kind: pile, seen_by: nobody",
        "zones:\n  deck: {kind: pile, seen_by: nobody}",
    ),
    "RR0120": Code(
        "a file that cannot be read",
        "A ruleset may name a CSV file or a ruleset to extend: in its own folder or below, and nowhere else.",
        "extends: ../../secret.yaml",
        "extends: base.yaml",
    ),
    "RR0121": Code(
        "a fault in a CSV file",
        "The first line names the fields; every row has as many cells.",
        "number,colour\n1,red,3",
        "number,colour\n1,red",
    ),
    "RR0122": Code(
        "rulesets that extend each other in a circle",
        "Each would wait for the other.",
        "extends: this_very_file.yaml",
        "extends: base.yaml",
    ),
    "RR0123": Code(
        "an unknown variant",
        "`--with` names a variant of the ruleset; case, spaces, hyphens and apostrophes do not count.",
        "--with litle-ones",
        "--with little-ones",
    ),
    "RR0124": Code(
        "two variants, or a variant and an extending file, that change the same part",
        "Which of them counts must be said, not left to the order in which they are named.",
        "variants:\n  short: {options: {hands: 2}}\n  long: {options: {hands: 9}}",
        "variants:\n  short: {options: {hands: 2}}\n  long: {after: short, options: {hands: 9}}",
    ),
    "RR0125": Code(
        "a change to a part that is not there",
        "A variant that takes away or sets what does not exist changes nothing, so it is misspelt.",
        "variants:\n  tame: {triggers: {red stng: null}}",
        "variants:\n  tame: {triggers: {red sting: null}}",
    ),
    "RR0126": Code(
        "variants in no possible order",
        "`after:` names another variant, and not in a circle.",
        "variants:\n  a: {after: b}\n  b: {after: a}",
        "variants:\n  a: {after: b}\n  b: {}",
    ),
    "RR0127": Code(
        "an unknown option in `--set`",
        "Only options of the ruleset can be set.",
        "--set enugh=10",
        "--set enough=10",
    ),
    "RR0128": Code(
        "variants of the same name",
        "Case, spaces, hyphens and apostrophes do not count, so that a variant can be named on a command line.",
        "variants:\n  little ones: {}\n  little-ones: {}",
        "variants:\n  little ones: {}\n  smallest ones: {}",
    ),
    "RR0129": Code(
        "a function with `nested`",
        "A function only computes, and always comes to its end: it cannot call itself, not even a few times.",
        "functions:\n  depth(int n):\n    nested: 3\n    do: depth(n - 1) + 1",
        "rules:\n  depth(int n):\n    nested: 3\n    do: |\n      ...",
    ),
    "RR0131": Code(
        "not a name",
        "Rule text speaks of zones, options, types and fields by name: letters, digits and `_`, no digit first.",
        "zones:\n  draw pile: {kind: pile}",
        "zones:\n  draw_pile: {kind: pile}",
    ),
}
