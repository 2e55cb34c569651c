"""Sets of cards in machine code, as options of a choice and as elements of a domain.

`lists` writes all of them down, `unrank` finds the one at a number without a list; `elements` loops over them and works
out covers. Where the rules allow it is done quicker: `carried` says tests and values by what is carried along while a
set grows card by card, `search` and `folds` go through sets so, `lanes` through all subsets of a few cards at once.
"""
