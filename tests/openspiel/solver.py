"""An exact solver for two seats and sums of zero, over the trees of `rulerun.play.trees`.

Counterfactual regret minimisation (CFR+, Tammelin 2014) finds strategies over information states; exact best responses
to them give bounds of the value of the game. Both are right only if an information state holds all that its seat knows
and nothing else: with less the bounds would not close, with more they would close somewhere else.
"""

from __future__ import annotations

from rulerun.play.trees import Chance, Decision, End, Node, nodes

Strategy = dict[str, list[float]]


def solve(root: Node, rounds: int) -> Strategy:
    """The average strategy of both seats after so many rounds, the later rounds counting more."""
    sizes = {node.state: len(node.keys) for node in nodes(root) if isinstance(node, Decision)}
    regrets = {state: [0.0] * size for state, size in sizes.items()}
    sums = {state: [0.0] * size for state, size in sizes.items()}

    def visit(node: Node, seat: int, mine: float, others: float) -> float:
        match node:
            case End(scores):
                return float(scores[seat])
            case Chance(outcomes):
                return sum(float(p) * visit(child, seat, mine, others * float(p)) for p, child in outcomes)
        strategy = current[node.state]
        pairs = list(zip(strategy, node.children, strict=True))
        if node.seat != seat:
            return sum(s * visit(child, seat, mine, others * s) for s, child in pairs if s > 0)
        values = [visit(child, seat, mine * s, others) for s, child in pairs]
        value = sum(s * v for s, v in zip(strategy, values, strict=True))
        gains, average = gained[node.state], sums[node.state]
        for i, v in enumerate(values):
            gains[i] += others * (v - value)
            average[i] += weight * mine * strategy[i]
        return value

    for weight in range(1, rounds + 1):  # noqa: B007 - `visit` reads it
        for seat in (0, 1):
            current = {state: _shares(values) for state, values in regrets.items()}
            gained = {state: [0.0] * size for state, size in sizes.items()}
            visit(root, seat, 1.0, 1.0)
            for state, gains in gained.items():
                regrets[state] = [max(0.0, old + more) for old, more in zip(regrets[state], gains, strict=True)]
    return {state: _shares(values) for state, values in sums.items()}


def _shares(values: list[float]) -> list[float]:
    total = sum(values)
    return [v / total for v in values] if total > 0 else [1 / len(values)] * len(values)


def best_response(root: Node, seat: int, strategy: Strategy) -> float:
    """What a seat gets at best against the strategy of the other."""
    members: dict[str, list[tuple[Decision, float]]] = {}

    def reach(node: Node, others: float) -> None:
        match node:
            case Chance(outcomes):
                for p, child in outcomes:
                    reach(child, others * float(p))
            case Decision():
                if node.seat == seat:
                    members.setdefault(node.state, []).append((node, others))
                shares = [1.0] * len(node.keys) if node.seat == seat else strategy[node.state]
                for share, child in zip(shares, node.children, strict=True):
                    reach(child, others * share)
            case End():
                pass

    chosen: dict[str, int] = {}

    def value(node: Node) -> float:
        match node:
            case End(scores):
                return float(scores[seat])
            case Chance(outcomes):
                return sum(float(p) * value(child) for p, child in outcomes)
        if node.seat != seat:
            return sum(s * value(child) for s, child in zip(strategy[node.state], node.children, strict=True) if s > 0)
        if node.state not in chosen:
            totals = [
                sum(others * value(member.children[i]) for member, others in members[node.state] if others > 0)
                for i in range(len(node.keys))
            ]
            chosen[node.state] = totals.index(max(totals))
        return value(node.children[chosen[node.state]])

    reach(root, 1.0)
    return value(root)


def bounds(root: Node, rounds: int) -> tuple[float, float]:
    """Between what the value of the game for the first seat lies."""
    strategy = solve(root, rounds)
    return -best_response(root, 1, strategy), best_response(root, 0, strategy)
