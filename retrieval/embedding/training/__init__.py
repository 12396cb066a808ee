"""How the weights of the local embedding come about. Needs torch, npm and pip; nothing else imports it."""
