// A commit in the index. The setting `history_depth` limits the number of commits.
CREATE NODE TABLE Commit(
    hash STRING,
    message STRING,
    // Time of the author in UTC, as in 2026-11-27T09:30:00Z.
    time STRING,
    // Issues that the message names: `#12`, `GH-12`, `ABC-12`.
    issues STRING[],
    // Number of changed files.
    files INT64,
    // Rank in the history. Newer commits have higher ranks.
    position INT64,
    PRIMARY KEY (hash)
);

// A person, with the name and the address from `.mailmap`.
CREATE NODE TABLE Author(
    // `name <email>`.
    id STRING,
    name STRING,
    email STRING,
    PRIMARY KEY (id)
);

// A person wrote a commit.
CREATE REL TABLE AUTHORED(
    FROM Author TO Commit
);

// A commit changed a file, also under its earlier names, or the lines of a symbol, as with `git log -L`.
CREATE REL TABLE MODIFIED_IN(
    FROM File TO Commit,
    FROM Symbol TO Commit,
    // Lines that were added to and deleted from a file; 0 for a symbol.
    added INT64,
    deleted INT64,
    // Path of the file after the commit.
    path STRING
);

// Files or symbols that change in the same commits; symbols that contain each other are left out.
CREATE REL TABLE CO_CHANGES(
    FROM File TO File,
    FROM Symbol TO Symbol,
    // Number of common commits.
    support INT64,
    // Share, in thousandths, of the commits of the first node that also changed the second node. Old and large commits have lower
    // weights.
    confidence INT64
);
