"""Rule text to syntax nodes. The only package that imports lark; nothing of lark leaves it."""

from rulerun.syntax.parser import (
    parse_body,
    parse_criterion,
    parse_expression,
    parse_function_body,
    parse_over,
    parse_pattern,
    parse_range,
    parse_signature,
    parse_template,
    parse_type,
)

__all__ = [
    "parse_body",
    "parse_criterion",
    "parse_expression",
    "parse_function_body",
    "parse_over",
    "parse_pattern",
    "parse_range",
    "parse_signature",
    "parse_template",
    "parse_type",
]
