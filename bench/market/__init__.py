"""The benchmarks of the market."""
