"""Who reads what: what a choice offers is read by its chooser, a note by everyone. What they cannot know is refused.

What happens at the table is not judged here: cards that move, values that are stored where they are seen, who is asked.
It is told to all who see it, and so no secret any more. `docs/secrets.md` says it as a theorem.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulerun.check.sight.expressions import Scope, elements_of, value_of
from rulerun.check.sight.flow import Analysis
from rulerun.check.sight.labels import OPEN, Label, Secret, Sort, Symbol, hidden_from
from rulerun.check.sight.values import ANYWHERE, Value, all_of
from rulerun.ir import nodes as ir
from rulerun.ir.program import Program, SeenBy
from rulerun.ir.traverse import walk
from rulerun.ir.typing import is_card, type_of
from rulerun.source.diagnostic import Diagnostics, Note
from rulerun.source.text import Span

Read = tuple[str, int]
"""A code, and the origin of what is read there."""


@dataclass(frozen=True, slots=True)
class _Finding:
    what: str
    """Who reads: "this label", "a note"."""
    carrier: str | None
    """The name by which the secret comes; None: it has none."""
    secret: Secret


def judge(program: Program, spans: Sequence[Span], found: Diagnostics) -> Program:
    """Refuses what tells a reader what it cannot know (RR0507 in a choice, RR0508 in a note).

    ``spans``: per origin of the program its place in the rules. The program comes back with what follows for its labels
    (`Label.hidden`), operations (`Store.told`, `Depth.secret`) and blocks (`Block.closed`)."""
    judgement = _Judgement(program)
    judgement.analysis.run()
    for (code, at), finding in sorted(judgement.findings.items(), key=lambda item: (item[0][1], item[0][0])):
        _tell(program, spans, code, at, finding, found)
    judged = _with_hidden_parts(_with_ops(program, judgement.ops), judgement.parts)
    return _with_closed_blocks(judged, judgement.analysis.closed)


class _Judgement:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.analysis = Analysis(program, self.offered, self.said, self.done)
        self.findings: dict[Read, _Finding] = {}
        self.ops: dict[tuple[int, int], ir.Op] = {}
        """Per block and number the operations that tell more, or less, than is written."""
        self.parts: dict[tuple[int, int], set[int]] = {}
        """Per block and line of a choice the parts of the label that not everyone may know."""

    def offered(self, block: int, scope: Scope) -> None:
        """A choice is offered: what stands in it is read by its chooser."""
        end = self.program.blocks[block].end
        assert isinstance(end, ir.Choose)
        reader = value_of(scope, end.chooser).symbol or ("nobody in particular",)
        what = "reaction" if end.window else "choice"
        for number, line in enumerate(end.lines):
            inner = Scope(scope.sights, scope.state, scope.call, {}, guarded=True)
            if line.guard is not None:
                self._read(f"the `if` of this {what}", line.guard, inner, reader, line.at)
                inner = inner.narrowed(line.guard)
            for binder in line.binders:
                self._binder(what, binder, inner, reader, line.at)
            if line.where is not None:
                self._read(f"the `where` of this {what}", line.where, inner, reader, line.at)
                inner = inner.narrowed(line.where)
            self._label(block, number, line, inner, reader)

    def said(self, note: ir.Announce, scope: Scope) -> None:
        """A note is told to everyone."""
        for part in note.text.parts:
            if not isinstance(part, str):
                self._judge("RR0508", "a note", part, _named(part, scope), scope, None, note.at)

    def done(self, block: int, number: int, op: ir.Op, scope: Scope) -> None:
        """An operation is carried out. If a secret settles in which of several open places a value is stored, that is
        told even if the value was there before; if one settles at which place of a zone a card comes to lie, it is not
        told."""
        match op:
            case ir.Store(place):
                variable = scope.sights.variables.get(place.offset)
                is_open = variable is not None and variable.seen_by is SeenBy.EVERYONE
                if is_open and any(value_of(scope, axis.index).label for axis in place.axes):
                    self.ops[block, number] = replace(op, told=True)
            case ir.MoveCard(spot=ir.Depth(index, False)) | ir.MoveCards(spot=ir.Depth(index, False)):
                if value_of(scope, index).label:
                    self.ops[block, number] = replace(op, spot=ir.Depth(index, True))
            case _:
                pass

    def _binder(self, what: str, binder: ir.Binder, scope: Scope, reader: Symbol, at: int) -> None:
        elements = elements_of(scope, binder.domain)
        label = elements.all | elements.size | elements.each.size
        self._judge("RR0507", f"what this {what} offers", binder.domain, label, scope, reader, at)
        for bound in (binder.least, binder.most):
            if bound is not None:
                self._read("the number to choose", bound, scope, reader, at)
        # Which card it is is told by what can be told apart only: see `ir.Identity`.
        scope.locals[binder.local] = Value(elements.all, ("bound", binder.local), OPEN, OPEN, OPEN, elements.each.home)

    def _label(self, block: int, number: int, line: ir.Line, scope: Scope, reader: Symbol) -> None:
        for i, part in enumerate(line.label.parts if line.label is not None else ()):
            if isinstance(part, str):
                continue
            label = _named(part, scope)
            self._judge("RR0507", "this label", part, label, scope, reader, line.at)
            if label:
                self.parts.setdefault((block, number), set()).add(i)

    def _read(self, what: str, expr: ir.Expr, scope: Scope, reader: Symbol, at: int) -> None:
        self._judge("RR0507", what, expr, value_of(scope, expr).label, scope, reader, at)

    def _judge(
        self,
        code: str,
        what: str,
        node: ir.Expr | ir.Domain,
        label: Label,
        scope: Scope,
        reader: Symbol | None,
        at: int,
    ) -> None:
        secrets = hidden_from(label, reader)
        if secrets:
            carrier = _carrier(node, secrets[0], scope)
            read_at = secrets[0].source.at
            if carrier is None and any(getattr(part, "at", -1) == read_at for part in walk(node)):
                at = read_at
            self.findings.setdefault((code, at), _Finding(what, carrier, secrets[0]))


def _named(part: ir.Expr, scope: Scope) -> Label:
    """Who may know what is named in a text. A card is named to each reader as it sees it: by its face or by where it
    lies. In a zone without order that is its face or "a card"; so nothing is told there to those who do not see it."""
    value = value_of(scope, part)
    home = ANYWHERE if value.home is None else value.home
    if home == ANYWHERE or not value.face or not is_card(type_of(part)):
        return all_of(value)
    if scope.sights.program.families[home].kind.ordered:
        return all_of(value)
    seers = frozenset[Symbol]().union(*(secret.knowers for secret in value.face))
    return frozenset(secret for secret in value.label if secret.fork >= 0 or not seers <= secret.knowers)


def _carrier(node: ir.Expr | ir.Domain, secret: Secret, scope: Scope) -> str | None:
    """The name that brings a secret to where it is read."""
    for part in walk(node):
        if isinstance(part, ir.Load) and part.place.offset not in scope.sights.variables:
            value = scope.state.get(part.place.offset)
            if secret in value.label | value.size | value.face | value.member:
                return scope.sights.names.get(part.place.offset)
    return None


_SEES = {
    SeenBy.EVERYONE: "everyone sees",
    SeenBy.NOBODY: "nobody sees",
    SeenBy.OWNER: "only its owner sees",
    SeenBy.OTHERS: "its owner does not see",
}


def _tell(
    program: Program, spans: Sequence[Span], code: str, at: int, finding: _Finding, found: Diagnostics
) -> None:
    source = finding.secret.source
    line = program.origins[source.at].line if source.at >= 0 else 0
    where = _from(program, source.name, source.sort)
    told = f"`{finding.carrier}`, which follows from {where}" if finding.carrier else where
    if line and (at < 0 or line != program.origins[at].line):
        told += f" (line {line})"
    if code == "RR0508":
        message = f"a note is told to everyone, and this one tells of {told}"
        way_out = "show it first (`reveal`), or store it in a variable that everyone sees: then all are told"
    else:
        message = f"{finding.what} must follow from what the player sees, and it follows from {told}"
        message = message.replace("it follows from `", "it reads `", 1)
        way_out = (
            "choose first and look afterwards; or store it in a variable of the state that this player sees: then the "
            "player is told"
        )
    notes: tuple[Note, ...] = ()
    if source.at >= 0 and source.at != at:
        notes = (Note("the secret comes in here", spans[source.at]),)
    found.error(code, message, spans[at] if at >= 0 else None, help=way_out, notes=notes)


def _from(program: Program, name: str, sort: Sort) -> str:
    match sort:
        case Sort.FACE | Sort.WHICH:
            seen_by = next(family.seen_by for family in program.families if family.name == name)
            what = "a face in" if sort is Sort.FACE else "which card it is of"
            return f"{what} `{name}`, whose faces {_SEES[seen_by]}"
        case Sort.VALUE:
            seen_by = next(v.seen_by for v in program.variables if v.name == name and v.unit < 0)
            return f"`{name}`, which {_SEES[seen_by]}"
        case Sort.CHOSEN:
            return "what was chosen secretly"
        case Sort.CHANCE:
            return "what chance gave untold"
        case Sort.MIXED:
            return "where a card went that nobody could follow"


def _with_ops(program: Program, changed: dict[tuple[int, int], ir.Op]) -> Program:
    blocks = list(program.blocks)
    for (number, i), op in changed.items():
        ops = blocks[number].ops
        blocks[number] = replace(blocks[number], ops=(*ops[:i], op, *ops[i + 1 :]))
    return replace(program, blocks=tuple(blocks)) if changed else program


def _with_closed_blocks(program: Program, closed: dict[int, set[tuple[int, ...]]]) -> Program:
    blocks = list(program.blocks)
    for number, secrets in closed.items():
        blocks[number] = replace(blocks[number], closed=tuple(sorted(secrets)))
    return replace(program, blocks=tuple(blocks))


def _with_hidden_parts(program: Program, parts: dict[tuple[int, int], set[int]]) -> Program:
    if not parts:
        return program
    blocks = list(program.blocks)
    for (number, line), hidden in parts.items():
        end = blocks[number].end
        assert isinstance(end, ir.Choose)
        lines = list(end.lines)
        label = lines[line].label
        assert label is not None
        lines[line] = replace(lines[line], label=replace(label, hidden=tuple(sorted(hidden))))
        blocks[number] = replace(blocks[number], end=replace(end, lines=tuple(lines)))
    return replace(program, blocks=tuple(blocks))
