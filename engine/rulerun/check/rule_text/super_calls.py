"""`as usual` in a text that replaces another.

A variant, or a file that extends another, may write a rule, a function, an event or the score anew. Where its text says
`as usual`, the text that it replaces is declared beside it, under a name that nobody can write (``turn (as usual)``),
and `as usual` becomes a call of it with the parameters as they then are. From there on it is a text like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace

from rulerun import syntax
from rulerun.check.declarations.symbols import ProcedureSymbol, Symbols
from rulerun.check.declarations.types import noun
from rulerun.check.rule_text.survey import Texts, walk
from rulerun.check.rule_text.typed import accepts
from rulerun.document.model import ProcedureDecl
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Span
from rulerun.syntax import nodes as syn

SUFFIX = " (as usual)"

Make = Callable[[ProcedureDecl], ProcedureSymbol | None]
"""Reads a declaration: what is wrong with it is told, and nothing comes back."""


def is_usual(name: str) -> bool:
    """Whether it is the name of a replaced text, which people cannot call."""
    return name.endswith(SUFFIX)


# ---------------------------------------------------------------- declarations


def declare(symbol: ProcedureSymbol, symbols: Symbols, make: Make, found: Diagnostics, key: str = "") -> int:
    """Declares the texts that run where `symbol` says `as usual`, layer below layer, and counts them. `key`: by what
    name its text is known, if not by its own. RR0521 where the parameters of a layer do not fit those below."""
    name, count = key or symbol.name, 0
    event = symbol.sort == "event"
    while symbol.decl.replaced is not None:
        spoken = _first(symbol)
        if spoken is None:
            break
        symbols.replaced[name] = ""
        below = make(symbol.decl.replaced)
        if below is None or not _fits(symbol, below, spoken, found):
            break
        below = replace(below, name=name + SUFFIX, index=symbol.index + 1, sort="rule" if event else below.sort)
        symbols.replaced[name] = below.name
        symbols.names[below.name] = below
        if event:
            symbols.event_texts.add(below.name)
        name, symbol, count = below.name, below, count + 1
    return count


def _first(symbol: ProcedureSymbol) -> Span | None:
    """Where a text first says `as usual`. What is wrong with the text is told when it is read in earnest."""
    parse = syntax.parse_function_body if symbol.sort == "function" else syntax.parse_body
    body = parse(symbol.decl.body, Diagnostics())
    return next((node.span for node in walk(body) if isinstance(node, syn.AsUsual)), None)


def _fits(symbol: ProcedureSymbol, below: ProcedureSymbol, spoken: Span, found: Diagnostics) -> bool:
    """Whether the text below can be given the parameters of the one that replaces it, by their places."""
    name = symbol.decl.name.text
    written = below.decl.signature.text
    wrong = ""
    if len(symbol.params) != len(below.params):
        count, other = len(symbol.params), len(below.params)
        parameters = f"{count or 'no'} parameter{'' if count == 1 else 's'}"
        wrong = f"this `{name}` has {parameters}, and the one that it replaces has {other or 'none'}"
    else:
        for (mine, given), (_, wanted) in zip(symbol.params, below.params, strict=True):
            if not accepts(wanted, given):
                wrong = f"`{mine}` is {noun(given)}, and the `{name}` that this one replaces takes {noun(wanted)} there"
                break
    if wrong:
        found.error(
            "RR0521",
            f"`as usual` cannot be run: {wrong}",
            spoken,
            notes=(Note("it replaces this one", below.decl.signature.span()),),
            help=f"take the same parameters, under any names: `{written}`",
        )
    return not wrong


# ------------------------------------------------------------------------ texts


def called(symbols: Symbols, texts: Texts) -> Texts:
    """The texts, in which `as usual` is a call of the replaced text wherever there is one."""
    bodies, won = dict(texts.bodies), texts.won
    for name in symbols.replaced:
        if name == WON and symbols.won is not None:
            won = _Calls(symbols, name, symbols.won).of(won)
        else:
            symbol = symbols.score if symbols.score is not None and name == symbols.score.name else symbols.names[name]
            assert isinstance(symbol, ProcedureSymbol)
            bodies[name] = _Calls(symbols, name, symbol).of(bodies[name])
    return Texts(bodies, texts.triggers, won)


WON = "result.won"
"""What the text is known by that says whether anybody wins: a function may be called `won`."""


class _Calls:
    """Puts calls for `as usual`. An event gives no value: there only the statement is one."""

    def __init__(self, symbols: Symbols, name: str, symbol: ProcedureSymbol) -> None:
        self.below = symbols.replaced[name]
        self.params = tuple(param for param, _ in symbol.params)
        self.event = symbol.sort == "event" or name in symbols.event_texts

    def call(self, span: Span) -> syn.Expr:
        if not self.below:
            return syn.Broken(span)  # why it cannot be run has been told
        return syn.Call(syn.Ident(self.below, span), tuple(syn.Name(name, span) for name in self.params), span)

    def of(self, body: syn.Body) -> syn.Body:
        made = self.put(body)
        assert isinstance(made, tuple)
        return made

    def put(self, node: object) -> object:
        match node:
            case tuple():
                return tuple([self.put(part) for part in node])
            case syn.Do(syn.AsUsual(at), span):
                return syn.Do(self.call(at), span)
            case syn.AsUsual(span):
                return node if self.event and self.below else self.call(span)
            case _ if is_dataclass(node) and not isinstance(node, type | Span):
                parts = {f.name: getattr(node, f.name) for f in fields(node)}
                changed = {name: new for name, old in parts.items() if (new := self.put(old)) != old}
                return replace(node, **changed) if changed else node
            case _:
                return node


# ---------------------------------------------------------------- out of place
