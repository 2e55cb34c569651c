"""The codes RR02xx: what may be wrong with the wording of rule text.

A part of `codes`, where all of them come together.
"""

from __future__ import annotations

from rulerun.source.code import Code

SYNTAX: dict[str, Code] = {
    "RR0201": Code(
        "a word or sign that cannot stand here",
        "A statement has a fixed form, such as `move CARDS to ZONE`. Something else stood where its next part was "
        "wanted.",
        "move card deck",
        "move card to deck",
    ),
    "RR0202": Code(
        "something is missing",
        "The line, or the value, ends before it is complete. A value with `if` needs an `else`.",
        "x = 3 if lucky",
        "x = 3 if lucky else 1",
    ),
    "RR0203": Code(
        "a colon is missing, or one too many",
        "A line whose statements stand below it, indented, ends in a colon; no other line does.",
        "if deck is empty\n  end game",
        "if deck is empty:\n  end game",
    ),
    "RR0204": Code(
        "a comparison, or the setting of a variable, is written wrongly",
        "`=` sets a variable, `==` compares. `is` asks only for `none`, `empty`, `a player`, `a card` and `out`. "
        "What is printed on cards cannot be set.",
        "if card.rank = queen: stop",
        "if card.rank == queen: stop",
    ),
    "RR0205": Code(
        "a word or sign of another language",
        "The rules language says it with another word.",
        "while deck is not empty:\n  turn(me)",
        "repeat:\n  stop if deck is empty\n  turn(me)",
    ),
    "RR0206": Code(
        "brackets that do not match",
        "Each bracket that is opened is closed by one of its own kind.",
        "move (top of deck to hand[me]",
        "move (top of deck) to hand[me]",
    ),
    "RR0207": Code(
        "indentation that fits nothing",
        "The statements of a block stand in one column, deeper than the line with the colon. "
        "Only after a colon may a line be deeper than the one before, unless it carries that one on.",
        "shuffle deck\n  turn(me)",
        "shuffle deck\nturn(me)",
    ),
    "RR0208": Code(
        "a tab in the indentation",
        "A tab is as wide as the reader's editor likes, so that columns cannot be compared. Spaces only.",
    ),
    "RR0209": Code(
        "a text in quotes is not closed, or has other quotes",
        "Labels and notes stand in straight double quotes, both on one line.",
        "note 'last round'",
        'note "last round"',
    ),
    "RR0210": Code(
        "a character that has no meaning in rule text",
        "Often a sign that a word processor put in, such as a long dash for a minus.",
        "total[me] = 10 − bid",
        "total[me] = 10 - bid",
    ),
    "RR0211": Code(
        "a word of the language as a name",
        "A few words (`in`, `is`, `if`, `else`, `for`, `let`, `may`, `none`, `not`, `or`, `and`, `players`) are "
        "never names.",
        "let players = 3",
        "let seats = 3",
    ),
    "RR0212": Code(
        "a misspelt word",
        "The word is unknown here, but a known one is spelt nearly alike.",
        "shuffel deck",
        "shuffle deck",
    ),
    "RR0213": Code(
        "a choice is written wrongly",
        "A player `chooses`, or `may choose`. What is chosen has a name and comes `from` somewhere; then `where`, then "
        "`as` and the label. A choice with `may` has a block, since it may be passed over.",
        "me choose card from hand[me]",
        "me chooses card from hand[me]",
    ),
    "RR0214": Code(
        "`else`, `elif` or `otherwise` without its beginning",
        "`elif` and `else` follow the block of an `if`, `otherwise` follows a choice, in the same column as that. They "
        "cannot follow a line that holds two blocks, such as `if a: if b: stop`.",
        "stop\nelse:\n  turn(me)",
        "if done:\n  stop\nelse:\n  turn(me)",
    ),
    "RR0215": Code(
        "a block is missing or stands in the wrong place",
        "After a colon come indented lines, or on the same line one plain statement, or one `if`, `for` or `repeat 3 "
        "times` with a plain statement behind its own colon. The lines of a menu stand below it.",
        "for p in players: if done: if tired: stop",
        "for p in players:\n  if done: if tired: stop",
    ),
    "RR0216": Code(
        "a line that does nothing",
        "An expression alone on a line only computes. Rules are run with brackets: `play_hand()`.",
        "play_hand",
        "play_hand()",
    ),
    "RR0217": Code(
        "a text that is too long or too deep",
        "Rule text comes from strangers, so what it may cost is capped: 100,000 characters, 40 brackets or 24 blocks "
        "in each other.",
    ),
    "RR0218": Code(
        "braces in a text that do not match",
        "`{name}` in a text shows a value. A brace itself is written twice.",
        'note "{me wins"',
        'note "{me} wins"',
    ),
    "RR0219": Code(
        "a number that is too large",
        "Numbers are whole and go up to 2147483647.",
        "let most = 3000000000",
        "let most = 2000000000",
    ),
    "RR0220": Code(
        "a signature, type, range or criterion is written wrongly",
        "These small texts have one form each: `turn(Player me)`, `int per Player`, `1..10`, `highest score`.",
        "score(p): |",
        "score(Player p): |",
    ),
    "RR0221": Code(
        "nothing is written here",
        "Rule text was wanted, and the text is empty or holds remarks only.",
    ),
    "RR0222": Code(
        "`or else` in the wrong place",
        "`or else` says what `min`, `max`, `best` and `first` give where there is nothing to choose from.",
        "let x = total or else 0",
        "let x = min(bid[p] for p in players where not out[p]) or else 0",
    ),
    "RR0223": Code(
        "something that must stand alone",
        "`random of` is where chance happens, so it is the whole of what is set or moved. `best` and `first` reach to "
        "the end of what they say, so inside something else they need brackets.",
        "let x = 1 + random of 1..6",
        "let roll = random of 1..6\nlet x = 1 + roll",
    ),
    "RR0224": Code(
        "a chain of comparisons",
        "A comparison has two sides.",
        "stop if 1 < bid < 8",
        "stop if 1 < bid and bid < 8",
    ),
    "RR0225": Code(
        "`if possible` in the wrong place",
        "In the `where` of a choice `A if possible, else B` means: what A holds for, if there is any; else what B "
        "holds for. All conditions but the last say `if possible`, each outside of brackets. Elsewhere, in a function "
        "or a gathering, ask with `some(…)` whether anything fits.",
        "me chooses card from hand[me] where card.suit == led, else card.suit == trump if possible",
        "me chooses card from hand[me] where card.suit == led if possible, else card.suit == trump if possible",
    ),
}
