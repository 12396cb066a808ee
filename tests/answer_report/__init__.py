"""What answers show, held to the rules of the specification: random symbols of real repositories, each looked up by its name."""
