"""The workflow `create-module`: a plan for a module that follows the conventions of its siblings, and on request its files."""
