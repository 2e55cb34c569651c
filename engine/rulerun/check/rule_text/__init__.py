"""Rule texts to IR: names, types, effects, visibility and flow of expressions, statements and choices. Begin reading at
`lower`, then `statements` and `expressions`."""
