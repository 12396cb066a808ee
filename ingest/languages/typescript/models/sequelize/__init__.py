"""Sequelize: models that classes and calls define, and its types of columns."""
