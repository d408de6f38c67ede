"""What the news are collected from: a finance site, its consent pages, and other newspapers."""
