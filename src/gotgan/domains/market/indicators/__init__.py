"""Indicators of shares: calculated by TA-Lib, or continued from the state of the day before."""
