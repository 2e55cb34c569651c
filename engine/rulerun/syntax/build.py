"""From grammar rules to syntax nodes: one method for each rule or alias of `rules.lark`, called by the parser.

A method gets the rule's parts in order: tokens as `Lexeme`s, nodes, and None for an optional part that was not written.
It imports nothing of lark, keeps nothing between calls and refuses what the grammar is too coarse to refuse.
The span of a statement with a block is that of its head, without the block.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulerun.source.text import Span
from rulerun.syntax import nodes as n
from rulerun.syntax.lexer import Lexeme
from rulerun.syntax.words import FOLDS

Parts = list[Any]


class RefusedError(Exception):
    """A text that the grammar lets through but the language does not."""

    def __init__(self, code: str, message: str, span: Span, advice: str) -> None:
        self.code, self.message, self.span, self.advice = code, message, span, advice
        super().__init__(message)


def _over(first: Any, last: Any) -> Span:
    """From the start of one part to the end of another."""
    start: Span = first.span
    return Span(start.source, start.start, max(start.end, last.span.end))


def _ident(lexeme: Lexeme) -> n.Ident:
    return n.Ident(lexeme.text, lexeme.span)


def _words(lexeme: Lexeme) -> str:
    return " ".join(lexeme.text.split())


def _label(lexeme: Lexeme | None) -> n.Template | None:
    return None if lexeme is None else lexeme.template


def _listed(parts: Parts) -> tuple[Any, ...]:
    """The parts of a list without its commas."""
    return tuple(parts[::2])


class Builder:
    """Makes the nodes. Stateless: one serves all parses."""

    # -------------------------------------------------------------- statements

    def body(self, p: Parts) -> n.Body:
        return tuple(p)

    def ended(self, p: Parts) -> n.Stmt:
        return p[0]  # type: ignore[no-any-return]

    def block(self, p: Parts) -> n.Body:
        return tuple(p[3:-1])

    def inline_block(self, p: Parts) -> n.Body:
        return (p[1],)

    def nested_block(self, p: Parts) -> n.Body:
        return (p[1],)

    def let(self, p: Parts) -> n.Let:
        return n.Let(_ident(p[1]), None, p[3], _over(p[0], p[3]))

    def let_typed(self, p: Parts) -> n.Let:
        let, name, _, kind, _, value = p
        return n.Let(_ident(name), kind, value, _over(let, value or kind))

    def assign(self, p: Parts) -> n.Assign:
        target = p[0]
        if isinstance(target, n.Field):
            raise RefusedError(
                "RR0204", "what is printed on a card never changes", target.span, "keep it in a variable of 'state:'"
            )
        if not isinstance(target, (n.Name, n.Index)):
            raise RefusedError(
                "RR0204", "only a variable can be set, alone or with an index", target.span,
                "write 'name = value' or 'name[player] = value'; to compare write '=='",
            )  # fmt: skip
        return n.Assign(target, p[1].text, p[2], _over(target, p[2]))

    def move(self, p: Parts) -> n.Move:
        return n.Move(p[1], p[3], _over(p[0], p[3]))

    def deal(self, p: Parts) -> n.Deal:
        return n.Deal(p[1], p[3], p[5], _over(p[0], p[5]))

    def shuffle(self, p: Parts) -> n.Shuffle:
        return n.Shuffle(p[1], _over(p[0], p[1]))

    def shuffle_all(self, p: Parts) -> n.ShuffleInto:
        return n.ShuffleInto(None, p[2], _over(p[0], p[2]))

    def shuffle_into(self, p: Parts) -> n.ShuffleInto:
        return n.ShuffleInto(p[1], p[3], _over(p[0], p[3]))

    def collect_all(self, p: Parts) -> n.Collect:
        return n.Collect(None, p[2], _over(p[0], p[2]))

    def collect(self, p: Parts) -> n.Collect:
        return n.Collect(p[1], p[3], _over(p[0], p[3]))

    def swap(self, p: Parts) -> n.Swap:
        return n.Swap(p[1], p[3], _over(p[0], p[3]))

    def flip(self, p: Parts) -> n.Flip:
        return n.Flip(p[1], p[2].text.endswith("up"), _over(p[0], p[2]))

    def turn_over(self, p: Parts) -> n.TurnOver:
        return n.TurnOver(p[1], _over(p[0], p[1]))

    def reveal(self, p: Parts) -> n.Reveal:
        return n.Reveal(p[1], _over(p[0], p[1]))

    def show(self, p: Parts) -> n.Show:
        return n.Show(p[1], p[3], _over(p[0], p[3]))

    def tell(self, p: Parts) -> n.Tell:
        return n.Tell(p[1], p[3], _over(p[0], p[3]))

    def raise_event(self, p: Parts) -> n.Raise:
        return n.Raise(p[1], _over(p[0], p[1]))

    def as_usual(self, p: Parts) -> n.AsUsual:
        return n.AsUsual(p[0].span)

    def note(self, p: Parts) -> n.Say:
        return n.Say(p[1].template, _over(p[0], p[1]))

    def stop(self, p: Parts) -> n.Stop:
        return n.Stop(p[2], _over(p[0], p[2] or p[0]))

    def skip(self, p: Parts) -> n.Skip:
        return n.Skip(p[2], _over(p[0], p[2] or p[0]))

    def give_back(self, p: Parts) -> n.Return:
        return n.Return(p[1], _over(p[0], p[1] or p[0]))

    def end_game(self, p: Parts) -> n.EndGame:
        return n.EndGame(p[2], _over(p[0], p[2] or p[0]))

    def reverse_play(self, p: Parts) -> n.ReversePlay:
        return n.ReversePlay(p[0].span)

    def leave(self, p: Parts) -> n.Leave:
        return n.Leave(p[0], _over(p[0], p[1]))

    def rejoin(self, p: Parts) -> n.Rejoin:
        return n.Rejoin(p[0], _over(p[0], p[1]))

    def all_rejoin(self, p: Parts) -> n.Rejoin:
        return n.Rejoin(None, p[0].span)

    def do(self, p: Parts) -> n.Do:
        return n.Do(p[0], p[0].span)

    def if_(self, p: Parts) -> n.If:
        head, condition, body, *more, otherwise = p
        return n.If(((condition, body), *more), otherwise, _over(head, condition))

    def if_short(self, p: Parts) -> n.If:
        return self.if_([*p, None])

    def elif_(self, p: Parts) -> tuple[n.Expr, n.Body]:
        return p[1], p[2]

    def else_(self, p: Parts) -> n.Body:
        return p[1]  # type: ignore[no-any-return]

    def otherwise(self, p: Parts) -> n.Body:
        return p[1]  # type: ignore[no-any-return]

    def for_(self, p: Parts) -> n.For:
        clauses, body = p
        return n.For(clauses, body, _over(clauses[0], clauses[-1]))

    def heads(self, p: Parts) -> tuple[n.Clause, ...]:
        return tuple(p)

    def repeat(self, p: Parts) -> n.Repeat:
        return n.Repeat(None, p[1], p[0].span)

    def repeat_times(self, p: Parts) -> n.Repeat:
        return n.Repeat(p[1], p[3], _over(p[0], p[2]))

    # ----------------------------------------------------------------- choices

    def choose(self, p: Parts) -> n.Choose:
        chooser, secret, _, pick = p
        line = self._bare(pick)
        return n.Choose(chooser, False, secret is not None, (line,), None, _over(chooser, line))

    def choose_do(self, p: Parts) -> n.Choose:
        chooser, secret, word, (lines, end), otherwise = p
        return n.Choose(chooser, False, secret is not None, lines, otherwise, _over(chooser, end or word))

    def may_do(self, p: Parts) -> n.Choose:
        chooser, _, *middle, otherwise = p
        secret, lines, end = self._offer(middle)
        return n.Choose(chooser, True, secret, lines, otherwise, _over(chooser, end))

    def window(self, p: Parts) -> n.Window:
        head, name, (domain, at_random), _, *middle, otherwise = p
        _, lines, end = self._offer(middle)
        domain = self._seats(head, domain)
        return n.Window(_ident(name), domain, at_random, lines, otherwise, _over(head, end))

    def at_once(self, p: Parts) -> n.AtOnce:
        head, name, _, domain, _, _, pick = p
        line = self._bare(pick)
        return n.AtOnce(_ident(name), self._seats(head, domain), False, (line,), None, _over(head, line))

    def at_once_do(self, p: Parts) -> n.AtOnce:
        head, name, _, domain, _, word, (lines, end), otherwise = p
        return n.AtOnce(_ident(name), self._seats(head, domain), False, lines, otherwise, _over(head, end or word))

    def at_once_may(self, p: Parts) -> n.AtOnce:
        head, name, _, domain, _, _, *middle, otherwise = p
        _, lines, end = self._offer(middle)
        return n.AtOnce(_ident(name), self._seats(head, domain), True, lines, otherwise, _over(head, end))

    @staticmethod
    def _offer(middle: Parts) -> tuple[bool, tuple[n.Line, ...], Any]:
        """What follows ``may``: whether secretly, the lines, the end of the head."""
        if len(middle) == 1:
            return False, (middle[0],), middle[0]
        secret = len(middle) == 3 and middle[0] is not None
        lines, end = middle[-1]
        return secret, lines, end or middle[-2]

    @staticmethod
    def _seats(head: Lexeme, domain: Any) -> n.Expr:
        """The seats asked; all where nothing is said."""
        if domain is None:
            return n.Players(head.span)
        if isinstance(domain, tuple):
            how, player, span = domain
            return n.Seats(n.Players(head.span), how, player, span)
        return domain  # type: ignore[no-any-return]

    def seats_in(self, p: Parts) -> tuple[Any, bool]:
        return p[1], p[2] is not None

    def seats_from(self, p: Parts) -> tuple[Any, bool]:
        return (_words(p[0]), p[1], _over(p[0], p[1])), False

    @staticmethod
    def _bare(pick: tuple[n.Pick, Lexeme | None]) -> n.Line:
        return Builder._line(pick, None)

    @staticmethod
    def _line(picked: tuple[n.Pick, Lexeme | None], body: n.Body | None) -> n.Line:
        pick, label = picked
        return n.Line(pick, _label(label), None, body, _over(pick, label or pick))

    def one_line(self, p: Parts) -> tuple[tuple[n.Line, ...], n.Line | None]:
        line = self._line(p[0], p[1])
        return (line,), line

    def menu(self, p: Parts) -> tuple[tuple[n.Line, ...], n.Line | None]:
        return tuple(p[3:-1]), None

    def pick_line(self, p: Parts) -> n.Line:
        return self._line(p[0], p[1])

    def text_line(self, p: Parts) -> n.Line:
        label, _, condition, body = p
        return n.Line(None, _label(label), condition, body, _over(label, condition or label))

    def idle_line(self, p: Parts) -> n.Line:
        label, word, condition, _ = p
        return self.text_line([label, word, condition, ()])

    def pick(self, p: Parts) -> tuple[n.Pick, Lexeme | None]:
        quantity, *binders, _, where, _, label = p
        chosen: tuple[n.Binder, ...] = _listed(binders)
        first = quantity or chosen[0].name
        last = where or chosen[-1].domain
        return n.Pick(quantity, chosen, where, _over(first, last)), label

    def first_rung(self, p: Parts) -> n.Ladder:
        return n.Ladder((p[0],), None, _over(p[0], p[1]))

    def next_rung(self, p: Parts) -> n.Ladder:
        above, _, _, rung, word = p
        return n.Ladder((*above.rungs, rung), None, _over(above, word))

    def soft_ladder(self, p: Parts) -> n.Ladder:
        return p[0]  # type: ignore[no-any-return]

    def hard_ladder(self, p: Parts) -> n.Ladder:
        above, _, _, last = p
        return n.Ladder(above.rungs, last, _over(above, last))

    def exactly(self, p: Parts) -> n.Quantity:
        return n.Quantity(p[0], None, False, p[0].span)

    def between(self, p: Parts) -> n.Quantity:
        return n.Quantity(p[0], p[2], False, _over(p[0], p[2]))

    def at_least_one(self, p: Parts) -> n.Quantity:
        return n.Quantity(n.Int(1, p[0].span), None, True, p[0].span)

    def any_number(self, p: Parts) -> n.Quantity:
        return n.Quantity(n.Int(0, p[0].span), None, True, p[0].span)

    def binder(self, p: Parts) -> n.Binder:
        return n.Binder(_ident(p[0]), p[2])

    # ------------------------------------------------------------- expressions

    def conditional(self, p: Parts) -> n.Conditional:
        return n.Conditional(p[2], p[0], p[4], _over(p[0], p[4]))

    def defaulted(self, p: Parts) -> n.Fold:
        fold, word, default = p
        if not (isinstance(fold, n.Fold) and fold.kind.text in ("min", "max")):
            raise RefusedError(
                "RR0222",
                "'or else' gives a value to 'min', 'max', 'best' or 'first' of nothing; it cannot follow this",
                word.span,
                "for a choice between two values write: a if condition else b",
            )
        return n.Fold(fold.kind, fold.value, fold.clauses, default, _over(fold, default))

    def best(self, p: Parts) -> n.Best:
        head, name, _, domain, _, where, _, by, _, default = p
        return n.Best(_ident(name), domain, where, by, default, _over(head, default or by))

    def first(self, p: Parts) -> n.First:
        head, name, _, domain, _, where, _, default = p
        return n.First(_ident(name), domain, where, default, _over(head, default or where or domain))

    def random_of(self, p: Parts) -> n.RandomOf:
        return n.RandomOf(p[1], _over(p[0], p[1]))

    def either(self, p: Parts) -> n.Or:
        return n.Or(p[0], p[2], _over(p[0], p[2]))

    def both(self, p: Parts) -> n.And:
        return n.And(p[0], p[2], _over(p[0], p[2]))

    def negated(self, p: Parts) -> n.Not:
        return n.Not(p[1], _over(p[0], p[1]))

    def compare(self, p: Parts) -> n.Compare:
        return n.Compare(p[1].text, p[0], p[2], _over(p[0], p[2]))

    def contains(self, p: Parts) -> n.In:
        return n.In(p[0], p[2], p[1].type == "NOT_IN", _over(p[0], p[2]))

    def is_(self, p: Parts) -> n.Is:
        operand, _, negation, predicate = p
        return n.Is(operand, _words(predicate), negation is not None, _over(operand, predicate))

    def stepped(self, p: Parts) -> n.Range:
        return n.Range(p[0], p[2], p[4], _over(p[0], p[4]))

    def span_of(self, p: Parts) -> n.Range:
        return n.Range(p[0], p[2], None, _over(p[0], p[2]))

    def reach(self, p: Parts) -> n.Range:
        low, _, high, _, step = p
        return n.Range(low, high, step, _over(low, step or high))

    def setwise(self, p: Parts) -> n.SetOperation:
        return n.SetOperation(p[1].text, p[0], p[2], _over(p[0], p[2]))

    def seating(self, p: Parts) -> n.Seats:
        return n.Seats(p[0], _words(p[1]), p[2], _over(p[0], p[2]))

    def arithmetic(self, p: Parts) -> n.Arithmetic:
        return n.Arithmetic(p[1].text, p[0], p[2], _over(p[0], p[2]))

    def negative(self, p: Parts) -> n.Negate:
        return n.Negate(p[1], _over(p[0], p[1]))

    def end_of(self, p: Parts) -> n.End:
        return n.End(p[0].text.split()[0], None, p[1], _over(p[0], p[1]))

    def end_n(self, p: Parts) -> n.End:
        which, count, _, zone = p
        amount = self.number([count]) if count.type == "INT" else self.name([count])
        return n.End(which.text, amount, zone, _over(which, zone))

    def all_of(self, p: Parts) -> n.AllOf:
        return n.AllOf(p[1], _over(p[0], p[1]))

    def groups_of(self, p: Parts) -> n.Groups:
        return n.Groups(p[1], _ident(p[3]), _over(p[0], p[3]))

    def runs_of(self, p: Parts) -> n.Runs:
        return n.Runs(p[1], _ident(p[3]), _over(p[0], p[3]))

    def cover_of(self, p: Parts) -> n.Cover:
        head, of, _, name, _, low, _, high, _, where, _, by = p
        best = head.text.split()[0] == "best"
        return n.Cover(of, _ident(name), low, high, where, by, best, _over(head, by))

    def field(self, p: Parts) -> n.Field:
        return n.Field(p[0], _ident(p[2]), _over(p[0], p[2]))

    def index(self, p: Parts) -> n.Index:
        return n.Index(p[0], p[2], _over(p[0], p[3]))

    def call_bare(self, p: Parts) -> n.Call:
        return n.Call(_ident(p[0]), (), _over(p[0], p[2]))

    def call(self, p: Parts) -> n.Call:
        return n.Call(_ident(p[0]), p[2], _over(p[0], p[3]))

    def fold(self, p: Parts) -> n.Fold | n.Call:
        name, opening, (value, clauses), closing = p
        if name.text in FOLDS:
            return n.Fold(_ident(name), value, clauses, None, _over(name, closing))
        return n.Call(_ident(name), (n.Generator(value, clauses, _over(opening, closing)),), _over(name, closing))

    def generator(self, p: Parts) -> n.Generator:
        value, clauses = p[1]
        return n.Generator(value, clauses, _over(p[0], p[2]))

    def folded(self, p: Parts) -> tuple[n.Expr, tuple[n.Clause, ...]]:
        return p[0], tuple(p[1:])

    def clause(self, p: Parts) -> n.Clause:
        head, name, _, domain, _, where = p
        return n.Clause(_ident(name), domain, where, _over(head, where or domain))

    def over(self, p: Parts) -> tuple[n.Clause, ...]:
        name, _, domain, _, where, *more = p
        return n.Clause(_ident(name), domain, where, _over(name, where or domain)), *more

    def arguments(self, p: Parts) -> tuple[n.Expr, ...]:
        return _listed(p)

    def name(self, p: Parts) -> n.Name:
        return n.Name(p[0].text, p[0].span)

    def number(self, p: Parts) -> n.Int:
        return n.Int(int(p[0].text), p[0].span)

    def truth(self, p: Parts) -> n.Bool:
        return n.Bool(p[0].type == "TRUE", p[0].span)

    def nothing(self, p: Parts) -> n.NoneValue:
        return n.NoneValue(p[0].span)

    def players(self, p: Parts) -> n.Players:
        return n.Players(p[0].span)

    def bracketed(self, p: Parts) -> n.Expr:
        return replace(p[1], span=_over(p[0], p[2]))  # type: ignore[no-any-return]

    def set_of(self, p: Parts) -> n.SetOf:
        return n.SetOf(p[1] or (), _over(p[0], p[2]))

    def spot(self, p: Parts) -> n.Spot:
        return n.Spot(p[0], None, None, p[0].span)

    def spot_end(self, p: Parts) -> n.Spot:
        return n.Spot(p[1], p[0].text.split()[0], None, _over(p[0], p[1]))

    def spot_at(self, p: Parts) -> n.Spot:
        return n.Spot(p[0], None, p[2], _over(p[0], p[2]))

    # --------------------------------------------------------- the small texts

    def type_name(self, p: Parts) -> n.TypeText:
        return n.TypeText("name", _ident(p[0]), None, None, p[0].span)

    def type_set(self, p: Parts) -> n.TypeText:
        return n.TypeText("set", _ident(p[1]), None, None, _over(p[0], p[1]))

    def type_optional(self, p: Parts) -> n.TypeText:
        return n.TypeText("optional", None, p[0], None, _over(p[0], p[2]))

    def type_per(self, p: Parts) -> n.TypeText:
        return n.TypeText("per", None, p[0], p[2], _over(p[0], p[2]))

    def type_bracketed(self, p: Parts) -> n.TypeText:
        return replace(p[1], span=_over(p[0], p[2]))  # type: ignore[no-any-return]

    def signature(self, p: Parts) -> n.Signature:
        name, _, params, closing = p
        return n.Signature(_ident(name), params or (), _over(name, closing or name))

    def params(self, p: Parts) -> tuple[n.Param, ...]:
        return _listed(p)

    def param(self, p: Parts) -> n.Param:
        return n.Param(p[0], _ident(p[1]))

    def pattern(self, p: Parts) -> n.EventPattern:
        name, _, names, closing = p
        return n.EventPattern(_ident(name), names or (), _over(name, closing or name))

    def names(self, p: Parts) -> tuple[n.Ident, ...]:
        return tuple(_ident(lexeme) for lexeme in p[::2])

    def criterion(self, p: Parts) -> n.Criterion:
        return n.Criterion(p[0].text == "highest", _ident(p[1]), _over(p[0], p[1]))
