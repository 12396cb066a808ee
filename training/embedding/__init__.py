"""Trains the weights of the local embedding. Needs torch, npm, apt and pip."""
