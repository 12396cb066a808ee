"""Documents as records: their parts and the diagrams in them."""
