"""rulerun."""
