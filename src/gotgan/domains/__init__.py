"""The domains: packages with the same module names, none of which imports another."""
