"""The console as people see it: a real Chromium before a real server."""
