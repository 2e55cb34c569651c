"""Every diagnostic code: its title, why it exists, a bad example and a mended one. Codes are stable for ever.

The page `docs/diagnostics.md` is made from this registry; a test holds that each code used in the engine is here.
"""

from __future__ import annotations

from rulerun.source.code import Code
from rulerun.source.declaration_codes import DECLARATIONS
from rulerun.source.document_codes import DOCUMENT
from rulerun.source.play_codes import PLAY
from rulerun.source.rule_text_codes import RULE_TEXT
from rulerun.source.scenario_codes import TESTS
from rulerun.source.syntax_codes import SYNTAX

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {**DOCUMENT, **SYNTAX, **DECLARATIONS, **RULE_TEXT, **PLAY, **TESTS}
