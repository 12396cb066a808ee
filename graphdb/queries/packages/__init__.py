"""Packages outside of the repository: what manifests ask for."""
