"""The interface between the engine and the rules of frameworks and object mappers: what rules read, and what they find."""
