"""Measurements of Gotgan beside its peers."""
