"""The vector table in LanceDB, and its columns in memory."""
