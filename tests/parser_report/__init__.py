"""What the parser makes of files, held to the rules of the specification: fixtures, and the files of any folders."""
