"""``python -m rulerun``: the same as the command `rulerun`, where that is not on the path."""

from rulerun.faces.cli import main

if __name__ == "__main__":
    main(program="python -m rulerun")
