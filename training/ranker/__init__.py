"""Trains the ranker. Needs lightgbm; nothing else imports it."""
