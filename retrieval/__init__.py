"""LanceDB, embedding, selection, snapshots and the connection graph."""
