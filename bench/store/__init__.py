"""The engine's speed beside its peers': one run, ratios."""
