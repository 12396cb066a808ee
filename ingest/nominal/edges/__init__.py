"""All edges of nominal languages: calls, references, heritage, type flow, checks, callbacks and exports."""
