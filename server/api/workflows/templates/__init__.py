"""Workflow templates: their definition, the built-in templates, the templates of a workspace, and a cache of their answers."""
