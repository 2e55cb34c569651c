"""From the declaring sections of a ruleset to symbols: what every name means, for one number of players.

Sections are read in the order in which they need each other: options and enums, tables, fields and cards, zones, state,
procedures, triggers, result. Everything that can be told is told; a part that is wrong gets a stand-in, so that later
parts do not complain about its absence. Reads rule text only through `syntax`; bodies are left to `lower`.
"""

from __future__ import annotations

from rulerun.check.declarations.card_names import name_cards
from rulerun.check.declarations.cards import declare_fields, make_cards, standard_enums
from rulerun.check.declarations.constants import ConstantScope
from rulerun.check.declarations.names import Namespace, sound_name
from rulerun.check.declarations.options import declare_enum, declare_option, enter_enum
from rulerun.check.declarations.symbols import (
    EnumSymbol,
    OptionSymbol,
    ProcedureSymbol,
    Symbols,
    TableSymbol,
    TriggerSymbol,
    VariableSymbol,
    ZoneSymbol,
)
from rulerun.check.declarations.tables import declare_state, declare_table
from rulerun.check.declarations.teams import declare_teams, shared, team_type
from rulerun.check.declarations.types import did_you_mean, listed, resolve_type
from rulerun.check.declarations.zones import declare_zones, place_cards
from rulerun.check.rule_text import super_calls
from rulerun.check.rule_text.finishing import NAME as PLACE
from rulerun.document.model import ProcedureDecl, ResultDecl, Ruleset, TriggerDecl
from rulerun.ir.types import INT, PLAYER, ArrayType, Type
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.spell import nearest
from rulerun.syntax import nodes as syn
from rulerun.syntax import parse_criterion, parse_pattern, parse_signature

ENTRY = "play"
"""The rule that a game begins with."""


def declare(ruleset: Ruleset, players: int, found: Diagnostics) -> Symbols:
    """All that the declaring sections say, for ``players`` players. Findings (RR03xx) go to ``found``."""
    symbols = Symbols(players)
    space = Namespace(symbols, found)
    names = [d.name for d in (*ruleset.functions, *ruleset.rules, *ruleset.events)]
    names += [*(d.name for d in ruleset.zones), *(d.name for d in ruleset.state)]
    later = frozenset(name.text for name in names)
    scope = ConstantScope(symbols, found, later=later)
    for enum in standard_enums(ruleset.cards, found):
        enter_enum(enum, None, space)
    for type_decl in ruleset.types:
        declare_enum(type_decl, space, found)
    for option in ruleset.options:
        declare_option(option, space, scope, found)
    declare_teams(ruleset, space, scope.at("as the number of teams"), found)
    for table in ruleset.tables:
        declare_table(table, space, scope.at("in a table"), found)
    for field_decl in ruleset.cards.fields:
        sound_name(field_decl.name.text, field_decl.name.span, "a field", found, value=True)
    declare_fields(ruleset.cards, symbols, found)
    make_cards(ruleset.cards, symbols, scope.at("in the deck"), found)
    name_cards(ruleset.cards, symbols, scope.at("in the name of a card"), found)
    declare_zones(ruleset.zones, space, scope.at("in a zone"), found)
    declare_state(ruleset.state, space, scope.at("as a start"), found)
    for sort, decls in (("function", ruleset.functions), ("rule", ruleset.rules), ("event", ruleset.events)):
        number = 0
        for decl in decls:
            symbol = _procedure(decl, sort, number, symbols, found)
            if symbol is not None and space.declare(decl.name, _with_article(sort), symbol):
                number += 1 + super_calls.declare(symbol, symbols, _maker(sort, symbols, found), found)
    _check_entry(ruleset, symbols, found)
    for trigger in ruleset.triggers:
        _trigger(trigger, symbols, found)
    _result(ruleset.result, symbols, space, found)
    place_cards(ruleset.zones, symbols, scope.at("in the start of a zone"), found)
    return symbols


def _with_article(sort: str) -> str:
    return f"an {sort}" if sort == "event" else f"a {sort}"


# ----------------------------------------------------------------- procedures


def _procedure(
    decl: ProcedureDecl, sort: str, number: int, symbols: Symbols, found: Diagnostics
) -> ProcedureSymbol | None:
    signature = parse_signature(decl.signature, found)
    if signature is None:
        return None
    _check_parameters(tuple(param.name for param in signature.params), found)
    params: list[tuple[str, Type]] = []
    for param in signature.params:
        type_ = resolve_type(param.type, symbols, found)
        if isinstance(type_, ArrayType):
            found.error(
                "RR0304",
                f"a parameter cannot be `{type_}`",
                param.type.span,
                help="read the table or variable by its name",
            )
            type_ = None
        params.append((param.name.text, type_ or INT))
    return ProcedureSymbol(decl.name.text, sort, number, tuple(params), signature, decl, decl.name.span)


def _maker(sort: str, symbols: Symbols, found: Diagnostics) -> super_calls.Make:
    return lambda decl: _procedure(decl, sort, 0, symbols, found)


def _check_parameters(names: tuple[syn.Ident, ...], found: Diagnostics) -> None:
    """RR0302 for words that cannot name a parameter; what else may have the name is looked at where it is bound."""
    for name in names:
        sound_name(name.text, name.span, "a parameter", found)


def _check_entry(ruleset: Ruleset, symbols: Symbols, found: Diagnostics) -> None:
    entry = symbols.names.get(ENTRY)
    if not isinstance(entry, ProcedureSymbol) or entry.sort != "rule":
        if any(rule.name.text == ENTRY for rule in ruleset.rules):
            return  # it is there, and what is wrong with it has been told
        near = nearest(ENTRY, [rule.name.text for rule in ruleset.rules])
        meant = f"is `{near}` meant? It must be called `{ENTRY}`" if near else None
        where = ruleset.rules[0].name.span if ruleset.rules else ruleset.game.span
        found.error(
            "RR0335",
            f"there is no rule `{ENTRY}`, with which a game begins",
            where,
            help=meant or f"add it under `rules:`: `{ENTRY}: |` and then what is done",
        )
    elif entry.params:
        found.error(
            "RR0335",
            f"the rule `{ENTRY}` begins the game and is given nothing",
            entry.signature.span,
            help=f"write `{ENTRY}: |`",
        )


# ------------------------------------------------------------------- triggers


def _trigger(decl: TriggerDecl, symbols: Symbols, found: Diagnostics) -> None:
    """RR0336 for a trigger on what is no event, RR0337 if it names the wrong number of parameters."""
    pattern = parse_pattern(decl.event, found)
    if pattern is None:
        return
    event = symbols.names.get(pattern.name.text)
    if not isinstance(event, ProcedureSymbol) or event.sort != "event":
        events = [s.name for s in symbols.of_sort("event")]
        message = f"there is no event `{pattern.name.text}`"
        if isinstance(event, ProcedureSymbol):
            message = f"`{pattern.name.text}` is a {event.sort}; only events have triggers"
        near = did_you_mean(pattern.name.text, events)
        help_ = near or (f"the events are {listed(events)}" if events else "events are declared under `events:`")
        found.error("RR0336", message, pattern.name.span, help=help_)
        return
    if len(pattern.params) != len(event.params):
        have, wanted = len(pattern.params), len(event.params)
        names = ", ".join(name for name, _ in event.params)
        found.error(
            "RR0337",
            f"`{event.name}` tells {_count(wanted)}, and {have} {'is' if have == 1 else 'are'} named here",
            pattern.span,
            help=f"write `{event.name}({names})`" if names else f"write `{event.name}`",
            notes=(Note("the event is declared here", event.span),),
        )
        return
    _check_parameters(pattern.params, found)
    symbols.triggers.append(TriggerSymbol(decl.name.text, decl.timing, pattern, decl))


def _count(number: int) -> str:
    words = ("nothing", "one thing", "two things", "three things", "four things")
    return words[number] if number < len(words) else f"{number} things"


# --------------------------------------------------------------------- result


def _result(result: ResultDecl | None, symbols: Symbols, space: Namespace, found: Diagnostics) -> None:
    """RR0339 for a score that is not of one player, RR0340 for an unknown criterion."""
    if result is None:
        return  # told when the document was read
    told = len(found.found)
    score = _procedure(result.score, "function", 0, symbols, found)
    if len(found.found) > told:
        score = None
    common = False
    if score is not None:
        params = tuple(type_ for _, type_ in score.params)
        common = shared(symbols, params)
        if score.name != "score" or not (params == (PLAYER,) or common):
            teams = ", `score(Team t): |`" if symbols.teams else ""
            found.error(
                "RR0339",
                "the score is that of one player" + (", of one team" if symbols.teams else "") + " or of all together",
                score.signature.span,
                help=f"write `score(Player p): |`{teams} or `score: |`",
            )
        else:
            space.claim("score", score.span, "the score")
            symbols.score = score
            super_calls.declare(score, symbols, _maker("function", symbols, found), found)
    if result.won is not None:
        symbols.won = _procedure(result.won, "function", 0, symbols, found)
        if symbols.won is not None:
            super_calls.declare(symbols.won, symbols, _maker("function", symbols, found), found, super_calls.WON)
    criteria = []
    for piece in result.winner:
        criterion = parse_criterion(piece, found)
        if criterion is None:
            continue
        if _is_criterion(criterion.name.text, symbols, common):
            criteria.append(criterion)
            continue
        usable = ["score", *(name for name in symbols.names if _is_criterion(name, symbols, common))]
        if common and _is_criterion(criterion.name.text, symbols, common=False):
            found.error(
                "RR0340",
                f"`{criterion.name.text}` tells players apart whom the score keeps together",
                criterion.name.span,
                help=f"who shares a score wins together, so by {listed(usable)}",
            )
            continue
        near = did_you_mean(criterion.name.text, usable)
        found.error(
            "RR0340",
            f"players cannot be compared by `{criterion.name.text}`",
            criterion.name.span,
            help=near
            or f"a criterion is `score`, a function of one player, or a variable `int per Player`: {listed(usable)}",
        )
    symbols.criteria = tuple(criteria)


def _is_criterion(name: str, symbols: Symbols, common: bool) -> bool:
    """Whether players can be compared by it. ``common``: the score is not one player's, then nothing else may be."""
    if name == "score" or super_calls.is_usual(name):
        return name == "score"
    team = team_type(symbols.teams) if symbols.teams else None
    match symbols.names.get(name):
        case None:
            return name == PLACE and not common
        case ProcedureSymbol(_, "function", _, params):
            types = [type_ for _, type_ in params]
            return types == [team] or (types == [PLAYER] and not common)
        case VariableSymbol(_, type_):
            of_a_team = team is not None and type_ == ArrayType(INT, team)
            return of_a_team or (type_ == ArrayType(INT, PLAYER) and not common)
        case OptionSymbol() | EnumSymbol() | ZoneSymbol() | TableSymbol() | ProcedureSymbol():
            return False
