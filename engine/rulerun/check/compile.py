"""From a ruleset to a program: declare, lower, assemble. The one place that knows both halves of the checker."""

from __future__ import annotations

from rulerun.check.declarations.constants import ConstantScope
from rulerun.check.declarations.symbols import OptionSymbol, Symbols, VariableSymbol, ZoneSymbol
from rulerun.check.declarations.values import read_int
from rulerun.check.declare import declare
from rulerun.check.rule_text import finishing
from rulerun.check.rule_text.lower import Lowered, lower
from rulerun.check.rule_text.survey import read_texts
from rulerun.check.sight.judge import judge
from rulerun.check.unused import warn_unused
from rulerun.document.model import Ruleset
from rulerun.facts.annotate import annotate
from rulerun.ir.program import MAX_PLAYERS, Option, Program, Variable, ZoneFamily, layout_of
from rulerun.source.diagnostic import Diagnostics, Severity, ToldError
from rulerun.source.text import Span

DECISION_LIMIT = 20_000
"""Decisions after which a game stops with a fault, where the ruleset says nothing."""
MOST_DECISIONS = 10_000_000

HARMLESS = frozenset(
    f"RR03{n:02}" for n in (5, 6, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 24, 25, 26, 27, 30, 31, 40, 42, 43)
)
"""Faults of declarations that leave every name with its type, so that rule texts can still be checked."""


def compile_ruleset(
    ruleset: Ruleset, players: int, found: Diagnostics, *, guarded: bool = True
) -> Program | None:
    """The program of a ruleset for so many players; None if anything is wrong, which ``found`` then tells. Not
    ``guarded``: secrets are not followed (`check.sight`), to try what finds leaks from outside."""
    program, _ = _compile(ruleset, players, found, guarded=guarded)
    return program


def check_ruleset(ruleset: Ruleset, found: Diagnostics) -> Program | None:
    """Everything that `rulerun check` looks at: the ruleset for its fewest and its most players, each finding told
    once, and warnings for what is never used. The program for the fewest players if all is well."""
    fewest, most = ruleset.players
    program: Program | None = None
    told: set[tuple[str, Span | None]] = {(d.code, d.span) for d in found}
    for players in dict.fromkeys((fewest, most)):
        findings = Diagnostics()
        compiled, symbols = _compile(ruleset, players, findings)
        if players == fewest:
            program = compiled
            if symbols is not None:
                warn_unused(ruleset, symbols, findings)
        fresh = [d for d in findings if (d.code, d.span) not in told]
        found.found.extend(dict.fromkeys(fresh))
        told.update((d.code, d.span) for d in fresh)
        if compiled is None:
            program = None
    return program


def _compile(
    ruleset: Ruleset, players: int, found: Diagnostics, *, guarded: bool = True
) -> tuple[Program | None, Symbols | None]:
    if not _players_are_right(ruleset, players, found):
        return None, None
    mine = Diagnostics()
    symbols = declare(ruleset, players, mine)
    limit = _decision_limit(ruleset, symbols, mine)
    lowered: Lowered | None = None
    if all(d.code in HARMLESS for d in mine if d.severity is Severity.ERROR):
        lowered = lower(ruleset, symbols, mine)
    else:
        read_texts(symbols, mine)  # what is wrong with names or types would be told again wherever they are used
    found.found.extend(mine.found)
    if mine.has_errors or lowered is None:
        return None, symbols
    program = _assemble(ruleset, symbols, lowered, limit)
    if guarded:
        program = judge(program, lowered.spans, found)
        if found.has_errors:
            return None, symbols
    return annotate(program), symbols


def _players_are_right(ruleset: Ruleset, players: int, found: Diagnostics) -> bool:
    """RR0333 for a number of players that the ruleset is not for, or that no game can have."""
    fewest, most = ruleset.players
    if not 1 <= fewest <= most <= MAX_PLAYERS:
        message = f"a game is for 1 to {MAX_PLAYERS} players, the lower number first"
        found.error("RR0333", message, ruleset.players_span, help="write `players: 2..5` or `players: 4`")
        return False
    if not fewest <= players <= most:
        numbers = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        message = f"{ruleset.game} is for {numbers} player{'s' if numbers != '1' else ''}, not for {players}"
        found.error("RR0333", message, ruleset.players_span)
        return False
    return True


def _decision_limit(ruleset: Ruleset, symbols: Symbols, found: Diagnostics) -> int:
    """RR0342 for a limit that is none."""
    if ruleset.limit is None:
        return DECISION_LIMIT
    scalar = ruleset.limit.decisions
    try:
        limit = read_int(scalar, ConstantScope(symbols, found, place="as a limit of decisions"))
    except ToldError:
        return DECISION_LIMIT
    if not 1 <= limit <= MOST_DECISIONS:
        found.error(
            "RR0342",
            f"a game cannot be limited to {limit:,} decisions",
            scalar.span,
            help=f"from 1 to {MOST_DECISIONS:,}",
        )
    return limit


def _assemble(ruleset: Ruleset, symbols: Symbols, lowered: Lowered, limit: int) -> Program:
    zones = [s for s in symbols.names.values() if isinstance(s, ZoneSymbol)]
    state = [s for s in symbols.names.values() if isinstance(s, VariableSymbol)]
    options = [s for s in symbols.names.values() if isinstance(s, OptionSymbol)]
    return Program(
        game=ruleset.game.text,
        language=ruleset.language,
        players=symbols.players,
        options=tuple(Option(o.name, o.value, o.type, o.low, o.high, o.default, o.about) for o in options),
        variants=ruleset.applied,
        card_count=symbols.card_count,
        kinds=symbols.kinds,
        kind_names=symbols.kind_names,
        back_names=symbols.back_names,
        fields=symbols.fields_data,
        families=tuple(
            ZoneFamily(
                z.name,
                z.kind,
                z.seen_by,
                z.keys,
                z.first,
                z.size,
                z.index in lowered.shuffled,
                z.refill,
                z.columns,
                z.about,
            )
            for z in zones
        ),
        zones=symbols.zones_data,
        start=symbols.start,
        variables=(*(_variable(v) for v in state), *finishing.variable(symbols), *lowered.variables),
        tables=symbols.tables_data,
        functions=lowered.functions,
        procedures=lowered.procedures,
        blocks=lowered.blocks,
        entry=lowered.entry,
        score=lowered.score,
        won=lowered.won,
        teams=symbols.teams,
        criteria=lowered.criteria,
        decision_limit=limit,
        limit_is_draw=ruleset.limit is not None and ruleset.limit.then_draw,
        uses_knowledge=lowered.uses_knowledge,
        origins=lowered.origins,
        layout=layout_of(
            symbols.card_count, symbols.players, len(symbols.zones_data), symbols.variable_words, lowered.frame_words
        ),
        places=symbols.places,
        face_up=symbols.face_up,
    )


def _variable(symbol: VariableSymbol) -> Variable:
    return Variable(
        symbol.name, symbol.type, symbol.offset, symbol.words, -1, symbol.start, symbol.seen_by, symbol.seen
    )
