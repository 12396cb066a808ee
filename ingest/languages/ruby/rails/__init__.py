"""Rails: the tables that `db/schema.rb` creates."""
