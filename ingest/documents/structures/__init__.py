"""The content of typed sections as fields: the steps of a workflow, the parts of a decision, the changes of a release."""
