"""Select the results of an answer, and compose the answer within the token budget."""
