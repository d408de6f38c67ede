"""What must hold when threads, processes, crashes and damaged files meet the store."""
