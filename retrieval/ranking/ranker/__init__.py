"""Stage two: the learnt ranker. Features of question and candidate go through boosted trees, which are data of the package."""
