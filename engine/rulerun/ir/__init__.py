"""The typed intermediate representation: all that crosses from the front of the house to the back.

`types` and `nodes` say what there is, `program` puts it together and lays out the state vector, `printer`
shows it, `verifier` checks it. Nothing here knows where a program came from or who runs it.
"""
