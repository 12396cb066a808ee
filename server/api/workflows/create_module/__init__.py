"""The workflow `create-module`: the plan for a module that follows the conventions of its siblings, and the files of the plan."""
