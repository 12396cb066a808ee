"""Arguments from call sites for parameters without annotation: the types, round by round, and the answers that depend on them."""
