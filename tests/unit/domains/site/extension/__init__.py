"""Types of other packages: the one that docs/site.md builds is installed, and some wrong ones."""
