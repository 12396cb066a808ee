"""Find the files of a workspace: sources, exclusions with their reasons, and the decoding of bytes."""
