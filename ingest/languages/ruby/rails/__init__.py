"""Rails: the tables that `db/schema.rb` creates, models, and the statements that calls of models make."""
