"""Answers: which results they hold, and how they are composed within the token budget."""
