"""Checks that run where the package of docs/site.md is installed; ``test_installed`` starts them.

They have a process of their own: a declaration stays in the table for as long as a process lives.
"""
