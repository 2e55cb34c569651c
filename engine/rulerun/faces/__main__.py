"""``python -m rulerun.faces``: the same as the command `rulerun`."""

from rulerun.faces.cli import main

if __name__ == "__main__":
    main()
