"""Stack traces as people paste them: frames of every runtime, from text to places and symbols of a repository."""
