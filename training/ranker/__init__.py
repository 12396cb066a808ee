"""How the ranker comes about. Needs lightgbm; nothing else imports it."""
