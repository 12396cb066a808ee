"""Text primitives that other rooms share: words, token counts, regular expressions and probabilities."""
