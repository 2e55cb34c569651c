"""``python -m rulerun.faces``: the same as ``python -m rulerun``."""

from rulerun.faces.cli import main

if __name__ == "__main__":
    main(program="python -m rulerun.faces")
