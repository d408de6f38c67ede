"""The benchmarks of the videos."""
