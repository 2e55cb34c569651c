"""`end game for p`, `place(p)`, `p returns`: in which order players are done, and who comes back. The places are a
state variable of a game's own, which only games have that speak of them.
"""

from __future__ import annotations

from rulerun.check.declarations.symbols import Symbols
from rulerun.check.rule_text import card_statements, expressions, simplify
from rulerun.check.rule_text.survey import Texts, ends_for, walk
from rulerun.check.rule_text.typed import Typed
from rulerun.check.rule_text.unit import Checker, FunctionInfo, Unit, source_text
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, Function, Variable
from rulerun.ir.types import BOOL, INT, PLAYER, ArrayType, SetType
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Source
from rulerun.syntax import nodes as syn

NAME = "place"
_SEATS = SetType(PLAYER)
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


def function(checker: Checker, number: int) -> Function:
    """``place(p)``: the place of who is done; of who is in play, the next one; who has left comes after all these."""
    checker.functions[NAME] = FunctionInfo(None, number, INT, cost=_COST)
    symbols = checker.symbols
    assert symbols.score is not None
    at = checker.origin(symbols.score.span)
    mine, player = _place_of(symbols, ir.Local(0, PLAYER), at), ir.Local(0, PLAYER)
    following = _next_place(symbols, 1, at)
    behind = ir.Binary("+", following, ir.Size(ir.PlayersIn()), INT, at)
    in_play = ir.Contains(player, ir.PlayersIn())
    other = ir.Conditional(in_play, following, behind, INT)
    done = ir.Binary(">", ir.Load(mine), simplify.number(0), BOOL, at)
    value = ir.Conditional(done, ir.Load(mine), other, INT)
    block = ir.Block((), ir.Return(None, value), -1, at)
    return Function(NAME, (PLAYER,), INT, (PLAYER, PLAYER), (block,), at)


def call(unit: Unit, node: syn.Call) -> Typed | None:
    """``place(p)`` where it is built in; None for any other call."""
    if node.name.text != NAME or unit.checker.symbols.places < 0:
        return None
    if len(node.arguments) != 1:
        is_ = "is 1" if len(node.arguments) == 1 else f"are {len(node.arguments)}"
        unit.checker.refuse("RR0406", f"`{NAME}` takes one player, and here {is_}", node.span)
    player = expressions.expect(unit, node.arguments[0], PLAYER, f"in `{NAME}`")
    return Typed(ir.CallFunction(unit.checker.functions[NAME].index, (player,), INT), INT)


def end_game_for(unit: Unit, asked: syn.Expr, at: int) -> None:
    """``end game for p``, p a player or a set of players: who of them is in play gets the next place, the same for all,
    and leaves; if nobody is left then, the game ends."""
    flow, symbols = unit.flow, unit.checker.symbols
    given = card_statements.audience(unit, asked, "after `end game for`") or ir.PlayersIn()
    seats, place, seat = unit.temporary(_SEATS, at), unit.temporary(INT, at), unit.temporary(PLAYER, at)
    first = ir.Fold(ir.FoldKind.FIRST, unit.local(PLAYER), ir.SetDomain(ir.Load(seats)), None, None, None, PLAYER, at)
    rest = ir.Binary("without", ir.Load(seats), simplify.single(ir.Load(seat), _SEATS), _SEATS, at)
    goes, gone, nobody, end = flow.new(), flow.new(), flow.new(), flow.new()
    flow.op(ir.Store(seats, ir.Binary("common", given, ir.PlayersIn(), _SEATS, at), at))
    flow.op(ir.Store(place, _next_place(symbols, unit.local(PLAYER), at), at))
    flow.branch(_some(ir.Load(seats), at), goes, end)
    flow.start(goes)
    flow.op(ir.Store(seat, first, at))
    flow.op(ir.Store(_place_of(symbols, ir.Load(seat), at), ir.Load(place), at))
    flow.op(ir.Leave(ir.Load(seat), at))
    flow.op(ir.Store(seats, rest, at))
    flow.branch(_some(ir.Load(seats), at), goes, gone)
    flow.start(gone)
    flow.branch(_some(ir.PlayersIn(), at), end, nobody)
    flow.start(nobody)
    flow.end(ir.Finish())
    flow.start(end)
    for used in (seats, place, seat):
        flow.op(ir.Clear(used.offset, 1))


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


def rejoin(unit: Unit, node: syn.Rejoin) -> None:
    """``p returns`` and ``all players return``. Who returns gives the place back, and those behind move up."""
    flow, symbols, at = unit.flow, unit.checker.symbols, unit.at(node.span)
    everyone = range(symbols.players)
    if node.player is None:
        flow.op(ir.Rejoin(ir.Const((1 << symbols.players) - 1, _SEATS), at))
        if symbols.places >= 0:
            for number in everyone:
                flow.op(ir.Store(_place_of(symbols, ir.Const(number, PLAYER), at), simplify.number(0), at))
        return
    typed = expressions.lower(unit, node.player, PLAYER)
    if typed.type == _SEATS:
        text = source_text(node.player.span)
        unit.checker.refuse(
            "RR0403",
            f"`{text}` are several players, and one is wanted before `returns`",
            node.player.span,
            help="did you mean `all players return`?"
            if isinstance(node.player, syn.Players)
            else "one after the other: `for p in seats where CONDITION: p returns`",
        )
    expressions.check(unit, typed, PLAYER, node.player.span, "before `returns`")
    given = typed.expr
    if symbols.places < 0:
        flow.op(ir.Rejoin(simplify.single(given, _SEATS), at))
        return
    seat, place = unit.temporary(PLAYER, at), unit.temporary(INT, at)
    had, end = flow.new(), flow.new()
    flow.op(ir.Store(seat, given, at))
    flow.op(ir.Store(place, ir.Load(_place_of(symbols, ir.Load(seat), at)), at))
    flow.op(ir.Rejoin(simplify.single(ir.Load(seat), _SEATS), at))
    flow.branch(ir.Binary(">", ir.Load(place), simplify.number(0), BOOL, at), had, end)
    flow.start(had)
    flow.op(ir.Store(_place_of(symbols, ir.Load(seat), at), simplify.number(0), at))
    for number in everyone:
        other = _place_of(symbols, ir.Const(number, PLAYER), at)
        behind = ir.Binary(">", ir.Load(other), ir.Load(place), BOOL, at)
        before = ir.Binary("-", ir.Load(other), simplify.number(1), INT, at)
        flow.op(ir.Store(other, ir.Conditional(behind, before, ir.Load(other), INT), at))
    flow.jump(end)
    flow.start(end)
    for used in (seat, place):
        flow.op(ir.Clear(used.offset, 1))


def _some(seats: ir.Expr, at: int) -> ir.Expr:
    return ir.Binary(">", ir.Size(seats), simplify.number(0), BOOL, at)


def _place_of(symbols: Symbols, player: ir.Expr, at: int) -> ir.Place:
    return ir.Place(symbols.places, (ir.Axis(player, 0, symbols.players, 1, False),), INT, at)


def _next_place(symbols: Symbols, local: int, at: int) -> ir.Expr:
    """One more than have a place; ``local`` runs over all seats."""
    seats = ir.SetDomain(ir.Const((1 << symbols.players) - 1, SetType(PLAYER)))
    has = ir.Binary(">", ir.Load(_place_of(symbols, ir.Local(local, PLAYER), at)), simplify.number(0), BOOL, at)
    count = ir.Fold(ir.FoldKind.COUNT, local, seats, has, None, None, INT, at)
    return ir.Binary("+", count, simplify.number(1), INT, at)
