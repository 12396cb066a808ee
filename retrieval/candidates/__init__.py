"""The first stage of a search: candidates from both indexes, with the features that ranking reads."""
