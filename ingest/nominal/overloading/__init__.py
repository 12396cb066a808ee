"""Languages with declared types and overloaded methods: names, members, and the choice of a method."""
