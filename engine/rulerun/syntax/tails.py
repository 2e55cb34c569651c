"""Expressions that stand as statements: a function's last one is its value; elsewhere only a call does anything."""

from __future__ import annotations

from collections.abc import Iterator

from rulerun.source.diagnostic import Diagnostics
from rulerun.syntax import nodes as n
from rulerun.syntax.words import FOREIGN_WORDS


def give_tail(body: n.Body) -> n.Body:
    """A function's body, its last expression made a `Return`; in every branch where an ``if`` with ``else`` is last."""
    if not body:
        return body
    match body[-1]:
        case n.Do(n.Broken()):
            return body
        case n.Do(value, span):
            return (*body[:-1], n.Return(value, span))
        case n.If(branches, otherwise, span) if otherwise is not None:
            given = tuple((condition, give_tail(branch)) for condition, branch in branches)
            return (*body[:-1], n.If(given, give_tail(otherwise), span))
        case _:
            return body


def tell_idle(body: n.Body, found: Diagnostics) -> None:
    """Tell every expression that stands as a statement and does nothing."""
    for statement in body:
        match statement:
            case n.Do(n.Call() | n.AsUsual() | n.Broken()):
                continue
            case n.Do(n.Compare(op="=="), span):
                found.error(
                    "RR0216",
                    "this compares two values and does nothing with the answer",
                    span,
                    help="to set a variable write '=' once",
                )
            case n.Do(n.Name(text), span):
                advice = FOREIGN_WORDS.get(text, f"to run a rule, write {text}()")
                found.error("RR0216", f"'{text}' alone does nothing", span, help=advice)
            case n.Do(_, span):
                found.error(
                    "RR0216",
                    "this computes a value and does nothing with it",
                    span,
                    help="keep it with 'let name = ...', give it back with 'return', or take the line out",
                )
            case _:
                for inner in blocks_of(statement):
                    tell_idle(inner, found)


def blocks_of(statement: n.Stmt) -> Iterator[n.Body]:
    """The bodies that lie directly in a statement."""
    match statement:
        case n.If(branches, otherwise, _):
            yield from (body for _, body in branches)
            if otherwise is not None:
                yield otherwise
        case n.For(body=body) | n.Repeat(body=body):
            yield body
        case n.Choose(lines=lines, otherwise=otherwise) | n.Window(lines=lines, otherwise=otherwise) | n.AtOnce(
            lines=lines, otherwise=otherwise
        ):
            yield from (line.body for line in lines if line.body is not None)
            if otherwise is not None:
                yield otherwise
        case _:
            return
