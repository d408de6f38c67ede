"""Where videos and comments come from: YouTube by its API, and files."""
