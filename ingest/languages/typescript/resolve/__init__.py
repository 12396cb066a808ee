"""Resolution: facts of all files become edges. A partial type engine, lazy, memoised, bounded and safe from cycles."""
