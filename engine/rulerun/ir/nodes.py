"""The nodes of the IR: expressions, operations, and the ends of basic blocks. This is what rules *mean*.

Past the checker there are integers: word offsets, zone instances, seats, card numbers, block numbers. Each
node says exactly what it does, since two executors carry it out and must agree in every bit.

Reading rules:

* An expression has no effect. Evaluation is left to right; ``And``, ``Or`` and ``Conditional`` evaluate only
  what they need. A fault stops the game at the origin ``at`` (an index into ``Program.origins``).
* *Fuel* (`Block.fuel`, `Fold.fuel`, ...) is burned where a node says so and nowhere else. It is counted anew after
  every decision, and for each evaluation of options, a label or a score. More than ``MAX_FUEL`` is a fault at the
  origin of the block, fold or line that burns it.
* *Annotations* (`Fold.sets`, `FilteredDomain.sets`, `Line.sifted`) say again what the node says, by sets of cards. An
  executor may use them or not: value, order, fuel and faults are the same.
* A *local* is a register of the code unit (function, or procedure with its choices) that a fold, a domain or
  a choice line binds; it lives within one expression (or one option line), never across a block.
* A *place* is a word (or words) of the state vector.
* ``HEAD`` of an ordered zone is a pile's top or a row's first place; ``TAIL`` the pile's bottom, the row's last.
* A shuffled zone may hold *undrawn* cards: their places are known, which card lies where is not settled yet.
  A ``Card`` value never means an undrawn card; ``Draw`` settles one place (see there).
"""

from __future__ import annotations

from rulerun.ir.endings import *  # noqa: F403 - the nodes of a part, all of them
from rulerun.ir.expressions import *  # noqa: F403 - the nodes of a part, all of them
from rulerun.ir.operations import *  # noqa: F403 - the nodes of a part, all of them
from rulerun.ir.types import key_size as key_size
