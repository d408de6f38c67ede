"""The benchmarks of the shops."""
