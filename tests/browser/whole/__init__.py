"""The console as a whole, on the data of the demo."""
