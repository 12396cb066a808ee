"""What call sites give to parameters without annotation: the types, round by round, and the answers that depend on them."""
