"""Waterline of Sails: models in files of a folder, and the tables that their attributes make."""
