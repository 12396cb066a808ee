"""Data in the graph: schemas of databases, the migrations that make them, and the code that reads and writes them."""
