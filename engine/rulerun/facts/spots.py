"""Spots of an ordered zone as numbers: HEAD, TAIL, or a depth from HEAD, 0 or more."""

from __future__ import annotations

from rulerun.ir import nodes as ir

HEAD, TAIL = -1, -2
"""The pile's top or the row's first place; the pile's bottom or the row's last place."""


def plain_spot(spot: ir.Spot) -> ir.Spot:
    """In an unordered zone a spot means nothing."""
    return ir.End.HEAD if isinstance(spot, ir.Depth) else spot
