"""What iteration gives, what is in containers, and the members of enums."""
