"""Data in the graph: schemas of databases, the migrations that define them, and the code that uses the tables."""
