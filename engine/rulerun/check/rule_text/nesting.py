"""Rules and events that lead back to themselves: which may (``nested: N``), how many frames each needs, and how they
are lowered, since each of them is called by a text that comes before what it gives is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulerun.check.declarations.constants import ConstantScope
from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols
from rulerun.check.declarations.values import read_int
from rulerun.check.rule_text.compilation import Compilation
from rulerun.check.rule_text.survey import Order, Texts, called
from rulerun.document.model import Scalar
from rulerun.ir.program import Procedure
from rulerun.source.diagnostic import Diagnostics, ToldError

DEEPEST = 64
"""How often a rule or event may be in progress at once."""
MOST_KEPT = 5_000
"""Words that all kept frames may take."""
MORE_PASSES = 4
"""What a name of a circle gives is known one pass after that of another at the latest; then places settle."""


def written(symbols: Symbols, texts: Texts, found: Diagnostics) -> dict[str, int]:
    """The rules and events that say how often they may be in progress; an event's triggers speak for it, the greatest
    number counts. RR0346 for a number that is none."""
    scope = ConstantScope(symbols, found, place="behind `nested`")
    depths: dict[str, int] = {}

    def read(name: str, nested: Scalar | None) -> None:
        if nested is None:
            return
        depth = 2  # stands in for what is wrong
        with suppress(ToldError):
            depth = read_int(nested, scope)
            if not 2 <= depth <= DEEPEST:
                found.error(
                    "RR0346",
                    f"`{name}` cannot be nested {depth:,} times",
                    nested.span,
                    help=f"from 2 to {DEEPEST}; what is in progress once only needs no `nested`",
                )
                depth = 2
        depths[name] = max(depth, depths.get(name, 0))

    for sort in ("rule", "event"):
        for symbol in symbols.of_sort(sort):
            read(symbol.name, symbol.decl.nested)
            for trigger in texts.triggers.get(symbol.name, ()):
                read(symbol.name, trigger.symbol.decl.nested)
    return depths


def circles(texts: Texts) -> list[frozenset[str]]:
    """The names that lead back to themselves, those that lead to each other together."""
    calls = {name: {c.name.text for c in called(texts.parts(name))} & set(texts.bodies) for name in texts.bodies}

    def reach(name: str) -> set[str]:
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            more = calls[waiting.pop()] - seen
            seen |= more
            waiting += more
        return seen

    reached = {name: reach(name) for name in texts.bodies}
    found: list[frozenset[str]] = []
    for name in texts.bodies:
        if name in reached[name] and not any(name in circle for circle in found):
            found.append(frozenset(other for other in reached[name] if name in reached[other]))
    return found


def give_frames(compilation: Compilation, circle: frozenset[str], depths: dict[str, int]) -> None:
    """Settles how often each name of a circle can be in progress. Between two times of one that says nothing there is
    always one that does, so there is one time more of it than of all those together."""
    total = sum(depths.get(name, 0) for name in circle)
    for name in circle:
        for infos in (compilation.procedures, compilation.own_texts):
            if name in infos:
                infos[name].nested = depths.get(name, total + 1)


def limit_room(
    compilation: Compilation, found: list[frozenset[str]], parts: Sequence[tuple[Procedure, Any] | None]
) -> None:
    """RR0347 if the frames that would be kept take too much room."""
    for circle in found:
        procedures = [part[0] for part in parts if part is not None and part[0].name in circle]
        room = sum(p.end - p.kept for p in procedures)
        if room > MOST_KEPT:
            greatest = max(procedures, key=lambda p: p.end - p.kept)
            compilation.found.error(
                "RR0347",
                f"what `{greatest.name}` ({greatest.nested} times) and the texts around it remember takes too much "
                f"room: {room:,} numbers, and {MOST_KEPT:,} may be kept",
                compilation.symbols.names[greatest.name].span,
                help="a smaller number behind `nested`, or fewer names and loops in these texts",
            )


def lower_circles(
    compilation: Compilation, order: Order, found: list[frozenset[str]], one: Callable[[str], None]
) -> None:
    """Lowers all names with `one`, callees first. Those of a circle are lowered together once all else that they call
    has been: over and over, until what each gives, and where, comes out as it was taken to be."""
    waiting = {name: set(circle) for circle in found for name in circle}
    begun: dict[frozenset[str], set[str]] = {circle: set() for circle in found}
    for name in order.names:
        if name not in waiting:
            one(name)
            continue
        circle = frozenset(waiting[name])
        begun[circle].add(name)
        if begun[circle] == circle:
            _lower_until_stable(compilation, [n for n in order.names if n in circle], one)


def _lower_until_stable(compilation: Compilation, names: list[str], one: Callable[[str], None]) -> None:
    infos = [compilation.procedures[name] for name in names if name in compilation.procedures]
    told = len(compilation.found.found)
    state = (compilation.next_word, len(compilation.variables), len(compilation.origin_list))
    for _ in range(len(names) + MORE_PASSES):
        before = [replace(info) for info in infos]
        for name in names:
            one(name)
        if before == infos:
            break
        compilation.next_word = state[0]
        del compilation.found.found[told:], compilation.variables[state[1] :], compilation.origin_list[state[2] :]
        compilation.origins = {key: at for key, at in compilation.origins.items() if at < state[2]}
    unknown = [name for name in names if name in compilation.procedures and compilation.procedures[name].faulty]
    if unknown and len(compilation.found.found) == told:
        symbol = compilation.symbols.names[unknown[0]]
        assert isinstance(symbol, ProcedureSymbol)
        compilation.found.error(
            "RR0511",
            f"nothing says what `{symbol.name}` returns: it returns what it gets from itself",
            symbol.span,
            help="let one way end in a value of its own, such as `return 0`",
        )
