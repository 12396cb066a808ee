"""The content of a section with a type, as fields: the steps of a workflow, the parts of a decision, the changes of a release."""
