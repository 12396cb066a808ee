"""Types of parameters without annotation, inferred from call sites in rounds, and the answers that depend on these types."""
