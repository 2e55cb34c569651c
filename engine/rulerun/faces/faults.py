"""How a fault during play is told on the command line: the rule line, what went wrong, a way out, and how to see it
again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulerun.facts.faults import RulesFault


def is_rules_fault(error: BaseException) -> bool:
    """Whether an exception is a fault of the rules. Asked by the entry of the command line, which has not imported
    `run`.
    """
    import sys

    faults = sys.modules.get("rulerun.facts.faults")
    return faults is not None and isinstance(error, faults.RulesFault)


def fault_text(fault: BaseException, command: str | None = None) -> str:
    """Several lines for stderr. ``command`` plays the game again."""
    from rulerun.facts.faults import RulesFault

    assert isinstance(fault, RulesFault)
    lines = [f"error[{fault.code}]: {fault.message}"]
    if fault.origin is not None:
        lines.append(f"  --> {fault.origin}")
        if fault.origin.text:
            lines.append(f"   |  {fault.origin.text}")
    if fault.help:
        lines.append(f"  help: {fault.help}")
    lines.append("  this is a fault of the rules during play, found only when it happened")
    if fault.seed is not None:
        lines.append(f"  seed: {fault.seed}")
    if fault.choices is not None:
        lines.append(f"  choices (option numbers): {_shortened(fault.choices)}")
    if command is not None:
        lines.append(f"  to see it again: {command}")
    return "\n".join(lines)


def fault_document(fault: RulesFault) -> dict[str, object]:
    """The same for --json."""
    return {
        "code": fault.code,
        "message": fault.message,
        "place": str(fault.origin) if fault.origin is not None else None,
        "help": fault.help,
        "seed": fault.seed,
        "choices": None if fault.choices is None else [c + 1 for c in fault.choices],
    }


def _shortened(choices: tuple[int, ...]) -> str:
    numbers = [str(c + 1) for c in choices]
    if len(numbers) <= 40:
        return " ".join(numbers) or "none"
    return f"… {' '.join(numbers[-40:])} (the last 40 of {len(numbers)})"
