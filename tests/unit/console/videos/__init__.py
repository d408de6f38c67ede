"""The pages of the videos."""
