"""Programs that train the models of search. They are run by hand and are no part of the package."""
