"""What the sections of a ruleset declare: options, types, cards, zones, state, tables, teams, and the symbols made of
them. Knows nothing of how rule texts are lowered (`rulerun.check.rule_text`)."""
