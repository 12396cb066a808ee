"""The bounded walk along edges that finds call trees, type hierarchies and impact."""
