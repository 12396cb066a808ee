"""Resolution of all files of a repository: each language's engine, behind one interface."""
