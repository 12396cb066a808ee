"""Train the ranker. The training needs lightgbm, which no other package imports."""
