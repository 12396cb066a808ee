"""Facts that people ask about and resolution does not read: type structure, enum values, side effects, Unicode names."""
