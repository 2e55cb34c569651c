"""What both executors stand on: what follows from a program's IR alone, and the values that cross their edge.

Types and ranges of expressions, sizes of domains, fuel, the generator, faults, options, observations. Neither executor
imports the other; both import this. Imports the IR only.
"""
