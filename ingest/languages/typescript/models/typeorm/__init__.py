"""TypeORM: entities and their decorators, entity schemas, and the tables that its schema builder makes from them."""
