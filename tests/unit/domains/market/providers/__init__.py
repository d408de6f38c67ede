"""Who is asked for prices: each by itself, and one after another."""
