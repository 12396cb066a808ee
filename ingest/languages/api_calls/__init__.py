"""Finds the routes, mounts and services of APIs in the facts of a file, by tables of frameworks."""
