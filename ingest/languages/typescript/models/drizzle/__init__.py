"""Drizzle: the tables, enums and types that calls such as `pgTable` declare, and the SQL that Drizzle Kit makes from them."""
