"""Source bytes to a syntax tree: tree-sitter, with the known gaps of its TypeScript and JavaScript grammars repaired."""
