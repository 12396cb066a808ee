"""Facts for people that resolution does not read: type structure, enum values, side effects, Unicode names."""
