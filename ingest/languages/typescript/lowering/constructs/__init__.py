"""Facts for people, which resolution does not read: type structure, enum values, side effects, Unicode names."""
