"""Sequelize: the types of columns in its migrations."""
