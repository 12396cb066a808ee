"""Words, tokens, patterns and probabilities: what the other rooms compute with."""
