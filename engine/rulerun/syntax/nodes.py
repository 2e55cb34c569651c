"""Syntax nodes: what was written in rule text, and where. They carry no meaning yet.

One frozen, slotted dataclass per node; visitors `match` on the unions at the end of each part with
``assert_never``. Nothing of lark leaves this package. Spans are spans of the file; that of a statement with a
block is the span of its head.
"""

from __future__ import annotations

from rulerun.syntax.expression_nodes import *  # noqa: F403 - the nodes of a part, all of them
from rulerun.syntax.statement_nodes import *  # noqa: F403 - the nodes of a part, all of them
