"""The types of what a program computes, where the floors above look for them; see `ir.typing`."""

from rulerun.ir.typing import element_type, is_card, is_card_set, is_optional, type_of

__all__ = ["element_type", "is_card", "is_card_set", "is_optional", "type_of"]
