"""What a section of a type says, as fields: the steps of a workflow, the parts of a decision, the changes of a release."""
