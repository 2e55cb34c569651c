"""The reference executor: what the IR means. A program is planned once as closures and played over one flat state
vector, one decision at a time.

To look something up, open one page:

===================== =========================================================================================
`expressions`         what an expression gives; `folds`, `covers`, `domains` and `functions` have their own pages
`operations`          what a statement does; `informing` facts that are told
`blocks`              how rules go on: jumps, calls and their frames, questions; `chance`: draws and picks
`choices`             what is offered and what choosing stores; `offered_sets`, `labels`; `sight`: what is told apart;
                      `seeing`: what may be read
`table`               where the cards lie and every way of moving them
`knowledge`           what each seat knows after that (facts: `card_knowledge`), told by the `teller`
`machine`             the way in: starts, lists options, takes choices, settles chance
===================== =========================================================================================

`planner` is the switchboard between the pages, `places` and `closures` what they stand on; `naming` names options in
records, `restored` and `conservation` look through a vector, `sets` are sets of cards as numbers, `depth` is how deep
closures may call each other. Imports facts and ir.
"""
