"""What can be said about a ruleset: diagnostics are values, collected first and told later.

This file holds the data; `render` tells it to people and `codes` names every code. Nothing here reads a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from rulerun.source.text import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Note:
    """A further remark, with its place where it has one ("first defined here")."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: a stable code (``RR0203``), what is wrong, where, further remarks, and a way out."""

    code: str
    message: str
    span: Span | None
    severity: Severity = Severity.ERROR
    notes: tuple[Note, ...] = ()
    help: str | None = None
    expected: tuple[str, ...] = ()


@dataclass
class Diagnostics:
    """A collector of findings. Floors add to it and go on; whoever holds it decides whether to stop."""

    found: list[Diagnostic] = field(default_factory=list)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002 - the word that the reader of a message sees
        notes: tuple[Note, ...] = (),
        expected: tuple[str, ...] = (),
    ) -> None:
        self.found.append(Diagnostic(code, message, span, Severity.ERROR, notes, help, expected))

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.found.append(Diagnostic(code, message, span, Severity.WARNING, notes, help))

    @property
    def has_errors(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)


class ToldError(Exception):
    """A diagnostic has been told, and what holds the fault (a value, a statement) is given up. Stays in `check/`."""


class RulesetError(Exception):
    """A ruleset that cannot be used. `diagnostics` says what is wrong and where; raised at the edge of the API."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0] if diagnostics else None
        where = f"{first.span}: " if first and first.span else ""
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{where}{first.code if first else ''} {first.message if first else ''}{more}")


class UsageError(Exception):
    """A wrong call: an unknown option or variant, a wrong number of players, an unreadable file."""
