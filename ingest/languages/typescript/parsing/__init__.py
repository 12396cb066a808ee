"""From source bytes to a syntax tree: tree-sitter, with the known gaps of its grammars repaired."""
