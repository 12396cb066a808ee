"""Exposed: objects that declare tables, entities, and the statements that its query builder makes.

See https://www.jetbrains.com/help/exposed/.
"""
