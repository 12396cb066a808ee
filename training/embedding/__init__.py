"""Train the weights of the local embedding. The training needs torch, npm, apt and pip."""
