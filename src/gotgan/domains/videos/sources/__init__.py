"""Where videos and comments come from: YouTube's API, and files."""
