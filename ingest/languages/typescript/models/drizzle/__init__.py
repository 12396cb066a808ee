"""Drizzle: tables, enums and types that calls such as `pgTable` declare, and what Drizzle Kit makes of them."""
