"""The grammars of PlantUML. Each grammar is a module."""
