"""Scenarios made by hand, one file for each thing that they are about."""
