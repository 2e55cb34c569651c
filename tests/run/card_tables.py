"""Small programs made of zones and cards alone, for the tests of the cards floor. Imports ir only."""

from __future__ import annotations

from collections.abc import Sequence

from rulerun.ir.nodes import Block, Finish
from rulerun.ir.program import CardColumn, Program, SeenBy, Zone, ZoneFamily, ZoneKind, layout_of
from rulerun.ir.types import INT

PILE, ROW, HAND = ZoneKind.PILE, ZoneKind.ROW, ZoneKind.HAND


def table(
    zones: Sequence[tuple[str, ZoneKind, int]],
    kinds: Sequence[int],
    players: int = 2,
    start: Sequence[int] | None = None,
    backs: Sequence[int] = (),
    uses_knowledge: bool = False,
) -> Program:
    """A program with a family per zone (name, kind, set of seats that see it) and a card per entry of ``kinds``.

    ``backs`` gives the back of each kind; by default all backs are equal. All cards start in zone 0.
    """
    n = len(kinds)
    families = []
    instances = []
    for i, (name, kind, seen) in enumerate(zones):
        families.append(ZoneFamily(name, kind, SeenBy.NOBODY, (), i, 1, True, None, None))
        instances.append(Zone(i, (), name, -1, seen))
    fields = [CardColumn("face", INT, False, 1, tuple(kinds))]
    if backs:
        fields.append(CardColumn("back", INT, True, 1, tuple(backs[kind] for kind in kinds)))
    names = tuple(str(kind) for kind in range(max(kinds) + 1))
    return Program(
        game="table",
        language=1,
        players=players,
        options=(),
        variants=(),
        card_count=n,
        kinds=tuple(kinds),
        kind_names=names,
        back_names=("a card",) * len(names),
        fields=tuple(fields),
        families=tuple(families),
        zones=tuple(instances),
        start=tuple(start) if start is not None else (0,) * n,
        variables=(),
        tables=(),
        functions=(),
        procedures=(),
        blocks=(Block((), Finish(), 0, 0),),
        entry=0,
        score=0,
        criteria=(),
        decision_limit=1000,
        limit_is_draw=False,
        uses_knowledge=uses_knowledge,
        origins=(),
        layout=layout_of(n, players, len(zones), 0, 0),
    )
