"""How the weights of the local embedding come about. Needs torch, npm, apt and pip."""
