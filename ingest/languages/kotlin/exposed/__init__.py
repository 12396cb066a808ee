"""Exposed and Ktorm: objects that declare tables, entities, and the statements that the query builders make.

See https://www.jetbrains.com/help/exposed/ and https://www.ktorm.org.
"""
