"""In which order players are done: `end game for p`, `place(p)`. The places are a state variable of a game's own, which
only games have that speak of them.
"""

from __future__ import annotations

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.rule_text import simplify
from rulerun.check.rule_text.compilation import Compilation, FunctionInfo
from rulerun.check.rule_text.survey import Texts, ends_for, walk
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, Function, Variable
from rulerun.ir.types import BOOL, INT, PLAYER, ArrayType, SetType
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Source
from rulerun.syntax import nodes as syn

NAME = "place"
_COST = 60
"""Steps that one question takes."""


def give_room(symbols: Symbols, texts: Texts, found: Diagnostics) -> None:
    """Room for the places, if the game speaks of them. RR0301 for a name of the ruleset's own that would hide them."""
    own = symbols.names.get(NAME)
    ends = ends_for(texts)
    if own is not None:
        if ends:
            found.error(
                "RR0301",
                f"`{NAME}` is a built-in function of games that say `end game for`, it cannot be something else too",
                own.span,
                help="choose another name",
            )
        return
    asked = any(
        isinstance(n, syn.Call) and n.name.text == NAME
        for name in (*texts.bodies, *texts.triggers)
        for n in walk(texts.parts(name))
    )
    if ends or asked or any(criterion.name.text == NAME for criterion in symbols.criteria):
        symbols.places = HEADER_WORDS + symbols.variable_words
        symbols.variable_words += symbols.players


def variable(symbols: Symbols) -> tuple[Variable, ...]:
    """The places as a state variable, if the game has them: 0 for who is not done."""
    if symbols.places < 0:
        return ()
    return (Variable(NAME, ArrayType(INT, PLAYER), symbols.places, symbols.players),)


def function(compilation: Compilation, number: int) -> Function:
    """``place(p)``: the place of who is done; of who is in play, the next one; who has left comes after all these."""
    compilation.functions[NAME] = FunctionInfo(None, number, INT, cost=_COST)
    symbols = compilation.symbols
    assert symbols.score is not None
    at = compilation.origin(symbols.score.span)
    mine, player = finish_of(symbols, ir.Local(0, PLAYER), at), ir.Local(0, PLAYER)
    following = next_finish(symbols, 1, at)
    behind = ir.Binary("+", following, ir.Size(ir.PlayersIn()), INT, at)
    in_play = ir.Contains(player, ir.PlayersIn())
    other = ir.Conditional(in_play, following, behind, INT)
    done = ir.Binary(">", ir.Load(mine), simplify.number(0), BOOL, at)
    value = ir.Conditional(done, ir.Load(mine), other, INT)
    block = ir.Block((), ir.Return(None, value), -1, at)
    return Function(NAME, (PLAYER,), INT, (PLAYER, PLAYER), (block,), at)


def warn_of_nobody(texts: Texts, outermost: Source | None, found: Diagnostics) -> None:
    """RR0520 where somebody returns in a game that nobody leaves. A file that is extended is left alone: a variant may
    well take away what made players leave."""
    for name in (*texts.bodies, *texts.triggers):
        for node in walk(texts.parts(name)):
            if isinstance(node, syn.Rejoin) and outermost in (None, node.span.source):
                found.warning(
                    "RR0520",
                    "nobody ever leaves this game, so nobody can return",
                    node.span,
                    help="`p leaves` and `end game for p` take a player out",
                )


def finish_of(symbols: Symbols, player: ir.Expr, at: int) -> ir.Place:
    """Where it is kept as which a player was done; 0 for who is not."""
    return ir.Place(symbols.places, (ir.Axis(player, 0, symbols.players, 1, False),), INT, at)


def next_finish(symbols: Symbols, local: int, at: int) -> ir.Expr:
    """One more than are done; ``local`` runs over all seats."""
    seats = ir.SetDomain(ir.Const((1 << symbols.players) - 1, SetType(PLAYER)))
    has = ir.Binary(">", ir.Load(finish_of(symbols, ir.Local(local, PLAYER), at)), simplify.number(0), BOOL, at)
    count = ir.Fold(ir.FoldKind.COUNT, local, seats, has, None, None, INT, at)
    return ir.Binary("+", count, simplify.number(1), INT, at)
