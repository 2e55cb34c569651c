"""What each seat knows after each happening, in machine code: the marks of `run.knowledge`."""

from __future__ import annotations

from rulerun.native.packets import Packets


class Knowing(Packets):
    """The operations that keep marks (stub)."""
