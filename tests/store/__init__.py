"""What the store promises, whichever driver it stands on."""
