"""Machine code for a program: the same meaning as `rulerun.run`, for volume. Wants llvmlite (extra ``native``)."""
