"""Rule text to syntax nodes. The only package that imports lark; nothing of lark leaves it."""
