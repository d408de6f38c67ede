"""Golden files: the output of the fronts, compared with files under version control."""
