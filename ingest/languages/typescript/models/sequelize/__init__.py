"""Sequelize: models that classes and calls define, and the tables that it makes of them."""
