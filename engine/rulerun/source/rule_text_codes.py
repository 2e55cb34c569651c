"""The codes RR04xx and RR05xx: what may be wrong with rule text - names and types; effects, sight, flow and limits.

A part of `codes`, where all of them come together.
"""

from __future__ import annotations

from rulerun.source.code import Code

RULE_TEXT: dict[str, Code] = {
    "RR0401": Code(
        "an unknown name",
        "Every name in rule text is declared somewhere: a zone, a variable, an option, a function, "
        "an enum value, or a name of the text itself. A misspelt name never becomes a new thing by itself.",
        "move card to discrad",
        "move card to discard",
    ),
    "RR0402": Code(
        "a name that hides another",
        "A name means one thing wherever it can be seen. Only enum values may be called like something else.",
        "let stock = top of discard   # `stock` is a zone",
        "let taken = top of discard",
    ),
    "RR0403": Code(
        "a value of another type",
        "Each place wants a value of a certain type: a card to move, a number to add, true or false to ask.",
        "deal hand[me] from deck to table",
        "deal count(hand[me]) from deck to table",
    ),
    "RR0404": Code(
        "an index that is missing or too much",
        "A zone `per: player` exists once for each player: a rule says whose. What exists once takes no index.",
        "move card to hand",
        "move card to hand[me]",
    ),
    "RR0405": Code(
        "an unknown field",
        "Only cards have fields, and only those that `cards:` declares.",
        "card.colr == red",
        "card.colour == red",
    ),
    "RR0406": Code(
        "a wrong number of arguments",
        "A function, rule or event gets exactly what its signature names.",
        "next(me, 2)",
        "next(next(me))",
    ),
    "RR0407": Code(
        "a value that may be none",
        "What is declared `or none` may be none: a rule asks before it uses it as a player or a card. What is known "
        "of a state variable ends at the next call, raise or choice.",
        "move card to hand[winner]",
        "if winner is a player:\n  move card to hand[winner]",
    ),
    "RR0408": Code(
        "a value of an unknown type",
        "An enum value, none or the empty set gets its type from what stands around it. Where nothing "
        "says it, the text must.",
        "let found = none",
        "let found: Card or none = none",
    ),
    "RR0409": Code(
        "not a value",
        "Functions, rules, events and ranges have no value of their own.",
        "let n = count_cards",
        "let n = count_cards()",
    ),
    "RR0410": Code(
        "something that cannot be assigned",
        "Variables of the state and names made by `let` change; cards, zones, options and loop names do not.",
        "row_size = 5   # an option",
        "let size = row_size",
    ),
    "RR0411": Code(
        "things that do not compare",
        "Equality wants two values of one type, `<` wants numbers or values of an ordered type, and only what "
        "may be none is asked whether it is.",
        "card == red",
        "card.colour == red",
    ),
    "RR0412": Code(
        "a number out of range",
        "A number that is written down can be checked at once: an index, a place, a quantity, a division by zero.",
        "slot[9]   # per: 1..7",
        "slot[7]",
    ),
    "RR0413": Code(
        "something that cannot be called so",
        "Rules are called as statements, events are raised, functions are used for their value.",
        "caught(me, card)   # an event",
        "raise caught(me, card)",
    ),
    "RR0501": Code(
        "a function with an effect",
        "A function only computes: it changes nothing, moves nothing, asks nobody. So it can be used anywhere.",
        "functions:\n  spend(Player p): |\n    coins[p] -= 1",
        "rules:\n  spend(Player p): |\n    coins[p] -= 1",
    ),
    "RR0502": Code(
        "chance inside an expression",
        "A card of a shuffled pile is settled when it is drawn, and chance happens only where everybody can see it: "
        "as the whole right side of `let` or `=`, or as the operand of a statement.",
        "if (top of stock).rank == ace:",
        "let c = top of stock\nif c.rank == ace:",
    ),
    "RR0503": Code(
        "a rule that leads back to itself",
        "Every call ends: a function, rule or event cannot call itself, not even through others. A rule or an event "
        "may say how often at most it is in progress at once, with `nested`; then it can.",
        "rules:\n  turn(Player me): |\n    turn(next(me))",
        "repeat:\n  turn(me)\n  me = next(me)",
    ),
    "RR0504": Code(
        "text that is never reached",
        "What stands after `stop`, `return` or `end game` without a condition never happens.",
        "stop\nme = next(me)",
        "stop if deck is empty\nme = next(me)",
    ),
    "RR0505": Code(
        "a loop that never ends",
        "A `repeat` needs a way out, or at least somebody who is asked something.",
        "repeat:\n  me = next(me)",
        "repeat:\n  me = next(me)\n  stop if hand[me] is not empty",
    ),
    "RR0506": Code(
        "too much work",
        "Loops inside loops multiply. What could take more than ten million steps is refused before it hangs a game.",
        "count(1 for a in deck for b in deck for c in deck for d in deck)",
        "count(1 for a in deck for b in deck)",
    ),
    "RR0507": Code(
        "a choice that depends on what is hidden",
        "What a player is offered, and how it is named, must follow from the faces and the values that this player "
        "sees: else the options themselves would tell what is hidden.",
        "me chooses c from hand[next(me)] where c.rank == ace",
        "me chooses c from hand[next(me)]",
    ),
    "RR0508": Code(
        "a note that tells what is hidden",
        "A note is told to everyone, so it can say only what everyone may see.",
        'note "the top card is {top of stock}"',
        'reveal c\nnote "it is {c}"',
    ),
    "RR0509": Code(
        "nothing to stop or skip",
        "`stop` leaves the nearest loop or window, `skip to next` goes on with the nearest loop.",
        "rules:\n  play: |\n    stop if deck is empty",
        "return   # leaves the rule",
    ),
    "RR0510": Code(
        "a call of `play`",
        "A game begins with `play`, once.",
        "play()",
        "rules:\n  play: |\n    repeat:\n      round()",
    ),
    "RR0511": Code(
        "a way without a value",
        "What returns a value in some cases returns one in all.",
        "functions:\n  worth(Card c): |\n    if c.rank == ace:\n      return 11",
        "functions:\n  worth(Card c): |\n    11 if c.rank == ace else 0",
    ),
    "RR0512": Code(
        "a result that is no number",
        "Scores and what players are compared by are numbers.",
        "score(Player p): |\n  hand[p] is empty",
        "score(Player p): |\n  1 if hand[p] is empty else 0",
    ),
    "RR0514": Code(
        "`as usual` out of place",
        "`as usual` runs what would be done otherwise: in a trigger with `instead of:` the text of its event; in a "
        "rule, function or event of a variant, the text that it replaces. Elsewhere there is no such text.",
        "after: caught(victim, card)\ndo: as usual",
        "instead of: caught(victim, card)\ndo: as usual",
    ),
    "RR0515": Code(
        "a choice of the wrong form",
        "What was chosen must be sure wherever its name is used, and what was chosen several at a time stands alone. "
        "In a window a reaction does something: passing is offered anyway.",
        'me may choose c from hand[me] as "play {c}"\nmove c to table',
        'me may choose c from hand[me] as "play {c}":\n  move c to table',
    ),
    "RR0516": Code(
        "the order of a shuffled pile",
        "The cards of a shuffled pile have no order until they are drawn, so none of them is the first.",
        "let c = first c in stock where c.rank == ace",
        "let c = top of stock",
    ),
    "RR0517": Code(
        "a value where none is given",
        "Some rules return a value; events and `play` do not.",
        "let n = shuffle_all()",
        "shuffle_all()",
    ),
    "RR0518": Code(
        "a rule inside an expression",
        "Things may happen in a rule, so it stands on a line of its own, at most with `let x =` before it, or is all "
        "that an `if`, `elif`, `stop if` or `skip to next if` asks, at most with `not` before it.",
        "if ask(me) > 3:",
        "let bid = ask(me)\nif bid > 3:",
    ),
    "RR0519": Code(
        "cards that cannot be turned over",
        "In a pile or row that not everyone sees, each card lies face up or face down. Where everyone sees all faces "
        "they lie face up, and in a hand they lie neither way.",
        "flip top of discard face down",
        "zones:\n  discard: {kind: pile, seen_by: nobody}\nrules:\n  play: |\n    flip top of discard face up",
    ),
    "RR0520": Code(
        "players who return, and nobody leaves",
        "Who was taken out by `p leaves` or `end game for p` comes back by `p returns`. In a game in which nobody is "
        "ever taken out it does nothing.",
        "all players return",
        "if hand[me] is empty: me leaves\nall players return",
    ),
    "RR0521": Code(
        "other parameters than those of the text that is replaced",
        "`as usual` runs the text that a variant replaces, and gives it the variant's own parameters, by their places. "
        "Their names may differ, their number and types may not.",
        "rules:\n  turn(Player me): |\n    note \"{me} begins\"\nvariants:\n  slow:\n    rules:\n      turn: |\n"
        "        as usual",
        "rules:\n  turn(Player me): |\n    note \"{me} begins\"\nvariants:\n  slow:\n    rules:\n"
        "      turn(Player who): |\n        as usual",
    ),
}
