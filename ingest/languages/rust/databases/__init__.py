"""Tables and statements in Rust: the macros and the query builder of Diesel, and the files of SQL that macros of sqlx name.

See https://docs.diesel.rs/master/diesel/macro.table.html and https://diesel.rs/guides/.
"""
