"""The reference executor: a program played over one flat state vector, one decision at a time.

`machine` is the way in; `plan` writes a program as Python once, from the IR's numbers alone; `cards` moves cards,
`knowledge` keeps what seats know of them, `teller` tells what happens. May not import check, syntax or document.
"""
