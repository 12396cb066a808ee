"""TypeScript and JavaScript: parsing, lowering, module resolution and the type engine."""
