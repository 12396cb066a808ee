"""Lucid of AdonisJS: its decorators, and the tables that its models use."""
