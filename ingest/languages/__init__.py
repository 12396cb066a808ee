"""The languages. Each folder contains everything that applies only to one language."""
