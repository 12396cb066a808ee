"""Diesel: the macros that declare tables, and the statements that its query builder makes.

See https://docs.diesel.rs/master/diesel/macro.table.html and https://diesel.rs/guides/.
"""
