"""Who sees a thing of the ruleset: the words of `seen_by:`, and the seats that they come to.

`seen_by: owner` is one word; `seen_by: everyone if open_hands else owner` asks the options first. What sees or is seen
is not known here.
"""

from __future__ import annotations

from rulerun.check.declarations.constants import ConstantScope, evaluate
from rulerun.check.declarations.symbols import Symbols
from rulerun.check.declarations.teams import is_team
from rulerun.check.declarations.types import did_you_mean, listed
from rulerun.check.declarations.values import parse_piece
from rulerun.ir.program import SeenBy
from rulerun.ir.types import BOOL, PlayerType, RangeKey, Type
from rulerun.source.diagnostic import ToldError
from rulerun.source.text import Piece
from rulerun.syntax import nodes as syn

WORDS = tuple(word.value for word in SeenBy)


def words_said(piece: Piece, scope: ConstantScope) -> tuple[SeenBy, ...]:
    """All words that a `seen_by:` may come to, the one for the options as they are set first; none where it says
    nothing sound, which has been told."""
    text = piece.text.strip()
    if text in WORDS:
        return (SeenBy(text),)
    try:
        return _words(parse_piece(piece, scope), scope.at("after `seen_by:`"))
    except ToldError:
        return ()


def _words(expr: syn.Expr, scope: ConstantScope) -> tuple[SeenBy, ...]:
    """Both ways of a condition are looked at, so that what is wrong with one is told whatever the options are."""
    if isinstance(expr, syn.Conditional):
        holds = evaluate(expr.condition, scope, BOOL).value
        then, otherwise = _words(expr.then, scope), _words(expr.otherwise, scope)
        return (*then, *otherwise) if holds else (*otherwise, *then)
    if isinstance(expr, syn.Name) and expr.text in WORDS:
        return (SeenBy(expr.text),)
    text = expr.text if isinstance(expr, syn.Name) else "this"
    near = did_you_mean(text, WORDS)
    raise scope.refusal(
        "RR0310",
        f"`{text}` does not say who sees it" if text != "this" else "this does not say who sees it",
        expr.span,
        help=near or f"the words are {listed(WORDS)}: `everyone if open_hands else owner`",
    )


def has_owner(keys: tuple[Type | RangeKey, ...], symbols: Symbols) -> bool:
    """Whether what has these keys belongs to a player, or to the players of a team."""
    return any(isinstance(key, PlayerType) or is_team(key, symbols) for key in keys)


def owners(keys: tuple[Type | RangeKey, ...], values: tuple[int, ...], symbols: Symbols) -> int:
    """The seats that own the part with these key values: the player of the first key that is one, else a team's
    players, else nobody."""
    pairs = list(zip(keys, values, strict=True))
    for key, value in pairs:
        if isinstance(key, PlayerType):
            return 1 << value
    for key, value in pairs:
        if is_team(key, symbols):
            return sum(1 << seat for seat in range(value, symbols.players, symbols.teams))
    return 0


def seats(seen_by: SeenBy, owned_by: int, players: int) -> int:
    """The set of seats that see what these seats own."""
    everyone = (1 << players) - 1
    match seen_by:
        case SeenBy.EVERYONE:
            return everyone
        case SeenBy.NOBODY:
            return 0
        case SeenBy.OWNER:
            return owned_by
        case SeenBy.OTHERS:
            return everyone & ~owned_by
