"""The codes RR03xx: what may be wrong with declarations - names, decks, zones, options, tables, results.

A part of `codes`, where all of them come together.
"""

from __future__ import annotations

from rulerun.source.code import Code

DECLARATIONS: dict[str, Code] = {
    "RR0301": Code(
        "a name is taken",
        "Everything that a ruleset declares has a name of its own, so that a variant can replace it by name "
        "and a reader knows what is meant. Only enum values, which are found by their type, and fields, which "
        "are found on a card, may be called like something else.",
        "zones: {stock: {...}}\nstate: {stock: int}",
        "zones: {stock: {...}}\nstate: {in_stock: int}",
    ),
    "RR0302": Code(
        "a word that cannot be a name",
        "A name is made of letters, digits and `_`. Words of rule text and built-in functions could not be "
        "read as names.",
        "state: {next: Player}",
        "state: {next_up: Player}",
    ),
    "RR0303": Code(
        "an unknown type",
        "A type is `int`, `bool`, `Player`, `Card`, `Cards` or an enum of the ruleset.",
        "state: {total: number per Player}",
        "state: {total: int per Player}",
    ),
    "RR0304": Code(
        "a type that cannot be",
        "Sets hold enum values, players or cards; only these may be none; keys are enums, players or cards. "
        "What is printed on cards is known before the game and so names no player and no card.",
        "state: {bid: int or none}",
        "state: {bid: {type: int, start: -1}}",
    ),
    "RR0305": Code(
        "a value of another type",
        "Every field, option, table and variable has a type, and each of its values must be of it.",
        "deck:\n- {number: red}",
        "deck:\n- {number: 3}",
    ),
    "RR0306": Code(
        "an option out of range",
        "An option that states a range takes no value outside it, neither in the file nor from `--set`.",
        "options: {enough: {default: 60, range: 1..44}}",
        "options: {enough: {default: 8, range: 1..44}}",
    ),
    "RR0307": Code(
        "an option without a type",
        "The type of an option is told by its default: a number, true or false, or the value of an enum. "
        "Where that leaves a doubt, `type:` settles it.",
        "options: {trump: {default: hart}}",
        "options: {trump: {default: hearts}}",
    ),
    "RR0308": Code(
        "a range that holds nothing",
        "A range is written `low..high`, both ends belong to it, and only numbers have one.",
        "options: {enough: {default: 8, range: 44..1}}",
        "options: {enough: {default: 8, range: 1..44}}",
    ),
    "RR0309": Code(
        "the values of an enum",
        "An enum has at least one and at most 1,000 values, each once.",
        "types: {Colour: [red, blue, red]}",
        "types: {Colour: [red, blue, green]}",
    ),
    "RR0310": Code(
        "an unknown name in a constant",
        "Deck rows, filters, tables and start values can name options, enum values, tables and the fields of the card.",
        "zones: {box: {kind: pile, seen_by: nobody, start: colour == rde}}",
        "zones: {box: {kind: pile, seen_by: nobody, start: colour == red}}",
    ),
    "RR0311": Code(
        "not known before a game begins",
        "Which cards exist and where they start is settled before any game: players' hands, zones and the "
        "state of a game cannot be asked there.",
        "deck:\n- {number: count(stock)}",
        "deck:\n- {number: 3}",
    ),
    "RR0312": Code(
        "a constant that has no value",
        "Numbers go from -2,147,483,648 to 2,147,483,647, nothing is divided by zero, no value is worked out "
        "from itself, and all constants of a ruleset together take well under a second.",
        'deck:\n- {number: "1 // 0"}',
        'deck:\n- {number: "1 // 2"}',
    ),
    "RR0313": Code(
        "an unknown field",
        "A deck row and a CSV file fill in fields that the cards have: those under `face:` and `back:`.",
        "cards:\n  face: {colour: Colour}\n  deck:\n  - {color: red}",
        "cards:\n  face: {colour: Colour}\n  deck:\n  - {colour: red}",
    ),
    "RR0314": Code(
        "too many cards",
        "A game has at most 1,000 cards: enough for a table, few enough for a position to copy fast.",
        "deck:\n- {number: 1, copies: 1000000}",
        "deck:\n- {number: 1, copies: 10}",
    ),
    "RR0315": Code(
        "no cards",
        "A game has at least one card; a deck whose rows all have no copies has none.",
        "cards: {deck: []}",
        "cards: {deck: french52}",
    ),
    "RR0316": Code(
        "an unknown standard deck",
        "The standard decks are french52, french32, french24, italian40 and tarot78. Two different ones "
        "cannot be mixed, since their suits and ranks differ.",
        "cards: {deck: french53}",
        "cards: {deck: french52}",
    ),
    "RR0317": Code(
        "a number of copies that cannot be",
        "A card is in the deck any number of times, also not at all, but not less often than that.",
        "deck:\n- {number: 1, copies: -1}",
        "deck:\n- {number: 1, copies: 0}",
    ),
    "RR0318": Code(
        "a name that tells what is hidden",
        "A card that lies face down is named by what is printed on its back. A name made of face fields would "
        "tell everyone what the rules hide.",
        'name: {back: "{buds} buds, {animal}", face: "{animal}"}',
        'name: {back: "{buds} buds", face: "{animal}"}',
    ),
    "RR0319": Code(
        "a field given twice",
        "A field of a row has one value: from `each:`, which makes a row per value, or beside it.",
        "deck:\n- {each: {number: 1..5}, number: 3}",
        "deck:\n- {each: {number: 1..5}}",
    ),
    "RR0320": Code(
        "who sees a zone",
        "Everything that a seat may learn is declared. Only a hand per player has a default: its owner sees it.",
        "zones: {stock: {kind: pile, start: deck}}",
        "zones: {stock: {kind: pile, seen_by: nobody, start: deck}}",
    ),
    "RR0321": Code(
        "nobody whom it belongs to",
        "`owner` and `others` speak of the player that a zone or a value belongs to; only a zone `per: player` and a "
        "variable `per Player` (or one per team) have one.",
        "zones: {stock: {kind: pile, seen_by: owner}}",
        "zones: {stock: {kind: pile, per: player, seen_by: owner}}",
    ),
    "RR0323": Code(
        "an unknown key",
        "A zone or a table has an instance or a value per player, per value of an enum, or per number of a range.",
        "zones: {fireworks: {kind: pile, per: colours, seen_by: everyone}}",
        "zones: {fireworks: {kind: pile, per: Colour, seen_by: everyone}}",
    ),
    "RR0324": Code(
        "a refill that cannot work",
        "A pile is refilled from another zone, which has the same keys or none; `keep:` says how many of its "
        "topmost cards stay there.",
        "stock: {kind: pile, seen_by: nobody, refill: {from: stock}}",
        "stock: {kind: pile, seen_by: nobody, refill: {from: discard, keep: 1, shuffle: true}}",
    ),
    "RR0325": Code(
        "a card that starts nowhere",
        "Each card is in exactly one zone at all times, from the start on. The zone that says `start: deck` "
        "holds all cards that no filter takes.",
        "zones: {stock: {kind: pile, seen_by: nobody}}",
        "zones: {stock: {kind: pile, seen_by: nobody, start: deck}}",
    ),
    "RR0326": Code(
        "a card that starts in two zones",
        "Each card is in exactly one zone at all times, so the filters of two zones must not take the same card.",
        "a: {kind: pile, seen_by: nobody, start: number < 5}\nb: {kind: pile, seen_by: nobody, start: number < 3}",
        "a: {kind: pile, seen_by: nobody, start: number >= 3}\nb: {kind: pile, seen_by: nobody, start: number < 3}",
    ),
    "RR0327": Code(
        "where the deck starts",
        "One zone starts with the deck, and it must be clear which one.",
        "hand: {kind: hand, per: player, start: deck}",
        "stock: {kind: pile, seen_by: nobody, start: deck}",
    ),
    "RR0328": Code(
        "too much state",
        "All that a game remembers is copied at every step of a search, so it is kept small: at most 500 "
        "zones, 20,000 numbers in variables and 20,000 values in a table.",
        "zones: {slot: {kind: pile, per: 1..1000000, seen_by: everyone}}",
        "zones: {slot: {kind: pile, per: 1..7, seen_by: everyone}}",
    ),
    "RR0329": Code(
        "a card before there is one",
        "A variable that holds a card has none before the first is put into it.",
        "state: {lead: Card}",
        "state: {lead: Card or none}",
    ),
    "RR0330": Code(
        "a table with gaps",
        "A table has a value for each of its keys, or an `else:` for the rest.",
        "tables: {points: {of: Colour, red: 1}}",
        "tables: {points: {of: Colour, red: 1, else: 0}}",
    ),
    "RR0331": Code(
        "an unknown key of a table",
        "The keys of a table, and of the start of a `T per K`, are the values of its key type.",
        "tables: {points: {of: Colour, rde: 1, else: 0}}",
        "tables: {points: {of: Colour, red: 1, else: 0}}",
    ),
    "RR0332": Code(
        "a table of mixed values",
        "All values of a table are of one type, which the values tell, or `type:`.",
        "tables: {points: {of: Colour, red: 1, blue: true}}",
        "tables: {points: {of: Colour, red: 1, blue: 2}}",
    ),
    "RR0333": Code(
        "the number of players",
        "A ruleset says for how many players it is, at most 20.",
        "players: 5..2",
        "players: 2..5",
    ),
    "RR0335": Code(
        "no rule `play`",
        "A game begins with the rule `play`, which is given nothing.",
        "rules:\n  start: |\n    shuffle stock",
        "rules:\n  play: |\n    shuffle stock",
    ),
    "RR0336": Code(
        "a trigger on no event",
        "Triggers belong to what is declared under `events:` and happens by `raise`.",
        "after: prikced(victim)",
        "after: pricked(victim)",
    ),
    "RR0337": Code(
        "a trigger with other parameters",
        "A trigger names everything that its event tells, in the same order, by names of its own.",
        "after: pricked(victim)",
        "after: caught(victim, card)",
    ),
    "RR0339": Code(
        "a score that is nobody's",
        "A score is that of one player, of one team where there are `teams:`, or one for all: `score: |`.",
        "score(Player p, int n): |",
        "score(Player p): |",
    ),
    "RR0340": Code(
        "an unknown criterion",
        "Players are compared by `score`, by a function of one player that gives a number, or by a variable "
        "`int per Player`.",
        "winner: [highest scroe]",
        "winner: [highest score]",
    ),
    "RR0341": Code(
        "never used",
        "What is declared and never used is mostly a slip, or left over from an earlier version.",
        "options: {enough: {default: 8}}",
        "",
    ),
    "RR0342": Code(
        "a limit that is none",
        "A limit of decisions is a number of at least 1.",
        "limit: {decisions: 0}",
        "limit: {decisions: 5000, then: draw}",
    ),
    "RR0343": Code(
        "players who cannot be put into teams",
        "All teams are of one size: the number of players is a multiple of the number of teams.",
        "players: 3\nteams: 2",
        "players: 4\nteams: 2",
    ),
    "RR0345": Code(
        "ranks that a deck cannot have",
        "`ranks` lists the ranks of a standard deck from low to high: each once, by name or in a span of the usual "
        "order. All entries of a deck keep one order. Jokers, trumps and the fool stand above all of them.",
        "deck: {standard: french52, ranks: [ace, king..two]}",
        "deck: {standard: french52, ranks: [ace, two..king]}",
    ),
    "RR0346": Code(
        "an impossible number behind `nested`",
        "A rule or event that leads back to itself may be in progress 2 to 64 times at once.",
        "events:\n  rung(int n):\n    nested: 1\n    do: |\n      if n > 0: raise rung(n - 1)",
        "events:\n  rung(int n):\n    nested: 3\n    do: |\n      if n > 0: raise rung(n - 1)",
    ),
    "RR0347": Code(
        "nested rules that take too much room",
        "All that a rule remembers is kept while it is called again, as often as `nested` says, and so is what the "
        "rules remember that lie between. All of it together may be 5,000 numbers.",
        "turn(Player me):\n  nested: 64\n  do: |\n    for c in deck: for d in deck: for e in deck: turn(me)",
        "turn(Player me):\n  nested: 4\n  do: |\n    for c in deck: for d in deck: for e in deck: turn(me)",
    ),
    "RR0348": Code(
        "several cards start at one place of a board",
        "A place of a board holds one card or none. In the filter of `start:` the number of the place is called "
        "`place`.",
        'zones:\n  grid: {kind: board, places: 1..5, seen_by: everyone, start: "number == place"}',
        'zones:\n  grid: {kind: board, places: 1..5, seen_by: everyone, start: "number == place and colour == red"}',
    ),
}
