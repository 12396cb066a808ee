"""The excerpt of each file in an answer: the results whole, and of the rest only what they use."""
