"""MikroORM: its decorators, and the tables that its schema generator makes."""
