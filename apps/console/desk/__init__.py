"""`/review/`: the reviewers' desk. It can look at columns that name nobody and say nothing, and decide; no more."""
