"""Entity Framework Core: contexts with sets of entities, the tables of these entities, and statements in LINQ.

See https://learn.microsoft.com/ef/core/modeling/.
"""
