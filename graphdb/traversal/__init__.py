"""The bounded walk along edges behind call trees, type hierarchies and impact."""
