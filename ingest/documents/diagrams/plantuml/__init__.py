"""The grammars of PlantUML, each a module."""
