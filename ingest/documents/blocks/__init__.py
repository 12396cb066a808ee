"""The blocks of code in documents: what they import, call and use, and the programs that they form."""
