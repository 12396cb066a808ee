"""Mongoose: schemas and models, whose collections are tables."""
