"""Rule texts to IR: functions, procedures, blocks, and what else of a program follows from the texts.

The declarations must have been read (`declare`). Everything is lowered callees first, so that a call knows what it
gets; numbers, however, follow the order of the file, so that they are the same whatever calls what.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols
from rulerun.check.rule_text import events, facing, finishing, functions, nesting, super_calls, survey, turning_down
from rulerun.check.rule_text import rooms as _rooms  # noqa: F401 - to import them is to enter them at `driver`
from rulerun.check.rule_text.compilation import Compilation, FunctionInfo, ProcedureInfo
from rulerun.check.rule_text.link import link
from rulerun.document.model import OptionDecl, ProcedureDecl, Ruleset, StateDecl, TableDecl, TypeDecl, ZoneDecl
from rulerun.ir import nodes as ir
from rulerun.ir.program import HEADER_WORDS, Criterion, Function, Origin, Procedure, Variable
from rulerun.source.diagnostic import Diagnostics
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

ENTRY = "play"


@dataclass(frozen=True)
class Lowered:
    """The part of a program that rule texts say. ``variables`` are those of procedures only."""

    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    blocks: tuple[ir.Block, ...]
    entry: int
    score: int
    won: int
    criteria: tuple[Criterion, ...]
    frame_words: int
    shuffled: frozenset[int]
    uses_knowledge: bool
    origins: tuple[Origin, ...]
    spans: tuple[Span, ...]
    """Per origin where it is."""
    variables: tuple[Variable, ...]


def lower(ruleset: Ruleset, symbols: Symbols, found: Diagnostics) -> Lowered | None:
    """Lowers all rule texts. None if anything is wrong, which `found` then tells."""
    mine = Diagnostics()
    texts = super_calls.called(symbols, survey.read_texts(symbols, mine))
    shuffled = survey.shuffled_families(symbols, texts)
    finishing.give_room(symbols, texts, mine)
    facing.give_room(symbols, texts)
    compilation = Compilation(symbols, texts, mine, shuffled, survey.pausing(texts))
    compilation.turned = facing.families_turned(symbols, texts)
    compilation.faulty = _faulty(ruleset, symbols)
    compilation.leaving = survey.holds(texts, syn.Leave) or survey.ends_for(texts)
    if not compilation.leaving:
        finishing.warn_of_nobody(texts, ruleset.outermost, mine)
    compilation.turning = compilation.leaving or survey.holds(texts, syn.ReversePlay)
    depths = nesting.written(symbols, texts, mine)
    order = survey.dependency_order(texts, frozenset(depths))
    _refuse_cycles(compilation, order.cycles)
    compilation.cyclic = frozenset(name for cycle in order.cycles for name in cycle)
    lowered_functions = _number_functions(compilation)
    parts = _number_procedures(compilation)
    if symbols.places >= 0 and symbols.score is not None:
        lowered_functions.append(finishing.function(compilation, len(lowered_functions)))

    def lower_one(name: str) -> None:
        symbol = symbols.score if name == "score" else symbols.names[name]
        assert isinstance(symbol, ProcedureSymbol)
        if symbol.sort == "function":
            info = compilation.functions[name]
            lowered_functions[info.index] = functions.lower_function(compilation, info, symbol, texts.of(symbol))
            if symbol is symbols.score:
                functions.check_score(compilation, info, symbol)
        else:
            _lower_procedure(compilation, symbol, parts)

    circles = nesting.circles(texts) if depths else []
    for circle in circles:
        nesting.give_frames(compilation, circle, depths)
    nesting.lower_circles(compilation, order, circles, lower_one)
    nesting.limit_room(compilation, circles, parts)
    complete = [f for f in lowered_functions if f is not None]
    criteria = functions.criteria(compilation, complete)
    won = functions.lower_won(compilation, complete)
    found.found.extend(dict.fromkeys(mine.found))
    if mine.has_errors or symbols.score is None or ENTRY not in compilation.procedures:
        return None
    assert len(complete) >= len(lowered_functions)
    score = functions.score(compilation, complete)
    entry = compilation.procedures[ENTRY].index
    linked = link([part for part in parts if part is not None], entry)
    return Lowered(
        functions=tuple(complete),
        procedures=linked.procedures,
        blocks=turning_down.turn_down(linked.blocks, symbols, compilation.turned),
        entry=linked.procedures[entry].entry,
        score=score,
        won=won,
        criteria=criteria,
        frame_words=compilation.next_word - HEADER_WORDS - symbols.variable_words,
        shuffled=shuffled,
        uses_knowledge=compilation.uses_knowledge,
        origins=tuple(compilation.origin_list),
        spans=tuple(compilation.span_list),
        variables=tuple(compilation.variables),
    )


def _faulty(ruleset: Ruleset, symbols: Symbols) -> frozenset[str]:
    """Names whose declaration is at fault. That has been told, and is not told again where they are used."""
    named: tuple[OptionDecl | TypeDecl | ZoneDecl | StateDecl | TableDecl | ProcedureDecl, ...] = (
        *ruleset.options,
        *ruleset.types,
        *ruleset.zones,
        *ruleset.state,
        *ruleset.tables,
        *ruleset.functions,
        *ruleset.rules,
        *ruleset.events,
    )
    faulty = {d.name.text for d in named} - set(symbols.names)
    faulty |= {d.name.text for d in ruleset.cards.fields} - set(symbols.fields)
    if symbols.score is None:
        faulty.add("score")
    return frozenset(faulty)


def _refuse_cycles(compilation: Compilation, cycles: tuple[tuple[str, ...], ...]) -> None:
    for cycle in cycles:
        symbol = compilation.symbols.names.get(cycle[0]) or compilation.symbols.score
        assert symbol is not None
        way = " → ".join(f"`{name}`" for name in cycle)
        what = "calls itself" if len(cycle) == 2 else f"leads back to itself: {way}"
        compilation.found.error(
            "RR0503",
            f"`{cycle[0]}` {what}",
            symbol.span,
            help=_way_out(compilation, cycle),
        )


def _way_out(compilation: Compilation, cycle: tuple[str, ...]) -> str:
    """A cycle ends in a loop; one of rules or events may be allowed to a depth."""
    loop = "say it with a loop (`repeat`, `for`)"
    member = compilation.symbols.names.get(cycle[0])
    if not isinstance(member, ProcedureSymbol) or member.sort == "function" or ENTRY in cycle:
        return loop
    text = f"{member.decl.signature.text}:\n  nested: 3\n  do: |\n    …"
    return f"{loop}; or say how often it may be in progress at once:\n{text}"


def _number_functions(compilation: Compilation) -> list[Function | None]:
    symbols = compilation.symbols
    all_ = symbols.of_sort("function")
    for i, symbol in enumerate(all_):
        compilation.functions[symbol.name] = FunctionInfo(symbol, i)
    if symbols.score is not None:
        compilation.functions.setdefault(symbols.score.name, FunctionInfo(symbols.score, len(all_)))
        return [None] * (len(all_) + 1)
    return [None] * len(all_)


def _number_procedures(compilation: Compilation) -> list[tuple[Procedure, list[ir.Block]] | None]:
    """Rules, then events, each followed by its own text where that is a procedure of its own."""
    count = 0
    for sort in ("rule", "event"):
        for symbol in compilation.symbols.of_sort(sort):
            params = tuple(type_ for _, type_ in symbol.params)
            compilation.procedures[symbol.name] = ProcedureInfo(count, params)
            count += 1
            if sort == "event" and events.uses_own_text(compilation.texts.triggers.get(symbol.name, [])):
                compilation.own_texts[symbol.name] = ProcedureInfo(count, params)
                count += 1
    return [None] * count


def _lower_procedure(
    compilation: Compilation, symbol: ProcedureSymbol, parts: list[tuple[Procedure, list[ir.Block]] | None]
) -> None:
    info = compilation.procedures[symbol.name]
    if symbol.sort == "rule":
        kind = "own text" if symbol.name in compilation.symbols.event_texts else "rule"
        parts[info.index] = events.lower_body(compilation, info, symbol, kind)
        return
    own = compilation.own_texts.get(symbol.name)
    if own is not None:
        parts[own.index] = events.lower_body(compilation, own, symbol, "own text")
    parts[info.index] = events.lower_event(compilation, info, symbol)
