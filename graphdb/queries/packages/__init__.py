"""Packages outside of the repository: the requirements of manifests."""
