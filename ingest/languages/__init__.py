"""The languages. Each folder contains everything that applies to one language alone."""
