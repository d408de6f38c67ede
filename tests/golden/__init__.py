"""What the fronts show today, in files that a change of it has to change too."""
