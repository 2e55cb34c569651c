"""Teams as declared: how many there are, and the type `Team` that comes with them.

The seats belong to the teams in turn: player i plays in team i % N. What rule text says of teams is in
`team_functions`.
"""

from __future__ import annotations

from rulerun.check.declarations.constants import ConstantScope
from rulerun.check.declarations.names import Namespace
from rulerun.check.declarations.options import enter_enum
from rulerun.check.declarations.symbols import Symbols
from rulerun.check.declarations.values import read_int
from rulerun.document.model import Ruleset
from rulerun.ir.program import MAX_PLAYERS
from rulerun.ir.types import EnumType, RangeKey, Type
from rulerun.source.diagnostic import Diagnostics, ToldError

TEAM = "Team"
FUNCTIONS = ("team", "partner")


def team_type(teams: int) -> EnumType:
    """The type of the teams, in the order of their first seats."""
    return EnumType(TEAM, tuple(f"team_{n + 1}" for n in range(teams)), ordered=True)


def declare_teams(ruleset: Ruleset, space: Namespace, scope: ConstantScope, found: Diagnostics) -> None:
    """Reads ``teams:``; enters the type and the functions that come with it. RR0343 if so many players cannot play in
    so many teams."""
    if ruleset.teams is None:
        return
    symbols, span = space.symbols, ruleset.teams.span
    try:
        teams = read_int(ruleset.teams, scope)
    except ToldError:
        teams = 2
    if not 1 <= teams <= MAX_PLAYERS:
        found.error("RR0343", f"{teams} is no number of teams", span, help="write for instance `teams: 2`")
        teams = 2
    elif symbols.players % teams:
        found.error(
            "RR0343",
            f"{symbols.players} players cannot play in {teams} teams of one size",
            span,
            help=f"let the game be for {teams} players, or a multiple of that",
        )
    symbols.teams = teams
    enter_enum(team_type(teams), None, space)
    for name in FUNCTIONS:
        space.claim(name, None, "a built-in function")


def shared(symbols: Symbols, params: tuple[Type, ...]) -> bool:
    """Whether a value with these parameters is a team's, or common to all players: so not that of one player alone."""
    return params == () or (symbols.teams > 0 and params == (team_type(symbols.teams),))


def is_team(key: Type | RangeKey, symbols: Symbols) -> bool:
    """Whether a key is the type of the teams: such a zone belongs to all players of a team."""
    return symbols.teams > 0 and isinstance(key, EnumType) and key.name == TEAM
