"""Syntax nodes back to rule text, one plain way of writing each. For tests, and for those who show what was read.

`parse(show(parse(x)))` gives the same nodes, spans aside. It imports nothing but the nodes.
"""

from __future__ import annotations

from typing import assert_never

from rulerun.syntax import nodes as n

# How tightly an expression binds; what binds less than its place allows stands in brackets.
_LOOSE, _OR, _AND, _NOT, _COMPARE, _AMONG, _SPREAD, _SUM, _TERM, _UNARY, _POWER, _PHRASE, _POSTFIX = range(13)


def show_body(body: n.Body, indent: int = 0) -> str:
    """The statements as text, each line ended."""
    return "".join(_statement(statement, " " * indent) for statement in body)


def show_expression(expression: n.Expr) -> str:
    """An expression as text."""
    return _at(expression, _LOOSE)


def show_type(kind: n.TypeText) -> str:
    """A type as text."""
    match kind:
        case n.TypeText(shape="name", name=n.Ident(text)):
            return text
        case n.TypeText(shape="set", name=n.Ident(text)):
            return f"set of {text}"
        case n.TypeText(shape="optional", inner=n.TypeText() as inner):
            return f"{show_type(inner)} or none"
        case n.TypeText(shape="per", inner=n.TypeText() as inner, key=n.TypeText() as key):
            shown = show_type(key)
            return f"{show_type(inner)} per {shown if key.shape in ('name', 'set') else f'({shown})'}"
    raise ValueError(kind.shape)


def show_template(template: n.Template) -> str:
    """A template as text, with its quotes."""
    escapes = str.maketrans({'"': '\\"', "\\": "\\\\", "{": "{{", "}": "}}"})
    parts = (
        part.translate(escapes) if isinstance(part, str) else f"{{{show_expression(part)}}}" for part in template.parts
    )
    return f'"{"".join(parts)}"'


# ------------------------------------------------------------------ expressions


def _at(e: n.Expr, least: int) -> str:
    text, binding = _written(e)
    return text if binding >= least else f"({text})"


def _written(e: n.Expr) -> tuple[str, int]:
    """The text and how tightly it binds."""
    match e:
        case n.Name(text, _):
            return text, _POSTFIX
        case n.Int(value, _):
            return str(value), _POSTFIX
        case n.Bool(value, _):
            return ("true" if value else "false"), _POSTFIX
        case n.NoneValue():
            return "none", _POSTFIX
        case n.Players():
            return "players", _POSTFIX
        case n.SetOf(items, _):
            return f"{{{_list(items)}}}", _POSTFIX
        case n.Range(low, high, step, _):
            return f"{_at(low, _SUM)}..{_at(high, _SUM)}" + (f" by {_at(step, _SUM)}" if step else ""), _SPREAD
        case n.Negate(operand, _):
            return f"-{_at(operand, _UNARY)}", _UNARY
        case n.Not(operand, _):
            return f"not {_at(operand, _NOT)}", _NOT
        case n.Arithmetic("**", left, right, _):
            return f"{_at(left, _PHRASE)} ** {_at(right, _UNARY)}", _POWER
        case n.Arithmetic(op, left, right, _):
            level = _SUM if op in "+-" else _TERM
            return f"{_at(left, level)} {op} {_at(right, level + 1)}", level
        case n.Compare(op, left, right, _):
            return f"{_at(left, _AMONG)} {op} {_at(right, _AMONG)}", _COMPARE
        case n.And(left, right, _):
            return f"{_at(left, _AND)} and {_at(right, _NOT)}", _AND
        case n.Or(left, right, _):
            return f"{_at(left, _OR)} or {_at(right, _AND)}", _OR
        case n.In(item, domain, negated, _):
            return f"{_at(item, _AMONG)} {'not in' if negated else 'in'} {_at(domain, _AMONG)}", _COMPARE
        case n.Is(operand, predicate, negated, _):
            return f"{_at(operand, _AMONG)} is {'not ' if negated else ''}{predicate}", _COMPARE
        case n.Conditional(condition, then, otherwise, _):
            return f"{_at(then, _OR)} if {_at(condition, _OR)} else {_at(otherwise, _LOOSE)}", _LOOSE
        case n.Field(of, name, _):
            return f"{_at(of, _POSTFIX)}.{name.text}", _POSTFIX
        case n.Index(of, indices, _):
            return f"{_at(of, _POSTFIX)}[{_list(indices)}]", _POSTFIX
        case n.Call(name, arguments, _):
            return f"{name.text}({_list(arguments)})", _POSTFIX
        case n.Fold(kind, value, clauses, default, _):
            text = f"{kind.text}({_folded(value, clauses)})"
            return (f"{text} or else {_at(default, _OR)}", _LOOSE) if default else (text, _POSTFIX)
        case n.Best(name, domain, where, by, default, _):
            text = f"best {name.text} in {_at(domain, _AMONG)}{_where(where)} by {_at(by, _OR)}"
            return text + _or_else(default), _LOOSE
        case n.First(name, domain, where, default, _):
            return f"first {name.text} in {_at(domain, _AMONG)}{_where(where)}{_or_else(default)}", _LOOSE
        case n.Generator(value, clauses, _):
            return f"({_folded(value, clauses)})", _POSTFIX
        case n.Seats(domain, how, player, _):
            return f"{_at(domain, _AMONG)} {how} {_at(player, _SUM)}", _AMONG
        case n.SetOperation(op, left, right, _):
            return f"{_at(left, _AMONG)} {op} {_at(right, _SPREAD)}", _AMONG
        case n.End(which, count, zone, _):
            number = f" {_at(count, _POSTFIX)}" if count else ""
            return f"{which}{number} of {_at(zone, _POSTFIX)}", _PHRASE
        case n.AllOf(zone, _):
            return f"all of {_at(zone, _POSTFIX)}", _PHRASE
        case n.Groups(of, field, _):
            return f"groups of {_at(of, _POSTFIX)} by {field.text}", _PHRASE
        case n.Runs(of, field, _):
            return f"runs of {_at(of, _POSTFIX)} by {field.text}", _PHRASE
        case n.Cover(of, name, low, high, where, by, best, _):
            head = f"{'best cover' if best else 'cover'} of {_at(of, _POSTFIX)} by {name.text}"
            sizes = f"of {_at(low, _SUM)}..{_at(high, _SUM)}"
            return f"{head} {sizes}{_where(where)} by {_at(by, _POSTFIX)}", _PHRASE
        case n.RandomOf(domain, _):
            return f"random of {_at(domain, _AMONG)}", _LOOSE
        case n.AsUsual():
            return "as usual", _POSTFIX
        case n.Broken():
            return "...", _POSTFIX
        case _:
            assert_never(e)


def _list(items: tuple[n.Expr, ...]) -> str:
    return ", ".join(_at(item, _LOOSE) for item in items)


def _where(condition: n.Expr | None) -> str:
    return f" where {_at(condition, _OR)}" if condition else ""


def _or_else(default: n.Expr | None) -> str:
    return f" or else {_at(default, _OR)}" if default else ""


def _folded(value: n.Expr, clauses: tuple[n.Clause, ...]) -> str:
    return f"{_at(value, _LOOSE)} {_clauses(clauses)}"


def _clauses(clauses: tuple[n.Clause, ...]) -> str:
    return " ".join(f"for {c.name.text} in {_at(c.domain, _AMONG)}{_where(c.where)}" for c in clauses)


# ------------------------------------------------------------------- statements


def _statement(s: n.Stmt, lead: str) -> str:
    """A statement with its blocks; ``lead`` is the indentation."""
    match s:
        case n.If(branches, otherwise, _):
            text, word = "", "if"
            for condition, body in branches:
                text += f"{lead}{word} {show_expression(condition)}:\n{_block(body, lead)}"
                word = "elif"
            return text + (f"{lead}else:\n{_block(otherwise, lead)}" if otherwise is not None else "")
        case n.For(clauses, body, _):
            return f"{lead}{_clauses(clauses)}:\n{_block(body, lead)}"
        case n.Repeat(times, body, _):
            head = f"repeat {show_expression(times)} times" if times else "repeat"
            return f"{lead}{head}:\n{_block(body, lead)}"
        case n.Choose(chooser, may, secret, lines, otherwise, _):
            word = "may" if may else "chooses"
            head = f"{_at(chooser, _POSTFIX)} {'secretly ' if secret and not may else ''}{word}"
            return _choice(f"{head} secretly" if secret and may else head, may, lines, otherwise, lead)
        case n.Window(name, domain, at_random, lines, otherwise, _):
            head = f"any player {name.text} in {_at(domain, _AMONG)}{' at random' if at_random else ''} may"
            return _choice(head, True, lines, otherwise, lead)
        case n.AtOnce(name, domain, may, lines, otherwise, _):
            head = f"each player {name.text} in {_at(domain, _AMONG)} at once {'may' if may else 'chooses'}"
            return _choice(head, may, lines, otherwise, lead)
        case _:
            return f"{lead}{_plain(s)}\n"


def _block(body: n.Body, lead: str) -> str:
    return show_body(body, len(lead) + 2)


def _choice(head: str, may: bool, lines: tuple[n.Line, ...], otherwise: n.Body | None, lead: str) -> str:
    choose = " choose" if may else ""
    tail = f"{lead}otherwise:\n{_block(otherwise, lead)}" if otherwise is not None else ""
    if len(lines) == 1 and (may or lines[0].pick is not None) and lines[0].body != ():
        line = lines[0]
        head = f"{lead}{head}{choose if line.pick is not None else ''} {_line(line)}"
        return f"{head}\n" if line.body is None else f"{head}:\n{_block(line.body, lead)}{tail}"
    menu = "".join(
        f"{lead}  {_line(line)}{':' if line.body else ''}\n{_block(line.body or (), lead + '  ')}" for line in lines
    )
    return f"{lead}{head}{choose}:\n{menu}{tail}"


def _line(line: n.Line) -> str:
    label = show_template(line.label) if line.label is not None else ""
    if line.pick is None:
        return label + (f" if {show_expression(line.condition)}" if line.condition else "")
    pick = line.pick
    binders = ", ".join(f"{b.name.text} from {_at(b.domain, _AMONG)}" for b in pick.binders)
    where = f" where {_condition(pick.where)}" if pick.where else ""
    return f"{_quantity(pick.quantity)}{binders}{where}{f' as {label}' if label else ''}"


def _condition(where: n.Expr | n.Ladder) -> str:
    if not isinstance(where, n.Ladder):
        return show_expression(where)
    rungs = [f"{_at(rung, _OR)} if possible" for rung in where.rungs]
    return ", else ".join([*rungs, *([show_expression(where.last)] if where.last else [])])


def _quantity(quantity: n.Quantity | None) -> str:
    match quantity:
        case None:
            return ""
        case n.Quantity(low=n.Int(value), open=True):
            return "some " if value else "any "
        case n.Quantity(low, high, _, _):
            return f"{_at(low, _SUM)}{f'..{_at(high, _SUM)}' if high else ''} "


def _plain(s: n.Stmt) -> str:
    """A statement without blocks."""
    match s:
        case n.Let(name, kind, value, _):
            typed = f": {show_type(kind)}" if kind else ""
            return f"let {name.text}{typed}{f' = {show_expression(value)}' if value else ''}"
        case n.Assign(target, op, value, _):
            return f"{_at(target, _POSTFIX)} {op} {show_expression(value)}"
        case n.Stop(condition, _):
            return f"stop{f' if {show_expression(condition)}' if condition else ''}"
        case n.Skip(condition, _):
            return f"skip to next{f' if {show_expression(condition)}' if condition else ''}"
        case n.Return(value, _):
            return f"return{f' {show_expression(value)}' if value else ''}"
        case n.Do(call, _):
            return show_expression(call)
        case n.Move(what, to, _):
            return f"move {show_expression(what)} to {_spot(to)}"
        case n.Deal(count, source, to, _):
            return f"deal {show_expression(count)} from {_at(source, _POSTFIX)} to {_spot(to)}"
        case n.Shuffle(zone, _):
            return f"shuffle {_at(zone, _POSTFIX)}"
        case n.ShuffleInto(what, to, _):
            return f"shuffle {show_expression(what) if what else 'all cards'} into {_at(to, _POSTFIX)}"
        case n.Collect(what, to, _):
            return f"collect {show_expression(what) if what else 'all cards'} to {_at(to, _POSTFIX)}"
        case n.Swap(left, right, _):
            return f"swap {show_expression(left)} with {show_expression(right)}"
        case n.TurnOver(zone, _):
            return f"turn over {_at(zone, _POSTFIX)}"
        case n.Flip(what, up, _):
            return f"flip {show_expression(what)} face {'up' if up else 'down'}"
        case n.Reveal(what, _):
            return f"reveal {show_expression(what)}"
        case n.Show(what, to_whom, _):
            return f"show {show_expression(what)} to {show_expression(to_whom)}"
        case n.Tell(to_whom, fact, _):
            return f"tell {show_expression(to_whom)} whether {show_expression(fact)}"
        case n.Raise(event, _):
            return f"raise {show_expression(event)}"
        case n.Say(text, _):
            return f"note {show_template(text)}"
        case n.EndGame(player, _):
            return f"end game{f' for {show_expression(player)}' if player else ''}"
        case n.Leave(player, _):
            return f"{_at(player, _POSTFIX)} leaves"
        case n.Rejoin(player, _):
            return f"{_at(player, _POSTFIX)} returns" if player else "all players return"
        case n.ReversePlay():
            return "reverse play"
        case n.If() | n.For() | n.Repeat() | n.Choose() | n.Window() | n.AtOnce():
            raise ValueError("a statement with blocks is no plain one")
        case _:
            assert_never(s)


def _spot(spot: n.Spot) -> str:
    zone = _at(spot.zone, _POSTFIX)
    if spot.at is not None:
        return f"{zone} at {_at(spot.at, _SUM)}"
    return f"{spot.position} of {zone}" if spot.position else zone
