"""Which of the known words was meant? A pure function of words, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is most likely a slip of, or None where none is near.

    Compared without regard to case, spaces, hyphens and underscores; then by the number of letters left out, added,
    exchanged or changed (Damerau's distance), of which a third of the word may be wrong. Of equals the first in
    alphabetical order.
    """
    wanted = _plain(word)
    if not wanted or len(wanted) > _LONGEST:
        return None
    allowed = max(1, (len(wanted) + 1) // 3)
    best: tuple[int, str] | None = None
    for candidate in candidates:
        plain = _plain(candidate)
        if not plain or candidate == word or abs(len(plain) - len(wanted)) > allowed:
            continue
        distance = _distance(wanted, plain)
        if distance <= min(allowed, max(len(wanted), len(plain)) - 1) and (
            best is None or (distance, candidate) < best
        ):
            best = (distance, candidate)
    return best[1] if best else None


def _plain(word: str) -> str:
    return "".join(c for c in word.casefold() if c not in " -_'’")


def _distance(a: str, b: str) -> int:
    """Letters left out, added, changed, or exchanged with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        this = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, this[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            this.append(cost)
        before, row = row, this
    return row[-1]
